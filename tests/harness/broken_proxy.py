"""A proxy whose server is gone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar


class _Broken(BaseHTTPRequestHandler):
    """What a proxy answers while the server behind it is gone.

    :cvar page: The last that the server has said, if anything: the page.
    """

    page: ClassVar[bytes] = b""

    def do_GET(self) -> None:
        is_page = self.path == "/" and self.page != b""
        self.send_response(200 if is_page else 502)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.page if is_page else b"<h1>502 Bad Gateway</h1>")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def broken_proxy(port: int, page: bytes = b"") -> Iterator[None]:
    """Answer 502 to everything.

    :param port: Where.
    :param page: (Optional) The page that is answered nevertheless.
    """
    handler = type("_Broken", (_Broken,), {"page": page})
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as proxy:
        thread = threading.Thread(target=proxy.serve_forever)
        thread.start()
        try:
            yield
        finally:
            proxy.shutdown()
            thread.join()
