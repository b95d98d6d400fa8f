"""What is played at a table: games begin and end, moves are made, and time runs out.

Each deed changes the table at once and notes in its batch what has to be committed and told.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from tisch.game import Event, Outcome
from tisch.games import reference
from tisch.ports.refusal import Code, Refusal
from tisch.ports.told import event
from tisch.record import Record, changed_options
from tisch.table.changes import Start, Warned
from tisch.table.company import Company
from tisch.table.kept import BeginGame, EndGame
from tisch.table.play import Playing, Request
from tisch.table.seating import STRIKES, Presence
from tisch.table.told import GameOver, GameStarted, Undone


class Deeds(Company):
    """A table, and all that can happen at it."""

    # --- how the table plays ------------------------------------------------------------------------------------------

    def set_options(self, options: Any) -> None:
        """Change the game's options; everybody keeps a seat, and the host stays the host.

        :param options: The options.
        :raises ValueError: There are not enough seats then.
        """
        before, count = len(self.seating.seats), self.game.seats(options)
        self.seating.resize(count)
        if count != before:
            # The last game has no view for seats that it did not have.
            self.playing = None
        self.options = options

    def configure(
        self, agent: str | None = None, turn_limit: int | None = None, *, free_chat: bool | None = None
    ) -> None:
        """Change the table's own options.

        :param agent: (Optional) Who plays empty seats, a level or an agent by name.
        :param turn_limit: (Optional) The time for a decision in seconds.
        :param free_chat: (Optional) Whether people may say words of their own.
        """
        if agent is not None:
            self.agents.choice = agent
        if turn_limit is not None:
            self.clock.turn_limit = turn_limit
        if free_chat is not None:
            self.talk.is_free = free_chat

    def set_stage(self, delay: int | None, has_open_hands: bool | None) -> None:
        """Change what spectators see, and how much later.

        :param delay: How much later, in seconds; ``None`` keeps it.
        :param has_open_hands: Whether they see all hands; ``None`` keeps it.
        :raises ValueError: There is no such delay, or hands would be seen at once.
        """
        self.stage.set(delay, has_open_hands)
        self.clear_stage()

    def compete(self, challenge: str, agent: str = "") -> None:
        """Play the deals of a challenge: the same for all who play them, with nothing that only some have.

        :param challenge: The challenge.
        :param agent: (Optional) Who plays empty seats.
        """
        self.challenge = challenge
        self.agents.is_fair = bool(challenge)
        self.configure(agent or None)

    # --- the game -----------------------------------------------------------------------------------------------------

    def start(self, peer: Hashable, seed: int | None = None) -> None:
        """Ask for a game to be set up, which takes long in some games.

        :param peer: The player's connection, which gets the error if there is no game with the chosen options.
        :param seed: (Optional) The game's seed; by default nobody can know it.
        """
        seat = self.seating.seat_of(peer)
        assert seat is not None
        chance = self.shared.chance
        chosen = chance.seed("game", self.id) if seed is None else seed
        record = Record(reference(self.game), changed_options(self.options), chosen, [])
        # Where many requests are answered in a millisecond, the last game is ahead of the time.
        number = max(int(self.shared.date() * 1000), self.playing.count if self.playing else 0)
        address = self.seating.player(seat).address
        self.batch.start = Start(peer, address, chance.token(9, "id", self.id), record, number)

    def begin(self, playing: Playing, opening: Sequence[Event]) -> None:
        """Begin a game that has been set up.

        :param playing: The game.
        :param opening: What happened while it was set up.
        """
        self.playing = playing
        self.note_watchers()
        self.note(GameStarted())
        for happened in opening:
            self.listen(happened)
        playing.state.listener = self.listen
        self.batch.commit.append(BeginGame(playing.id, self.id, playing.record, self.shared.date()))
        self.clock.begin_pause()
        self.save()
        self.renew(None)

    def act(self, index: int, moves: Sequence[Any], action: str = "move", *, answers: bool = False) -> None:
        """Make a seat's moves, all or none.

        :param index: The seat.
        :param moves: The moves.
        :param action: (Optional) The player's name for them.
        :param answers: (Optional) Whether they answer the open request.
        :raises Refusal: A move is not legal.
        """
        playing = self.playing
        assert playing
        before = self.number
        self.batch.commit += playing.make(index, moves, action=action, is_alone=self.seating.is_alone(index))
        self.batch.moves += len(moves)
        if answers:
            del playing.requests[index]
        if self.number > before and not playing.is_shared:
            self.clock.begin_pause()
        self.renew(index)
        if playing.is_over:
            self._end_game(playing)

    def may_undo(self, index: int) -> bool:
        """Return whether a player may undo their last moves.

        :param index: The player's seat.
        :result: Whether they may.
        """
        playing = self.playing
        if playing is None or self.challenge:
            return False
        return playing.may_undo and not playing.is_over and self.seating.is_alone(index)

    def undo(self, index: int) -> None:
        """Undo a player's last moves.

        :param index: The player's seat.
        :raises Refusal: Others play along, or there is nothing to undo.
        """
        playing = self.playing
        if playing is None or not self.may_undo(index):
            raise Refusal(Code.INVALID_ACTION, reason="There is nothing to undo.", action="undo")
        self.batch.commit += playing.undo()
        self.batch.moves += 1
        self.note(Undone(index))
        self.renew(index)

    def _end_game(self, playing: Playing) -> None:
        outcome = playing.outcome
        assert outcome
        self.batch.commit.append(self.ending(playing, outcome, outcome.reason))
        self.last_game = playing.id
        seed = str(playing.record.seed)
        over = event(GameOver(outcome.points, outcome.payoff, outcome.reason, playing.id, seed))
        self.note(Event(over.name, {**over.public, **playing.speech.result(playing.state)}))
        self.save()

    def ending(self, playing: Playing, outcome: Outcome | None, reason: str) -> EndGame:
        """Describe how a game ended.

        :param playing: The game.
        :param outcome: Its outcome; ``None`` if it is broken off.
        :param reason: One line of English: why it is over.
        :result: The change for the journal.
        """
        names = self.seating.marked_names
        transcript = str(playing.transcript(names, outcome))
        points = outcome.points if outcome else None
        # A table is opened only between games: a game is private if the table is at its end.
        private = self.door.is_private
        return EndGame(playing.id, transcript, self.shared.date(), names, points, reason, is_private=private)

    # --- time passes --------------------------------------------------------------------------------------------------

    def wake(self) -> None:
        """Do what is due."""
        clock = self.clock
        for index, player in self.seating.players():
            if player.held_until is not None and player.held_until <= clock.now:
                self.vacate(index, player)
        if playing := self.going_on:
            for request in list(playing.requests.values()):
                if request.deadline is not None and request.deadline <= clock.now:
                    self._time_out(playing, request)
                    return
            self._proceed(playing)
        if self.is_over(clock.now):
            self.close()

    def _proceed(self, playing: Playing) -> None:
        """Make the next moves that no person decides, agents' and those without a choice, up to the next pause."""
        while self.seating.is_watched and self.is_running and self.clock.is_pause_over:
            plan = self.agents.plan(playing)
            if not self.agents.may_proceed(playing):
                return
            seat, text = plan[0]
            self.act(seat, [self.game.parse(text)])

    def _time_out(self, playing: Playing, request: Request) -> None:
        """Make the safest move for a player whose time is over."""
        player = self.seating.player(request.seat)
        late = Refusal(Code.ACTION_TIMEOUT, timeout=self.clock.turn_limit, action=request.action)
        if player.peer is not None:
            self.tell(player.peer, Warned(late))
        player.strikes += 1
        if player.strikes >= STRIKES and player.presence is Presence.HERE:
            player.presence = Presence.AWAY
            self.change_presence(request.seat)
            self.save()
        playing.withdraw(request.seat)
        self.act(request.seat, playing.safest(request.seat))
