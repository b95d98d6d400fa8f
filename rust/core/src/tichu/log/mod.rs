//! The logs of Brettspielwelt: a game as text, read, checked and replayed by the rules.
//!
//! [`parse`] turns a round's lines into a deal, calls, gifts and events; [`replay`] plays the events in the
//! [`Round`](super::round::Round) of the simulations. Whatever departs from the format or the rules gets a [`Code`].

mod parse;
mod replay;

use std::borrow::Cow;

use super::cards::Cards;
use parse::Block;

macro_rules! codes {
    ($($variant:ident $name:literal $text:literal,)*) => {
        /// The known deviations of a log from the format and the rules.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Code {
            $(#[doc = $text] $variant,)*
        }

        impl Code {
            /// All codes, with what they mean.
            pub const ALL: &'static [(Self, &'static str, &'static str)] = &[$((Self::$variant, $name, $text),)*];

            /// Returns the name of the code.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

codes! {
    Unfinished "unfinished" "The game ends before a team has won; a last round without a result is dropped.",
    Overplayed "overplayed" "Rounds follow after a team has won.",
    PlayersChanged "players_changed" "A round has other players than the one before.",
    MalformedLine "malformed_line" "A line does not fit the format; its round is dropped.",
    UnknownPlayer "unknown_player" "A line names a player who does not sit on that seat; its round is dropped.",
    DuplicateCard "duplicate_card" "A card occurs twice in the deal or in a play; its round is dropped.",
    WrongDeal "wrong_deal" "The first eight cards are not among the fourteen; the round is dropped.",
    WrongGift "wrong_gift" "A player gives a card they do not hold, or not to the others in order; the round is dropped.",
    RoundFailed "round_failed" "The history ends before the round does.",
    NotHeld "not_held" "A player lays a card that they do not hold; the replay stops.",
    NoCombination "no_combination" "The cards laid form no combination; the replay stops.",
    TooLow "too_low" "The cards laid do not beat the trick; the replay stops.",
    NotOnTurn "not_on_turn" "A player lays or passes out of turn; the replay stops.",
    LeaderPassed "leader_passed" "A player who leads passes; the replay stops.",
    HistoryTooLong "history_too_long" "Cards are laid after the end of the round.",
    PhoenixLow "phoenix_low" "A play only fits if the phoenix below it had its lower meaning.",
    WishIgnored "wish_ignored" "A player could have fulfilled the wish, and did not.",
    WishMisplaced "wish_misplaced" "A wish without a Mah Jong before it.",
    LateCall "late_call" "Tichu is called after the first card, after a player has finished, or on top of Grand Tichu.",
    DragonToTeam "dragon_to_team" "The dragon's trick goes to the own team.",
    DragonKept "dragon_kept" "The dragon's trick is not given away.",
    DragonMisplaced "dragon_misplaced" "The dragon is given away although it has won no trick.",
    ScoreImpossible "score_impossible" "No round has this score with these calls.",
    ScoreMismatch "score_mismatch" "The replay comes to another score.",
}

/// A deviation and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// The kind of deviation.
    pub code: Code,
    /// The number of the round, from 1; 0 for the whole game.
    pub round: u32,
    /// The number of the line, from 1; 0 for none.
    pub line: u32,
}

/// A round of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedRound {
    /// The number of the round in the log, from 1.
    pub number: u32,
    /// The score of both teams as logged.
    pub score: [i32; 2],
    /// The valid calls: 0 none, 1 small Tichu, 2 Grand Tichu.
    pub calls: [u8; 4],
    /// The seat that finished first, if the replay comes so far.
    pub winner: Option<u8>,
    /// Whether a team has won doubly.
    pub double: bool,
    /// The seat that got each card of the deck, plus 4 if it was among the first eight.
    pub deal: [u8; 56],
    /// The cards that each seat gave to the right opponent, the partner and the left opponent, as indices in the deck.
    pub gifts: [[u8; 3]; 4],
    /// The replayed moves, encoded by [`replay::record`].
    pub history: Vec<u8>,
    /// Whether the round has no deviation.
    pub clean: bool,
    /// The number of bombs that each seat laid.
    pub bombs: [u8; 4],
    /// The names of the players of this round.
    pub names: [String; 4],
}

/// A game of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoggedGame {
    /// The names of the players of the first round that could be read.
    pub names: [String; 4],
    /// The sum of the logged scores.
    pub score: [i32; 2],
    /// The rounds that could be read.
    pub rounds: Vec<LoggedRound>,
    /// All deviations, in the order of the log.
    pub deviations: Vec<Deviation>,
}

/// A line with its number.
type Line<'a> = (u32, &'a str);

/// Reads a log; `None` if the text is not a log.
#[must_use]
pub fn read(text: &[u8]) -> Option<LoggedGame> {
    let text = decode(text);
    let lines: Vec<Line<'_>> = (1..)
        .zip(text.lines())
        .map(|(number, line)| (number, line.trim_ascii()))
        .filter(|line| !line.1.is_empty())
        .collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|&place| parse::begins(lines[place].1)).collect();
    let first = *starts.first()?;
    let mut game = LoggedGame::default();
    if first > 0 {
        game.deviations.push(Deviation { code: Code::MalformedLine, round: 0, line: lines[0].0 });
    }
    let mut players = None;
    for (number, &start) in (1..).zip(&starts) {
        let end = starts.get(number as usize).copied().unwrap_or(lines.len());
        read_block(&mut game, number, &lines[start..end], number as usize == starts.len(), &mut players);
    }
    if game.score[0].max(game.score[1]) < GOAL || game.score[0] == game.score[1] {
        game.note(Code::Unfinished, 0, 0);
    }
    Some(game)
}

/// The points that end a game.
const GOAL: i32 = 1000;

/// Reads a round; `players` are those of the last one that could be read.
fn read_block(game: &mut LoggedGame, number: u32, lines: &[Line<'_>], last: bool, players: &mut Option<[String; 4]>) {
    let Some(result) = lines.iter().find_map(|line| parse::result(line.1)) else {
        let code = if last { Code::Unfinished } else { Code::RoundFailed };
        game.note(code, if last { 0 } else { number }, if last { 0 } else { lines[0].0 });
        return;
    };
    if game.score[0].max(game.score[1]) >= GOAL && game.score[0] != game.score[1] {
        game.note(Code::Overplayed, 0, 0);
    }
    game.score = [game.score[0] + result[0], game.score[1] + result[1]];
    let block = match Block::parse(lines) {
        Ok(block) => block,
        Err((code, line)) => return game.note(code, number, line),
    };
    let names = block.names.map(str::to_owned);
    match players.replace(names.clone()) {
        None => game.names.clone_from(&names),
        Some(before) if before != names => game.note(Code::PlayersChanged, number, lines[0].0),
        Some(_) => {}
    }
    let replayed = replay::replay(&block);
    for &(code, line) in &replayed.deviations {
        game.note(code, number, line);
    }
    game.rounds.push(LoggedRound {
        number,
        score: block.score,
        calls: replayed.round.calls,
        winner: (replayed.round.winner < 4).then_some(replayed.round.winner),
        double: replayed.is_double(),
        deal: owners(&block),
        gifts: block.gifts,
        clean: replayed.deviations.is_empty(),
        history: replayed.history,
        bombs: replayed.bombs,
        names,
    });
}

impl LoggedGame {
    /// Adds a deviation; those of the whole game only once.
    fn note(&mut self, code: Code, round: u32, line: u32) {
        let deviation = Deviation { code, round, line };
        if !self.deviations.contains(&deviation) {
            self.deviations.push(deviation);
        }
    }
}

/// Returns the owner of each card, plus 4 if the card was among the first eight.
fn owners(block: &Block<'_>) -> [u8; 56] {
    std::array::from_fn(|index| {
        let card = Cards::at(index as u32);
        let seat = (0..4).find(|&seat| block.hands[seat].contains(card)).unwrap_or_default();
        seat as u8 + if block.first[seat].contains(card) { 4 } else { 0 }
    })
}

/// Decodes a text as UTF-8, or else as Latin-1, which old logs use.
fn decode(text: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(text).map_or_else(|_| text.iter().map(|&byte| char::from(byte)).collect(), Cow::Borrowed)
}
