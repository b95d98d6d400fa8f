"""Checks of the address that friends open: whether TLS, the proxy and the WebSocket do what they should."""

from __future__ import annotations

import asyncio
import os
import ssl
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Final

import aiohttp
from yarl import URL

from tisch.ports.refusal import Code
from tisch.server.config import LOCAL
from tisch.server.doctor.findings import Finding, State, bad, good, warning

#: How long an answer may take, in seconds.
PATIENCE: Final = aiohttp.ClientTimeout(total=15)
#: With fewer days left, a certificate should have been renewed already.
RENEWED: Final = 14


def parsed(text: str) -> URL:
    """Read the address of the page.

    :param text: The address, as friends open it.
    :result: The address.
    :raises ValueError: It is none.
    """
    try:
        url = URL(text)
    except ValueError as error:
        raise ValueError(f"'{text}' is no address: {error}") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError(f"'{text}' is no address of a page, such as https://tisch.example.org.")
    return url.origin()


async def visit(url: URL, password: str = "") -> list[Finding]:
    """Do what a friend's browser does first.

    :param url: The address.
    :param password: (Optional) The server's password.
    :result: The findings; no further check is made where one of them fails all others.
    """
    # A proxy may treat what follows over the same connection otherwise, and browsers open one for a WebSocket, too.
    connector = aiohttp.TCPConnector(force_close=True)
    headers = {"Authorization": aiohttp.encode_basic_auth("doctor", password)} if password else {}
    async with aiohttp.ClientSession(timeout=PATIENCE, connector=connector, headers=headers) as session:
        try:
            page = await _page(session, url)
            if page.state is State.BAD:
                return [page]
            return [page, await _socket(session, url), await _metrics(session, url)]
        except aiohttp.ClientConnectorCertificateError as error:
            reason = error.certificate_error
            told = reason.verify_message if isinstance(reason, ssl.SSLCertVerificationError) else str(reason)
            cure = "Caddy obtains certificates by itself; with nginx, certbot does. Check the name in the certificate."
            return [bad(f"Browsers do not accept the certificate of {url}: {told}.", cure)]
        except (aiohttp.ClientError, TimeoutError) as error:
            cure = "Check the name, the router's forwarding and the firewall, and that proxy and server run."
            return [bad(f"{url} cannot be reached: {_reason(error)}.", cure)]


async def _page(session: aiohttp.ClientSession, url: URL) -> Finding:
    """Ask who answers, and look at the certificate."""
    async with session.get(url / "readyz") as answer:
        status = answer.status
        is_tisch = b'"ready"' in await answer.read()
    if status == HTTPStatus.SERVICE_UNAVAILABLE and is_tisch:
        return bad(f"The server behind {url} answers that nobody can join.", "Its log says why.")
    if not is_tisch:
        cure = "Check to which port the proxy forwards, and that the server runs."
        return bad(f"What answers at {url} is not tisch (status {status}).", cure)
    return await _tls(url)


async def _tls(url: URL) -> Finding:
    """Look at the certificate, which has just been accepted."""
    if url.scheme == "http":
        if url.host in LOCAL:
            return good(f"{url} answers; browsers trust this machine without TLS.")
        cure = "Put Caddy or nginx in front (docs/operating.md), and give friends the address with https."
        return warning(f"{url} answers without TLS: sharing, sleep lock and installing the page do not work.", cure)
    # A connection of its own, since that of a request is given back before its certificate can be asked for.
    _, writer = await asyncio.open_connection(url.host, url.port, ssl=True)
    certificate = writer.get_extra_info("peercert")
    writer.close()
    until = datetime.fromtimestamp(ssl.cert_time_to_seconds(certificate["notAfter"]), UTC)
    return of_certificate(url, until, datetime.now(UTC))


def of_certificate(url: URL, until: datetime, now: datetime) -> Finding:
    """Judge how long a certificate is valid.

    :param url: The address.
    :param until: When it ends.
    :param now: The time.
    :result: The finding.
    """
    left = (until - now).days
    if left < RENEWED:
        cure = "Check what renews it: the log of Caddy, or systemctl status certbot.timer."
        return warning(f"The certificate of {url} ends in {left} days.", cure)
    return good(f"{url} answers, and its certificate is valid for {left} days.")


async def _socket(session: aiohttp.ClientSession, url: URL) -> Finding:
    """Open a WebSocket as the page does."""
    try:
        async with session.ws_connect(url / "ws", origin=str(url)) as socket:
            told = await socket.receive_json()
    except (TypeError, ValueError):
        return bad(f"What answers at {url / 'ws'} is not tisch.", "Check to which port the proxy forwards.")
    except aiohttp.WSServerHandshakeError as error:
        if error.status == HTTPStatus.FORBIDDEN:
            cure = "Let the proxy pass on Host as it came (proxy_set_header Host $http_host;), or set --origins."
            return bad(f"The server does not know {url} as its own address, so no browser can play.", cure)
        cure = "Let the proxy pass on Upgrade and Connection; docs/operating.md has the lines for nginx."
        return bad(f"The proxy does not pass on the WebSocket (status {error.status}), so nobody can play.", cure)
    if told["payload"].get("code") == Code.PASSWORD_NEEDED:
        cure = "Restart the server, or run this with the server's own settings (--password, TISCH_PASSWORD or .env)."
        return warning(f"The server behind {url} has another password than these settings.", cure)
    return good("The WebSocket of the page opens.")


async def _metrics(session: aiohttp.ClientSession, url: URL) -> Finding:
    """Check that the metrics are not for everybody."""
    async with session.get(url / "metrics") as answer:
        open_ = answer.status == HTTPStatus.OK
    if open_ and url.host not in LOCAL:
        cure = "Block /metrics in the proxy (docs/operating.md), or give them a port of their own (--metrics)."
        return warning(f"Everybody can read {url / 'metrics'}.", cure)
    return good("The metrics are for you alone." if not open_ else "The metrics are read on this machine.")


def _reason(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return "there was no answer in 15 seconds"
    if isinstance(error, aiohttp.ClientConnectorError) and error.os_error.errno:
        # For connections, asyncio has messages of its own; names that are not found have negative numbers.
        number = error.os_error.errno
        return os.strerror(number) if number > 0 else str(error.os_error.strerror)
    return str(error).removesuffix(".")
