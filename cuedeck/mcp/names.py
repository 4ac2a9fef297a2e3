"""The names by which clients of the HTTP server may call it: a page of a browser must not reach it by another."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^][:/?#@\\\s]+)(?::[0-9]{1,5})?")
_ORIGIN = re.compile(r"https?://(.*)", re.IGNORECASE | re.DOTALL)
_TEXT = [(b"content-type", b"text/plain")]


class Names:
    """Lets requests through to an application that name it rightly, in `Host` and, where there is one, in `Origin`."""

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        """`names` are hosts; one without a port stands for all ports."""
        self._app = app
        self._names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        if refusal:
            status, said = refusal
            await send({"type": "http.response.start", "status": status, "headers": _TEXT})
            await send({"type": "http.response.body", "body": said})
            return
        await self._app(scope, receive, send)

    def has(self, host: str) -> bool:
        """Tell whether a `Host` is one of the names; case does not matter."""
        found = _HOST.fullmatch(host.lower())
        return found is not None and not self._names.isdisjoint((found[0], found[1]))

    def has_origin(self, origin: str) -> bool:
        """Tell whether an `Origin` is a page of one of the names."""
        found = _ORIGIN.fullmatch(origin)
        return found is not None and self.has(found[1])

    def _refusal(self, scope: Scope) -> tuple[int, bytes] | None:
        hosts = _headers(scope, b"host")
        if len(hosts) != 1 or not self.has(hosts[0]):
            return 421, b"Invalid Host header"
        return None if all(map(self.has_origin, _headers(scope, b"origin"))) else (403, b"Invalid Origin header")


def _headers(scope: Scope, wanted: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope["headers"] if name == wanted]
