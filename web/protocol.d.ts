// Written by `python docs/protocol_types.py` from the structs of the tables and of the games: what the server tells,
// and what it is told. Nothing of it is sent to browsers; scripts name these types in their comments.

declare namespace Protocol {
    type Action = string;

    type Answer = {announced: boolean} | {given_schupf_cards: TichuCard[]} | {cards: TichuCard[]} | {wish_value:
        number} | {dragon_recipient: Seat} | {move: string};

    type Seat = number;

    /**
     * value and suit: `[v, s]` with a value from 2 to 14 (11 Jack … 14 Ace) and a suit from 1 to 4 (1 black, 2
     * blue, 3 green, 4 red); `[0, 0]` is the Dog, `[1, 0]` the Mah Jong, `[15, 0]` the Dragon, `[16, 0]` the
     * Phoenix
     */
    type TichuCard = [number, number];

    type Context = {} | {hand_cards: TichuCard[]} | {hand_cards: TichuCard[]; trick_combination: TichuCombination;
        wish_value: number} | {legal: string[]};

    type Game = string;

    type SeatOrNobody = number;

    /** What only one seat knows: the fields of the schema of its game's private state. */
    interface PrivateState {
        player_index: Seat;
    }

    type Choices = TichuChoices | MaumauChoices | SechsundsechzigChoices | OkeyChoices | RaumstationChoices;

    /** What everybody knows of a table; a game adds its own fields. */
    interface PublicState {
        /** the game's name */
        game: Game;
        /** the table's name */
        table_name: string;
        /** by seat: the name */
        player_names: string[];
        /** by seat: `human` or `ai` */
        player_kinds: ("human" | "ai")[];
        /** by seat: the portrait that a person has chosen; empty for none */
        portraits: ("" | "fox" | "owl" | "bear" | "cat" | "hare" | "badger" | "frog" | "hedgehog" | "penguin" | "mouse")[];
        /**
         * by seat: `here`, `cut` (the seat is held) or `away` (three times too slow: the AI plays until
         * `return`); `here` for an AI
         */
        presences: ("here" | "cut" | "away")[];
        /** by seat: the seconds for which a cut seat is still held, or null */
        held_for: (number | null)[];
        /** the host's seat; −1 if nobody is here */
        host_index: SeatOrNobody;
        /** whether only those may come who are invited */
        is_private: boolean;
        /** whether a game is going on */
        is_running: boolean;
        /** the seats that must decide */
        awaiting: Seat[];
        /** by seat: the seconds that remain for its decision, or null */
        time_left: (number | null)[];
        /** how many watch */
        spectators: number;
        /** how the table plays, as in `options_changed` */
        table_options: TableOptions;
        /** the last finished game at this table, for `/replay/ID` */
        game_id: string | null;
        /** the challenge whose deals are played, for `/challenge/ID`; empty if it is none */
        challenge: string;
    }

    /** How a table plays. */
    interface TableOptions {
        /** the level of empty seats, or an agent's name */
        agent: string;
        /** the seconds for a decision; 0 is no limit */
        turn_limit: 0 | 15 | 30 | 60;
        /** all options of the game */
        options: {[name: string]: any};
        /** whether people may say words of their own, besides the phrases */
        free_chat: boolean;
        /** how many seconds later spectators see what happens */
        watch_delay: 0 | 30 | 120 | 300;
        /** whether spectators see all hands */
        open_hands: boolean;
    }

    /** A player is asked for a decision. */
    interface Request {
        /** its number, unlike that of every other request of the table */
        request_id: number;
        /** the decision; the games below list theirs */
        action: Action;
        /** what the decision needs */
        context: Context;
        /** the seconds that are left; absent without a limit */
        time_limit?: number;
    }

    type PendingAction = string;

    type Code = 100 | 101 | 102 | 103 | 104 | 105 | 106 | 107 | 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 |
        209 | 210 | 211 | 300 | 301 | 302 | 303 | 304 | 305 | 306 | 307 | 308 | 309 | 310 | 311 | 400 | 401;

    /**
     * type, length and rank: `[t, n, r]` with the types 0 pass, 1 single, 2 pair, 3 triple, 4 stairs, 5 full
     * house, 6 street, 7 bomb; the rank is that of the highest card, of a full house that of its triple
     */
    type TichuCombination = [number, number, number];

    /** seat, cards and combination */
    type TichuTurn = [Seat, TichuCard[], TichuCombination];

    interface TichuPublic {
        /** `grand`, `schupf`, `play`, `wish`, `dragon` or `over`; empty before the first game */
        phase: string;
        /** the awaited seats */
        awaiting: number[];
        /** the seat whose turn it is; −1 for none */
        current_turn_index: SeatOrNobody;
        /** the holder of the Mah Jong after the exchange; −1 before */
        start_player_index: SeatOrNobody;
        /** by seat: the number of cards */
        count_hand_cards: number[];
        /** all cards played in this round */
        played_cards: TichuCard[];
        /** by seat: 0 no call, 1 Tichu, 2 Grand Tichu */
        announcements: number[];
        /** the value of the wish; −1 before the Mah Jong is played, 0 for no wish any more */
        wish_value: number;
        /** who was given the dragon's trick in this round; −1 for nobody */
        dragon_recipient: SeatOrNobody;
        /** the seat that played the top of the trick; −1 without a trick */
        trick_owner_index: SeatOrNobody;
        /** the cards of the trick; a dog stays with the next one */
        trick_cards: TichuCard[];
        /** the combination to beat; `[0, 0, 0]` to lead */
        trick_combination: TichuCombination;
        /** the current trick, each turn as `[seat, cards, combination]`; passing has no cards */
        trick: TichuTurn[];
        /** the tricks taken in this round, each turn as `[seat, cards, combination]`; passing has no cards */
        tricks: TichuTurn[][];
        /** by seat: the points of its tricks; at the round's end its whole score */
        points: number[];
        /** the player who finished first; −1 for none yet */
        winner_index: SeatOrNobody;
        /** the player who was left with cards at the round's end; −1 for none */
        loser_index: SeatOrNobody;
        /** whether both players of a team finished first */
        is_double_victory: boolean;
        /** the scores of the rounds, for the team of seats 0 and 2 and that of 1 and 3 */
        game_score: [number[], number[]];
        /** the points that lie in the trick */
        trick_points: number;
        /** the number of tricks taken in this round */
        trick_counter: number;
        /** whether the round is over */
        is_round_over: boolean;
    }

    interface TichuPrivate {
        /** the seat */
        player_index: Seat;
        /** the seat's own cards, the highest first */
        hand_cards: TichuCard[];
        /**
         * the cards for the right opponent, the partner and the left opponent; null before the player has given
         * any
         */
        given_schupf_cards: TichuCard[] | null;
        /** the cards from the right opponent, the partner and the left opponent; null before there are any */
        received_schupf_cards: TichuCard[] | null;
        /** whether the seat called Grand Tichu while others may still be deciding */
        announced_grand: boolean;
        /** by seat: all hands, once the seat has finished and owes no wish; empty before */
        open_hands: TichuCard[][];
    }

    /** What a seat may do. */
    interface TichuChoices {
        /**
         * every legal move by its text, in turn or out of it; cards are `Hu` Dog, `Ma` Mah Jong, `Dr` Dragon,
         * `Ph` Phoenix, otherwise a letter for the suit (`S` black, `B` blue, `G` green, `R` red) and one for
         * the value (`2` … `9`, `Z` 10, `B` Jack, `D` Queen, `K` King, `A` Ace)
         */
        legal: string[];
        /** the legal moves that cost much: ask the player for confirmation */
        doubtful: string[];
        /** the legal move that a client emphasizes; null if none comes before the others */
        primary: string | null;
        /** the longest, lowest combination that may be played; empty for none */
        suggested: TichuCard[];
        /** the bombs that may be played */
        bombs: TichuCard[][];
        /** whether the player may pass */
        may_pass: boolean;
        /** whether the player may call Tichu */
        may_announce: boolean;
    }

    interface MaumauPublic {
        /** the seat; null for a spectator */
        seat: Seat | null;
        /** the seat's own cards */
        hand: string[];
        /** the number of cards of each seat */
        counts: number[];
        /** the top card of the pile */
        top: string;
        /** the cards played since the last reshuffle, the top last */
        pile: string[];
        /** the number of cards in the stock */
        stock: number;
        /** the colour of the wish, or an empty text */
        wish: string;
        /** the number of cards that the next player must draw for sevens */
        penalty: number;
        /** the seat to move; null after the end */
        turn: Seat | null;
        /** whether that seat must make a wish */
        wishing: boolean;
        /** whether that seat has just drawn a card */
        drew: boolean;
        /** the number of the round, from 1 */
        round: number;
        /** the number of rounds of the game */
        rounds: number;
        /** the points of each seat so far; the most points lose */
        scores: number[];
        /** the number of Jacks in a row; if it is odd, the next one brings no wish, unless the option allows it */
        jacks: number;
    }

    interface MaumauPrivate {
        /** the seat */
        player_index: Seat;
        /** the seat; null for a spectator */
        seat: Seat | null;
        /** the seat's own cards */
        hand: string[];
        /** the number of cards of each seat */
        counts: number[];
        /** the top card of the pile */
        top: string;
        /** the cards played since the last reshuffle, the top last */
        pile: string[];
        /** the number of cards in the stock */
        stock: number;
        /** the colour of the wish, or an empty text */
        wish: string;
        /** the number of cards that the next player must draw for sevens */
        penalty: number;
        /** the seat to move; null after the end */
        turn: Seat | null;
        /** whether that seat must make a wish */
        wishing: boolean;
        /** whether that seat has just drawn a card */
        drew: boolean;
        /** the number of the round, from 1 */
        round: number;
        /** the number of rounds of the game */
        rounds: number;
        /** the points of each seat so far; the most points lose */
        scores: number[];
        /** the number of Jacks in a row; if it is odd, the next one brings no wish, unless the option allows it */
        jacks: number;
    }

    /** What a seat may do. */
    interface MaumauChoices {
        /** every legal move by its text, in turn or out of it */
        legal: string[];
        /** the legal moves that cost much: ask the player for confirmation */
        doubtful: string[];
        /** the legal move that a client emphasizes; null if none comes before the others */
        primary: string | null;
    }

    /** The end of a game. */
    interface SechsundsechzigEnd {
        /** the winner */
        winner: Seat;
        /** the winner's game points */
        points: number;
        /**
         * the winner's state symbol, as in the original: `Won1t` … `cWon3f`, `wonLast`. The digit is the game
         * points; `t` means that the player who stopped or closed had 66, `f` that they had not; `c` means that
         * a closed game was played to its last trick
         */
        won: string;
    }

    interface SechsundsechzigPublic {
        /** the seat; null for a spectator */
        seat: Seat | null;
        /** the number of the game in the series, from 0 */
        number: number;
        /** the game points */
        scores: [number, number];
        /** the seat to move; between two games the winner; null when the series is over */
        turn: Seat | null;
        /** the trump colour */
        trump: string;
        /** the open card, until it is drawn */
        open: string | null;
        /** the number of cards face down in the deck; 0 once it is closed */
        hidden: number;
        /** the seat that closed the deck */
        closer: Seat | null;
        /** whether colour must be followed */
        forced: boolean;
        /** the seat's own cards in the order in which it got them */
        hand: string[];
        /** the number of cards in each hand */
        counts: [number, number];
        /** the first card of the running trick */
        middle: string[];
        /** the last trick */
        last: string[];
        /** the cards of the tricks of each seat, in order, the first card of a trick before the second */
        tricks: [string[], string[]];
        /** the points of each seat in this game */
        points: [number, number];
        /** the announcement after which the seat must play a card of the pair */
        announced: string | null;
        /** the cards that are publicly known to be in each hand: the open card swapped or drawn, half of a pair */
        shown: [string[], string[]];
        /** the colours that each seat is known to lack, because it could not follow */
        lacks: [string, string];
        /** the end of the game */
        end: SechsundsechzigEnd | null;
        /** both hands, once the game has ended */
        hands: [string[], string[]] | null;
    }

    interface SechsundsechzigPrivate {
        /** the seat */
        player_index: Seat;
        /** the seat; null for a spectator */
        seat: Seat | null;
        /** the number of the game in the series, from 0 */
        number: number;
        /** the game points */
        scores: [number, number];
        /** the seat to move; between two games the winner; null when the series is over */
        turn: Seat | null;
        /** the trump colour */
        trump: string;
        /** the open card, until it is drawn */
        open: string | null;
        /** the number of cards face down in the deck; 0 once it is closed */
        hidden: number;
        /** the seat that closed the deck */
        closer: Seat | null;
        /** whether colour must be followed */
        forced: boolean;
        /** the seat's own cards in the order in which it got them */
        hand: string[];
        /** the number of cards in each hand */
        counts: [number, number];
        /** the first card of the running trick */
        middle: string[];
        /** the last trick */
        last: string[];
        /** the cards of the tricks of each seat, in order, the first card of a trick before the second */
        tricks: [string[], string[]];
        /** the points of each seat in this game */
        points: [number, number];
        /** the announcement after which the seat must play a card of the pair */
        announced: string | null;
        /** the cards that are publicly known to be in each hand: the open card swapped or drawn, half of a pair */
        shown: [string[], string[]];
        /** the colours that each seat is known to lack, because it could not follow */
        lacks: [string, string];
        /** the end of the game */
        end: SechsundsechzigEnd | null;
        /** both hands, once the game has ended */
        hands: [string[], string[]] | null;
    }

    /** What a seat may do. */
    interface SechsundsechzigChoices {
        /** every legal move by its text, in turn or out of it */
        legal: string[];
        /** the legal moves that cost much: ask the player for confirmation */
        doubtful: string[];
        /** the legal move that a client emphasizes; null if none comes before the others */
        primary: string | null;
    }

    interface OkeyPublic {
        /** the seat; null for a spectator */
        seat: Seat | null;
        /**
         * the seat's own tiles in the order in which they came: of fifteen, the last is the newest. Spectators
         * see none
         */
        rack: string[];
        /** the seat to move; null when the game is over */
        turn: Seat | null;
        /** the number of tiles on each rack; with fifteen, the next move puts one */
        held: number[];
        /** the exchange stack that each seat draws from; the last tile is on top */
        stacks: string[][];
        /** the tiles that all seats know to be on each rack, because they were taken from an exchange stack */
        known: string[][];
        /** the number of tiles in the main stack */
        main: number;
        /** the number of draws of each seat from the main stack */
        drawn: number[];
        /** the number of draws of each seat from its exchange stack */
        taken: number[];
        /** the winner */
        winner: Seat | null;
        /** the winner's layout */
        layout: (string | null)[] | null;
    }

    interface OkeyPrivate {
        /** the seat */
        player_index: Seat;
        /** the seat; null for a spectator */
        seat: Seat | null;
        /**
         * the seat's own tiles in the order in which they came: of fifteen, the last is the newest. Spectators
         * see none
         */
        rack: string[];
        /** the seat to move; null when the game is over */
        turn: Seat | null;
        /** the number of tiles on each rack; with fifteen, the next move puts one */
        held: number[];
        /** the exchange stack that each seat draws from; the last tile is on top */
        stacks: string[][];
        /** the tiles that all seats know to be on each rack, because they were taken from an exchange stack */
        known: string[][];
        /** the number of tiles in the main stack */
        main: number;
        /** the number of draws of each seat from the main stack */
        drawn: number[];
        /** the number of draws of each seat from its exchange stack */
        taken: number[];
        /** the winner */
        winner: Seat | null;
        /** the winner's layout */
        layout: (string | null)[] | null;
        /** the rack with as many tiles in groups as possible, slot by slot; null for an empty slot */
        arranged: (string | null)[];
    }

    /** What a seat may do, and the groups of its rack. */
    interface OkeyChoices {
        /** every legal move by its text, in turn or out of it */
        legal: string[];
        /** the legal moves that cost much: ask the player for confirmation */
        doubtful: string[];
        /** the legal move that a client emphasizes; null if none comes before the others */
        primary: string | null;
        /** every run that lies in the rack: its tiles from left to right */
        runs: string[];
        /** every set that lies in the rack: its tiles in one order, though any order is a set */
        sets: string[];
        /** the rack sorted by colour and number, runs first, slot by slot; null for an empty slot */
        by_runs: (string | null)[];
        /** the rack sorted by number and colour, sets first, slot by slot; null for an empty slot */
        by_equals: (string | null)[];
    }

    /** The options of a game. */
    interface RaumstationOptions {
        /** the number of columns of the grid */
        width: number;
        /** the number of rows of the grid */
        height: number;
        /** the number of rooms created after the first, before dead ends are removed */
        rooms: number;
        /** the probability of a trap in a room */
        danger: number;
        /** the number of jokers */
        jokers: number;
        /** the probability that a safe room is open from the start */
        revealed: number;
        /** whether to accept every station, even one that cannot be solved without a guess */
        classic: boolean;
        /** whether to refuse the scan of a marked room */
        protect: boolean;
    }

    /** A room, as it is or as someone knows it. */
    interface RaumstationRoom {
        /** its column */
        x: number;
        /** its row */
        y: number;
        /** whether it holds a trap; null if unknown */
        is_dangerous: boolean | null;
        /** whether the player has marked it */
        is_marked: boolean;
        /** the directions of its corridors, one bit each */
        connections: number;
        /** the number of connected rooms with a trap; null if unknown */
        dangerous_nearby_rooms: number | null;
        /** whether it has been scanned or was open from the start */
        is_revealed: boolean;
    }

    interface RaumstationPublic {
        /** the options of the game */
        options: RaumstationOptions;
        /**
         * all rooms with their corridors, row by row, with their content as far as known. After the end
         * everything is known
         */
        rooms: RaumstationRoom[];
        /** the number of jokers left */
        jokers: number;
        /** whether the game was won; null while it goes on */
        won: boolean | null;
    }

    interface RaumstationPrivate {
        /** the seat */
        player_index: Seat;
        /** the options of the game */
        options: RaumstationOptions;
        /**
         * all rooms with their corridors, row by row, with their content as far as known. After the end
         * everything is known
         */
        rooms: RaumstationRoom[];
        /** the number of jokers left */
        jokers: number;
        /** whether the game was won; null while it goes on */
        won: boolean | null;
    }

    /** What the player may do. */
    interface RaumstationChoices {
        /** every legal move by its text, in turn or out of it */
        legal: string[];
        /** the legal moves that cost much: ask the player for confirmation */
        doubtful: string[];
        /** the legal move that a client emphasizes; null if none comes before the others */
        primary: string | null;
        /** the scans of open rooms with the number 0 that open what is connected with them, with `spread` */
        spreads: string[];
    }
}
