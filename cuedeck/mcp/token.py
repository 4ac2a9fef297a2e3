"""The token that clients of the HTTP server show."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cuedeck.app.serving.token import SHORTEST
from cuedeck.model.errors import ConfigurationError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

VARIABLE = "CUEDECK_MCP_TOKEN"
_REFUSAL = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Unauthorized"}}'
_REFUSING = [(b"content-type", b"application/json"), (b"www-authenticate", b"Bearer")]


def given_token(environ: Mapping[str, str]) -> str:
    """Return the token that the environment gives, or empty. Raises: ConfigurationError for one too short to guard."""
    token = environ.get(VARIABLE, "").strip()
    if token and (len(token) < SHORTEST or not token.isascii() or not token.isprintable() or " " in token):
        message = f"{VARIABLE} is no token"
        raise ConfigurationError(message, hint=f"give at least {SHORTEST} printable ASCII characters without blanks")
    return token


class Guard:
    """Lets requests through to an application that show the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and not self._is_shown(scope):
            await send({"type": "http.response.start", "status": 401, "headers": _REFUSING})
            await send({"type": "http.response.body", "body": _REFUSAL})
            return
        await self._app(scope, receive, send)

    def _is_shown(self, scope: Scope) -> bool:
        shown = [value for name, value in scope["headers"] if name == b"authorization"]
        return len(shown) == 1 and hmac.compare_digest(shown[0], self._wanted)
