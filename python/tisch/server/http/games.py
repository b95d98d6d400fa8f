"""The facts of the offered games for clients: their options, agents, looks and words."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any, Final

import msgspec
from aiohttp import web

from tisch.agents import agents_of, players_of, strongest
from tisch.agents.analysis import judge_of
from tisch.game import Game
from tisch.language import LANGUAGES, SHARED, require
from tisch.ports.refusal import echo
from tisch.ports.tour import tour_of
from tisch.server.http.pages import Page, answer, page

#: The sections of a vocabulary that no client needs: its heading, which stands apart, and what only terminals, agents
#: and the server itself say.
KEPT: Final = frozenset(
    {"title", "summary", "terminal", "reasons", "errors", "start", "puzzles", "invitation", "door", "webhook"}
)


def facts(game: Game[Any]) -> dict[str, Any]:
    """Return the facts of a game for ``/api/setup``.

    :param game: The game.
    :result: The facts by name.
    """
    options = [_option(game, option.name) for option in dataclasses.fields(game.Options)]
    about = {"name": game.name, "title": game.title, "seats": game.seats(game.Options()), "options": options}
    vocabulary = game.vocabulary or SHARED
    about["titles"] = {language: game.title_in(language) for language in LANGUAGES}
    about["summaries"] = {language: vocabulary.folded(language).get("summary", "") for language in LANGUAGES}
    agents = {"agents": list(agents_of(game)), "strongest": strongest(game)}
    presets = {name: msgspec.to_builtins(game.Options(**options)) for name, options in game.presets.items()}
    about |= {"judged": _is_judged(game), "presets": presets, "has_tour": bool(game.tour)}
    return {**about, "levels": list(players_of(game)), **agents, "look": game.look}


def _is_judged(game: Game[Any]) -> bool:
    """Return whether an agent judges decisions of a game."""
    try:
        judge_of(game)
    except ValueError:
        return False
    return True


def _option(game: Game[Any], name: str) -> dict[str, Any]:
    """Describe an option; for a whole number, also whether the game accepts 0."""
    default = getattr(game.Options(), name)
    told = {"name": name, "type": type(default).__name__, "default": msgspec.to_builtins(default)}
    if type(default) is int:
        try:
            game.Options(**{name: 0})
        except ValueError:
            told["zero"] = False
        else:
            told["zero"] = True
    return told


def game_in_words(request: web.Request, game: Game[Any]) -> web.Response:
    """Answer a request for a game in the words of one language.

    :param request: The request; its query may name the ``language``, else it is English.
    :param game: The game.
    :result: The response.
    :raises aiohttp.web.HTTPBadRequest: The language is not spoken here.
    """
    return answer(request, _told(game, language_of(request)))


def language_of(request: web.Request) -> str:
    """Read the language that a request asks for.

    :param request: The request.
    :result: The language; English if none is named.
    :raises aiohttp.web.HTTPBadRequest: The language is not spoken here.
    """
    language = request.query.get("language", "en")
    try:
        require(language)
    except ValueError as error:
        raise web.HTTPBadRequest(text=echo(str(error))) from None
    return language


@cache
def _told(game: Game[Any], language: str) -> Page:
    vocabulary = game.vocabulary or SHARED
    words = vocabulary.folded(language)
    texts = {section: told for section, told in words.items() if section not in KEPT}
    heading = {"title": game.title_in(language), "summary": words.get("summary", "")}
    told = {**facts(game), **heading, "tour": _tour(game), "texts": texts}
    return page(f"{game.name}.json", msgspec.json.encode(told))


def _tour(game: Game[Any]) -> dict[str, Any] | None:
    """Describe the tour of a game; its seed as ``game_over`` tells it, since it may be too large for JSON."""
    tour = tour_of(game)
    return None if tour is None else {"seed": str(tour.seed), "tips": [dataclasses.asdict(tip) for tip in tour.tips]}
