"""What the messages of clients do at a table: one function for each type."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from tisch.agents import level_of, require_choice
from tisch.language import require
from tisch.ports.refusal import Code, Refusal, echo
from tisch.ports.speech import speech_of
from tisch.ports.tour import LEVEL, tour_of
from tisch.record import changed_options, options_of
from tisch.table import messages, told
from tisch.table.changes import Everything, Later, News, Notices, Parted, Reply, Warned
from tisch.table.deeds import Deeds
from tisch.table.hints import Advice
from tisch.table.messages import (
    PHRASES,
    PORTRAITS,
    TURN_LIMITS,
    Chat,
    Hint,
    Message,
    PassOnHost,
    RemovePlayer,
    Report,
    Response,
    Say,
    SetAccess,
    SetOptions,
    SetPortrait,
    StartGame,
    SwapPlayers,
    payload,
)
from tisch.table.seating import Presence
from tisch.table.shown import TableScreen, table_options

#: The largest number that an option may have; no game needs a larger one, and every client can represent it.
LARGEST_OPTION: Final = 1_000_000
#: What nobody may do in a challenge, in which all are to have the same.
NOT_IN_A_CHALLENGE: Final = ("hint", "undo", "set_options", "set_access")
#: Why not.
FAIR: Final = "A challenge is the same for all who play it."


def handle(table: Deeds, peer: Hashable, message: Message) -> None:
    """Handle a message.

    :param table: The table.
    :param peer: The client.
    :param message: Its message.
    :raises Refusal: It cannot be done.
    """
    if table.challenge and message.type in NOT_IN_A_CHALLENGE:
        raise Refusal(Code.INVALID_ACTION, reason=FAIR, action=message.type)
    VERBS.get(message.type, _speak)(table, peer, message)


# --- in the game ------------------------------------------------------------------------------------------------------


def _respond(table: Deeds, peer: Hashable, message: Message) -> None:
    """Answer a request."""
    response: Response = payload(message, Response)
    seat = _decider(table, peer, response.action)
    if table.playing is None:
        raise Refusal(Code.INVALID_RESPONSE, action=response.action)
    moves = table.playing.answer(seat, response)
    table.act(seat, moves, response.action, answers=True)


def _speak(table: Deeds, peer: Hashable, message: Message) -> None:
    """Act without being asked: make a move by its text, or in another way that the game has."""
    if message.type not in speech_of(table.game).messages:
        reason = "There is no message of this type."
        raise Refusal(Code.INVALID_MESSAGE, message=echo(message.type), reason=reason)
    seat = _decider(table, peer, message.type)
    playing = table.playing
    if playing is None or not table.is_running:
        raise Refusal(Code.INVALID_ACTION, reason="No game is going on.", action=message.type)
    moves = playing.speech.speak(playing.state, seat, message.type, message.payload)
    if seat == playing.unasked and list(moves) == list(playing.safest(seat)):
        # It is made after the pause, which is there for everybody.
        raise Refusal(Code.NOT_YOUR_TURN, action=message.type)
    table.act(seat, moves, message.type)


def _decider(table: Deeds, peer: Hashable, action: str) -> int:
    """Find the seat for which a client decides, and note that its player is active."""
    seat = table.seating.seat_of(peer)
    if seat is None:
        raise Refusal(Code.UNAUTHORIZED, action=action)
    table.come_back(seat)
    return seat


def _return(table: Deeds, peer: Hashable, message: Message) -> None:
    """Take over again after the agent played on."""
    _decider(table, peer, message.type)


def _undo(table: Deeds, peer: Hashable, message: Message) -> None:
    """Undo the last moves, alone with agents."""
    table.undo(_decider(table, peer, message.type))


def _hint(table: Deeds, peer: Hashable, message: Message) -> None:
    """Ask for the strongest agent's advice."""
    wish: Hint = payload(message, Hint)
    try:
        require(wish.language)
    except ValueError as error:
        raise Refusal(Code.INVALID_ACTION, reason=echo(str(error)), action=message.type) from None
    seat = _decider(table, peer, message.type)
    playing = table.playing
    if playing is None or seat not in playing.state.awaiting():
        raise Refusal(Code.NOT_YOUR_TURN, action=message.type)
    address = table.seating.player(seat).address
    if known := table.hints.ask(playing, seat, wish.language, peer, address=address, now=table.clock.now):
        tell_hint(table, peer, *known)
    table.agents.hinted(playing.id)


def tell_hint(table: Deeds, peer: Hashable, advice: Advice | None) -> None:
    """Tell a player an agent's advice.

    :param table: The table.
    :param peer: The player.
    :param advice: The advice; ``None`` if the agent failed.
    """
    if advice is None:
        table.tell(peer, Warned(Refusal(Code.SERVER_BUSY)))
    else:
        table.tell(peer, Reply(told.Hint(advice.move, advice.reason)))


def make(table: Deeds, peer: Hashable, texts: Sequence[str]) -> None:
    """Make moves for a program, all or none.

    :param table: The table.
    :param peer: The program.
    :param texts: The moves' texts.
    :raises Refusal: One is not legal.
    """
    seat = _decider(table, peer, "move")
    playing = table.playing
    if playing is None or not table.is_running:
        raise Refusal(Code.INVALID_ACTION, reason="No game is going on.", action="move")
    table.act(seat, [playing.speech.move(text) for text in texts])


def begin(table: Deeds, peer: Hashable) -> None:
    """Begin a game because a program's protocol demands it; the program need not be the host.

    :param table: The table.
    :param peer: The program.
    :raises Refusal: It has no seat, or a game is going on.
    """
    _decider(table, peer, "start_game")
    if table.is_running:
        raise Refusal(Code.GAME_ALREADY_STARTED, table_name=table.name)
    _start(table, peer)


# --- in the lobby -----------------------------------------------------------------------------------------------------


def _start_game(table: Deeds, peer: Hashable, message: Message) -> None:
    """Begin a game; after one, nobody has to wait for the host."""
    wish: StartGame = payload(message, StartGame)
    is_rematch = table.last_game is not None
    # Two people may want another game at once: the one whom the other has forestalled gets what they want, too.
    is_forestalled = is_rematch and table.has_just_begun and wish.seed is None and not wish.tour
    seat = _player(table, peer, message.type, host_only=not is_rematch, in_game=is_forestalled)
    if table.challenge and (wish.tour or wish.seed is not None):
        raise Refusal(Code.INVALID_ACTION, reason=FAIR, action=message.type)
    if wish.tour:
        _start_tour(table, peer, seat)
    elif not is_forestalled:
        _start(table, peer, None if wish.seed is None else _seed(table, wish.seed))


def _start(table: Deeds, peer: Hashable, seed: int | None = None) -> None:
    _check_service(table)
    table.start(peer, seed)


def _check_service(table: Deeds) -> None:
    if table.shared.maintenance():
        raise Refusal(Code.MAINTENANCE_MODE)


def _start_tour(table: Deeds, peer: Hashable, seat: int) -> None:
    """Begin the game from which one learns, with its own options; everybody may know its hands.

    :raises Refusal: There is no such game, or others sit here.
    """
    tour = tour_of(table.game)
    if tour is None or not table.seating.is_alone(seat):
        reason = "Only who is alone with agents may play the tour, in a game that has one."
        raise Refusal(Code.INVALID_ACTION, reason=reason, action="start_game")
    _check_service(table)
    table.set_options(options_of(table.game, tour.options))
    table.configure(level_of(table.game, LEVEL), 0)
    table.note(table_options(table))
    table.save()
    table.start(peer, tour.seed)


def _seed(table: Deeds, text: str) -> int:
    """Decode the seed that a player chose; where others play, or might join, a known seed would show their hands.

    :raises Refusal: It is not a seed, or the game has several seats.
    """
    reason = ""
    if len(table.seating.seats) > 1:
        reason = "Only in a game for one may the player choose the seed."
    elif not (text.isascii() and text.isdecimal() and len(text) <= 20 and int(text) < 1 << 64):
        reason = f"The seed must be a number from 0 to 2^64 - 1, not '{echo(text)}'."
    if reason:
        raise Refusal(Code.INVALID_ACTION, reason=reason, action="start_game")
    return int(text)


def _swap_players(table: Deeds, peer: Hashable, message: Message) -> None:
    """Let two players change seats."""
    wish: SwapPlayers = payload(message, SwapPlayers)
    host = _player(table, peer, message.type)
    one, other = wish.player_index_1, wish.player_index_2
    seats = range(len(table.seating.seats))
    if one not in seats or other not in seats or one == other or host in (one, other):
        reason = f"Seats {one} and {other} cannot be swapped; the host keeps their seat."
        raise Refusal(Code.INVALID_ACTION, reason=reason, action=message.type)
    table.swap(one, other)


def _set_options(table: Deeds, peer: Hashable, message: Message) -> None:
    """Change how this table plays."""
    wish: SetOptions = payload(message, SetOptions)
    _player(table, peer, message.type)
    try:
        _check_options(table, wish)
        table.stage.check(wish.watch_delay, wish.open_hands)
        if wish.options is not None:
            table.set_options(_game_options(table, wish.options))
    except ValueError as error:
        raise Refusal(Code.INVALID_ACTION, reason=echo(str(error)), action=message.type) from None
    table.configure(wish.agent, wish.turn_limit, free_chat=wish.free_chat)
    table.set_stage(wish.watch_delay, wish.open_hands)
    table.note(table_options(table))
    table.save()


def _check_options(table: Deeds, wish: SetOptions) -> None:
    """Check the agent and the time limit."""
    if wish.agent is not None:
        require_choice(table.game, wish.agent)
    if wish.turn_limit is not None and wish.turn_limit not in TURN_LIMITS:
        raise ValueError(f"The limit for a decision must be one of {', '.join(map(str, TURN_LIMITS))} seconds.")


def _game_options(table: Deeds, wanted: Mapping[str, Any]) -> Any:
    """Decode the game's options, and refuse numbers that are too large."""
    options = options_of(table.game, wanted)
    for name, value in changed_options(options).items():
        if isinstance(value, int | float) and abs(value) > LARGEST_OPTION:
            raise ValueError(f"The option '{name}' must be at most {LARGEST_OPTION}.")
    return options


def _remove_player(table: Deeds, peer: Hashable, message: Message) -> None:
    """Remove a player, in a game, too."""
    wish: RemovePlayer = payload(message, RemovePlayer)
    host = _player(table, peer, message.type, in_game=True)
    seat = wish.player_index
    if seat not in range(len(table.seating.seats)) or seat == host or not table.seating.seats[seat].player:
        reason = f"There is nobody on seat {seat} whom the host could remove."
        raise Refusal(Code.INVALID_ACTION, reason=reason, action=message.type)
    table.remove(seat)


def _pass_on_host(table: Deeds, peer: Hashable, message: Message) -> None:
    """Let another player be the host, in a game, too."""
    wish: PassOnHost = payload(message, PassOnHost)
    host = _player(table, peer, message.type, in_game=True)
    seat = wish.player_index
    player = table.seating.seats[seat].player if seat in range(len(table.seating.seats)) else None
    if seat == host or player is None or player.presence is not Presence.HERE:
        reason = f"There is nobody on seat {seat} who could be the host."
        raise Refusal(Code.INVALID_ACTION, reason=reason, action=message.type)
    table.make_host(seat)


def _set_access(table: Deeds, peer: Hashable, message: Message) -> None:
    """Close the table to strangers, in a game, too; or open it, between two games."""
    wish: SetAccess = payload(message, SetAccess)
    _player(table, peer, message.type, in_game=wish.is_private)
    table.set_private(is_private=wish.is_private)


def _player(table: Deeds, peer: Hashable, action: str, *, host_only: bool = True, in_game: bool = False) -> int:
    """Check that a client is the host, or at least plays, and that no game is going on unless that does not matter."""
    seat = table.seating.seat_of(peer)
    if seat is None:
        raise Refusal(Code.UNAUTHORIZED, action=action)
    if host_only and seat != table.seating.host:
        raise Refusal(Code.NOT_LOBBY_HOST, action=action)
    if table.is_running and not in_game:
        raise Refusal(Code.GAME_ALREADY_STARTED, table_name=table.name)
    return seat


# --- at any time ------------------------------------------------------------------------------------------------------


def _leave(table: Deeds, peer: Hashable, _: Message) -> None:
    """Leave for good."""
    leave(table, peer)


def leave(table: Deeds, peer: Hashable) -> None:
    """Remove a player or spectator for good, and end the connection.

    :param table: The table.
    :param peer: The peer.
    """
    table.stand(peer)
    table.tell(peer, Parted(1000))


def _resync(table: Deeds, peer: Hashable, _: Message) -> None:
    """Send everything again."""
    screen = TableScreen(table).seat(table.seating.seat_of(peer))
    # A client that wants views gets one, too.
    for telling in (Everything(screen), News(screen, Notices(), is_asked=False)):
        is_later = screen.seat is None and table.stage.holds
        table.tell(peer, Later(telling, table.stage.delay) if is_later else telling)


def _chat(table: Deeds, peer: Hashable, message: Message) -> None:
    """Say one of the preset phrases."""
    said: Chat = payload(message, Chat)
    seat = table.seating.seat_of(peer)
    if seat is None:
        raise Refusal(Code.UNAUTHORIZED, action=message.type)
    if said.phrase not in PHRASES:
        raise Refusal(Code.INVALID_ACTION, reason="There is no such phrase.", action=message.type)
    table.note(told.Chat(seat, said.phrase))


def _say(table: Deeds, peer: Hashable, message: Message) -> None:
    """Say words of one's own."""
    wish: Say = payload(message, Say)
    seat = table.seating.seat_of(peer)
    if seat is None:
        raise Refusal(Code.UNAUTHORIZED, action=message.type)
    if not table.talk.is_free:
        raise Refusal(Code.INVALID_ACTION, reason="Only the phrases are said at this table.", action=message.type)
    player = table.seating.player(seat)
    said = table.talk.say(player.name, player.address, wish.text, table.clock.now)
    table.note(told.Said(seat, said.name, said.text, said.number))


def _report(table: Deeds, peer: Hashable, message: Message) -> None:
    """Report words to the operator of the server."""
    wish: Report = payload(message, Report)
    seat = table.seating.seat_of(peer)
    if seat is None:
        raise Refusal(Code.UNAUTHORIZED, action=message.type)
    player, shared = table.seating.player(seat), table.shared
    said, texts = table.talk.report(wish.number, player.address, table.clock.now)
    shared.reports.add(table.id, table.name, said, texts, by=player.name, when=shared.date())
    table.tell(peer, Reply(told.Reported(said.number)))


def _set_portrait(table: Deeds, peer: Hashable, message: Message) -> None:
    """Choose one's own picture."""
    chosen: SetPortrait = payload(message, SetPortrait)
    seat = table.seating.seat_of(peer)
    if seat is None:
        raise Refusal(Code.UNAUTHORIZED, action=message.type)
    if chosen.portrait not in ("", *PORTRAITS):
        raise Refusal(Code.INVALID_ACTION, reason="There is no such portrait.", action=message.type)
    table.seating.player(seat).portrait = chosen.portrait
    table.note(told.PortraitChanged(seat, chosen.portrait))


def _ping(table: Deeds, peer: Hashable, _: Message) -> None:
    """Answer a ping."""
    table.tell(peer, Reply(told.Pong()))


_VERBS: Final[Mapping[type[Struct], Callable[[Deeds, Hashable, Message], None]]] = {
    messages.Response: _respond,
    messages.Leave: _leave,
    messages.StartGame: _start_game,
    messages.SwapPlayers: _swap_players,
    messages.SetOptions: _set_options,
    messages.SetAccess: _set_access,
    messages.RemovePlayer: _remove_player,
    messages.PassOnHost: _pass_on_host,
    messages.Resync: _resync,
    messages.Hint: _hint,
    messages.Undo: _undo,
    messages.Return: _return,
    messages.Chat: _chat,
    messages.Say: _say,
    messages.Report: _report,
    messages.SetPortrait: _set_portrait,
    messages.Ping: _ping,
}
#: What each message of a client does.
VERBS: Final = {name: _VERBS[kind] for name, kind in messages.MESSAGES.items()}
