"""The server of the page: listens on loopback, opens the browser, and ends cleanly."""

from __future__ import annotations

import asyncio
import hmac
import os
import secrets
import signal
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import uvicorn
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, Response

from cuedeck.engine.live.server_setup import log_to_stderr
from cuedeck.shells.local_server import AccessCheck, Place, Server, listen
from cuedeck.shells.web.app import Site

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


_HOST = "127.0.0.1"
_GRACE_SECONDS = 1


def serve_page(
    start: str,
    environ: Mapping[str, str],
    port: int,
    announce: Callable[[str], None],
    *,
    read_only: bool,
    opens: bool,
) -> int:
    """Serve the page of the workspace at or above `start` until it is asked to end;
    `announce` receives each one-time address. Return the exit code.

    Raises: NetworkError if the port is in use.
    """
    log_to_stderr()
    site = Site(start, environ, read_only=read_only)
    return asyncio.run(_serve(site, port, announce, opens=opens))


async def _serve(
    site: Site, port: int, announce: Callable[[str], None], *, opens: bool
) -> int:
    with listen(Place(_HOST, port)) as listening:
        port = listening.getsockname()[1]
        door = OneTimeAddress(site.application(), port)
        names = (f"{_HOST}:{port}", f"localhost:{port}")
        site.key = lambda: door.key

        def show() -> str:
            address = f"http://{_HOST}:{port}/?token={door.token}"
            announce(address)
            return address

        door.on_use = show
        config = uvicorn.Config(
            AccessCheck(door, names),
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        server = Server(config)
        server.before_end = site.close
        site.open()
        address = show()
        if opens:
            webbrowser.open(address)
        await server.serve(sockets=[listening])
    code = 130 if server.ended_by == signal.SIGINT else 0
    if not site.close():
        os._exit(code)
    return code


HEADER = "x-cuedeck"
"""Header of every write; its value is on each page."""
_SAFE = ("GET", "HEAD")
_OPEN = ("/static/",)
"""Files that contain nothing of the workspace."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
    " connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_ENTER = (
    '<!doctype html><title>CueDeck</title><meta http-equiv="refresh" content="0;url=/">'
    '<link rel="icon" href="/static/icon.svg">'
    '<a href="/">CueDeck</a>'
)
_USED = (
    "<!doctype html><title>CueDeck</title><p>This address cannot be used (again). "
    "The terminal with <code>cuedeck web</code> shows a new one."
)


class OneTimeAddress:
    """ASGI middleware that exchanges a token in the first address for a cookie, and
    refuses requests without the cookie, from other pages, and forged writes.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._cookie = f"cuedeck-{port}"
        self._session = secrets.token_urlsafe(32)
        self.key = secrets.token_urlsafe(32)
        """The value of `HEADER`."""
        self.token = secrets.token_urlsafe(32)
        """The token of the next browser; a new one after each use."""
        self.on_use: Callable[[], object] = lambda: None
        """Called after a token was used."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or pass on a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        answer = self._answer(scope)
        await (answer or self._app)(scope, receive, secured)

    def _answer(self, scope: Scope) -> Response | None:
        """Return the refusal of a request or the answer to the first one; None if it is
        allowed.
        """
        headers = Headers(scope=scope)
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token")
        if given and scope["method"] == "GET" and scope["path"] == "/":
            return self._first(given[0])
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return Response("the request comes from another page", 403)
        if scope["path"].startswith(_OPEN):
            return None
        if not any(_same(each, self._session) for each in self._cookies(headers)):
            return HTMLResponse(_USED, 403)
        is_forged = not _same(headers.get(HEADER, ""), self.key)
        if scope["method"] not in _SAFE and is_forged:
            return Response(f"a write needs the header {HEADER}", 403)
        return None

    def _first(self, given: str) -> Response:
        if not _same(given, self.token):
            return HTMLResponse(_USED, 403)
        self.token = secrets.token_urlsafe(32)
        self.on_use()
        # A redirect would count as a request of the page with the link.
        answer = HTMLResponse(_ENTER)
        answer.set_cookie(
            self._cookie, self._session, httponly=True, samesite="strict", path="/"
        )
        return answer

    def _cookies(self, headers: Headers) -> Iterator[str]:
        for value in headers.getlist("cookie"):
            try:
                found = SimpleCookie(value).get(self._cookie)
            except CookieError:
                continue
            if found is not None:
                yield found.value


def _same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())
