"""Access to the page: only a browser that was opened with the one-time address, and
only from the page itself.

Other servers on this machine have the same site as this one, so every write also needs
a header that only a script of this page sends.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Iterator
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, Response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
