"""A server with a password: who knows it is a member, and whom a table invites is a guest of that table.

Members see everything. Guests get the page, may come to the tables that invite them and come back to their seats, and
see the games that they know the ids of; their lists are empty, and they open no tables. All others get a page that asks
for the password, and programs error 401.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler

from tisch.language import LANGUAGES, SHARED
from tisch.quotas import Rates
from tisch.server.admin import acts
from tisch.server.http import operator
from tisch.server.http.pages import FindTable, origin_of
from tisch.table.sessions import Sessions

#: The page that asks for the password.
DOOR: Final = "/door"
#: The cookie of those that have been let in, and how long it is kept, in seconds.
COOKIE: Final = "tisch_door"
KEPT: Final = 180 * 86400
#: How often an address may try in the period of a rate.
TRIES: Final = 5
#: What is open to everybody: whether the server lives, and what the operator does, who has a secret of their own.
OPEN: Final = frozenset({"/healthz", "/readyz", "/metrics", DOOR, acts.ADDRESS, operator.PAGE})
#: What guests may read besides: the names of games, games whose ids they know, and their own.
FOR_GUESTS: Final = ("/api/setup", "/api/games/", "/replay/", "/api/me", "/mine")
#: What there is nothing of for guests: lists, and tables that did not invite them.
NOTHING: Final[Mapping[str, Any]] = {
    "/api/tables": {"tables": []},
    "/api/games": {"games": []},
    "/api/invitation": {"table": None},
}
#: The pages that a link to a table may lead to.
PAGES: Final = ("/", "/index.html")

_STYLE: Final = """\
body { font: 1.125rem/1.5 system-ui, sans-serif; background: #14513a; color: #fff; margin: 0; min-height: 100vh;
    display: grid; place-items: center; }
main { max-width: 22rem; padding: 1.5rem; }
h1 { font-size: 1.5rem; }
label { display: block; }
input, button { font: inherit; width: 100%; box-sizing: border-box; min-height: 3rem; margin-top: .5rem;
    padding: 0 .75rem; border-radius: .5rem; border: 2px solid #fff; }
button { background: #f2c94c; border-color: #f2c94c; color: #1b1b1b; font-weight: 600; margin-top: 1rem; }
:focus-visible { outline: 3px solid #fff; outline-offset: 3px; }
[role=alert] { background: #fff; color: #8c1d18; padding: .5rem .75rem; border-radius: .5rem; }
"""
#: The page has this style sheet in itself, so that it needs no other file.
_POLICY: Final = (
    "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; style-src 'sha256-"
    f"{base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()}'"
)

_ASKS: Final = """\
<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>tisch</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{about}</p>
{error}<form method="post" action="{door}">
<input type="hidden" name="next" value="{then}">
<input type="text" name="username" value="tisch" autocomplete="username" hidden>
<label for="password">{label}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
<button>{enter}</button>
</form>
</main>
</body>
</html>
"""


class Who(IntEnum):
    """What somebody is to a server with a password."""

    NOBODY = 0
    GUEST = 1
    MEMBER = 2


@dataclass(slots=True)
class _Keys:
    """What cookies hold: it follows from the password alone, so it holds after a restart, and no longer after a change.

    :ivar member: That of members.
    :ivar guest: That of guests.
    """

    member: str
    guest: str


class Password:
    """The password of a server.

    :param password: The password.
    :param find: Finds the table to which a link leads, by its name and invitation.
    :param sessions: Returns the sessions of the server.
    :param address: Returns the address of a client.
    :param clock: Returns the time.
    """

    def __init__(
        self,
        password: str,
        find: FindTable,
        sessions: Callable[[], Sessions],
        address: Callable[[web.Request], str],
        clock: Callable[[], float],
    ) -> None:
        self._password = password
        self._find = find
        self._sessions = sessions
        self._address = address
        self._clock = clock
        # Slow on purpose: whoever finds a cookie must not find the password by trying.
        key = hashlib.scrypt(password.encode(), salt=b"tisch", n=1 << 14, r=8, p=1)
        self._keys = _Keys(*(hmac.digest(key, who, "sha256").hex() for who in (b"member", b"guest")))
        self._tries = Rates(TRIES)

    def add_routes(self, app: web.Application) -> None:
        """Add the page that asks for the password.

        :param app: The application.
        """
        app.router.add_get(DOOR, self._show)
        app.router.add_post(DOOR, self._try)

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let in who may come in.

        :param request: A request for anything but a file of the page.
        :param handler: What answers it.
        :result: Its answer, the page that asks for the password, or error 401.
        """
        path = request.path
        if path in OPEN or path == "/ws":
            # A WebSocket is refused by a message, which people can read.
            return await handler(request)
        who = self._who(request)
        if who is Who.MEMBER:
            return await handler(request)
        if path in PAGES and (who is Who.GUEST or self._is_invited(request.query)):
            response = await handler(request)
            self._give(request, response, self._keys.guest)
            return response
        of_a_link = path == "/api/invitation" or path.startswith("/api/tables/")
        if of_a_link and self._is_invited(request.query, request.match_info.get("name", "")):
            return await handler(request)
        if who is Who.GUEST and path.startswith(FOR_GUESTS):
            return await handler(request)
        if who is Who.GUEST and path in NOTHING:
            return web.json_response(NOTHING[path], headers={"Cache-Control": "no-store"})
        if request.method == "GET" and "text/html" in request.headers.get("Accept", ""):
            return self._page(request, request.path_qs)
        # No browser knows this scheme, so none asks in its own words.
        raise web.HTTPUnauthorized(text="This server has a password.", headers={"WWW-Authenticate": "Tisch"})

    def admits(self, request: web.Request) -> bool:
        """Return whether a client may come to the table that it names, or back to its seat.

        :param request: The request for the WebSocket.
        :result: Whether it may.
        """
        query = request.query
        if self._who(request) is Who.MEMBER:
            return True
        session = query.get("session_id", "")
        # With a table's name, it asks for a new seat.
        is_back = bool(session) and "table_name" not in query and self._sessions().knows(session)
        return is_back or self._is_invited(query)

    def _is_invited(self, query: Mapping[str, str], name: str = "") -> bool:
        invitation = query.get("invitation", "")
        name = " ".join((name or query.get("table_name", "")).split())
        return bool(invitation) and self._find(name, invitation) is not None

    def _who(self, request: web.Request) -> Who:
        """Find out who somebody is, by the cookie or, as programs do, by the password itself."""
        given = request.cookies.get(COOKIE, "")
        for who, key in ((Who.MEMBER, self._keys.member), (Who.GUEST, self._keys.guest)):
            if _is_same(given, key):
                return who
        password = _password_of(request.headers.get("Authorization", ""))
        return Who.MEMBER if password and self._knows(request, password) else Who.NOBODY

    def _knows(self, request: web.Request, password: str) -> bool:
        """Try a password.

        :raises HTTPTooManyRequests: The address has tried too often.
        """
        address, now = self._address(request), self._clock()
        right = _is_same(password, self._password)
        # Programs of members send the password each time; only wrong ones count, but nobody learns more meanwhile.
        if self._tries.is_full(address, now) or (not right and not self._tries.allows(address, now)):
            raise web.HTTPTooManyRequests(text="Too many passwords were tried: wait a moment.")
        return right

    # --- the page -----------------------------------------------------------------------------------------------------

    async def _show(self, request: web.Request) -> web.Response:
        return self._page(request, "/")

    async def _try(self, request: web.Request) -> web.Response:
        """Let somebody in who knows the password."""
        # Whatever somebody sends is a form, maybe an empty one; files and other characters are nothing to us.
        form = parse_qs((await request.read()).decode(errors="replace"), keep_blank_values=True)
        given, then = (form.get(name, [""])[0] for name in ("password", "next"))
        try:
            knows = self._knows(request, given)
        except web.HTTPTooManyRequests:
            return self._page(request, then, "often", 429)
        if not knows:
            return self._page(request, then, "wrong", 403)
        response = web.Response(status=303, headers={"Location": _local(then), "Cache-Control": "no-store"})
        self._give(request, response, self._keys.member)
        return response

    def _page(self, request: web.Request, then: str, error: str = "", status: int = 401) -> web.Response:
        """Ask for the password, in the language of the browser."""
        language = _language_of(request.headers.get("Accept-Language", ""))
        words: Mapping[str, Any] = SHARED.section("door")[language]
        told = f'<p role="alert">{html.escape(words[error])}</p>\n' if error else ""
        shown = {name: html.escape(words[name]) for name in ("title", "about", "label", "enter")}
        text = _ASKS.format(
            language=language, door=DOOR, then=html.escape(_local(then)), error=told, style=_STYLE, **shown
        )
        headers = {"Cache-Control": "no-store", "Content-Security-Policy": _POLICY} | (
            {"WWW-Authenticate": "Tisch"} if status == 401 else {}
        )
        return web.Response(text=text, content_type="text/html", status=status, headers=headers)

    def _give(self, request: web.Request, response: web.StreamResponse, key: str) -> None:
        secure = origin_of(request).startswith("https:")
        response.set_cookie(COOKIE, key, max_age=KEPT, httponly=True, samesite="Lax", secure=secure)


def _is_same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(errors="replace"), wanted.encode())


def _password_of(authorization: str) -> str:
    """Return the password of a program, which names any user."""
    scheme, _, given = authorization.partition(" ")
    if scheme.lower() != "basic":
        return ""
    try:
        return base64.b64decode(given, validate=True).decode().partition(":")[2]
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _local(address: str) -> str:
    """Return an address on this server, whatever a form says."""
    parts = urlsplit(address.replace("\\", "/"))
    is_ours = address.startswith("/") and not address.startswith("//") and not parts.netloc and address.isprintable()
    return address if is_ours and parts.path != DOOR else "/"


def _language_of(accepted: str) -> str:
    """Return the first of a browser's languages that there is."""
    wanted = (part.partition(";")[0].strip().partition("-")[0].lower() for part in accepted.split(","))
    return next((language for language in wanted if language in LANGUAGES), "en")
