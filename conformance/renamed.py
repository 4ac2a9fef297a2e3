"""A server with the tool names of the suite: `python -m conformance.renamed FOLDER`.

It is the application that `cuedeck mcp --http` serves; only names in requests are
exchanged before it sees them.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from typing import TYPE_CHECKING

import uvicorn

from conformance.scenarios import NAMES
from cuedeck.shells.local_server import Place
from cuedeck.shells.mcp.http_server import PATH, application
from cuedeck.shells.mcp.server import Service
from cuedeck.shells.mcp.server_definition import Start

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_NAME = b"mcp-name"
"""From revision 2026-07-28 on, a request has the name it asks for in this header, too;
both must be the same.
"""
_LENGTH = b"content-length"


class RenamingApp:
    """Replaces names in the bodies and headers of requests."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request."""

        async def renamed() -> Message:
            message = await receive()
            body = message.get("body", b"")
            for theirs, ours in NAMES.items():
                body = body.replace(
                    json.dumps(theirs).encode(), json.dumps(ours).encode()
                )
            return {**message, "body": body} if body else message

        headers = [
            _rename_header(each)
            for each in scope.get("headers", ())
            if each[0] != _LENGTH
        ]
        await self._app(
            {**scope, "headers": headers} if headers else scope, renamed, send
        )


def _rename_header(header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """Return a header with the name of this server."""
    name, value = header
    if name != _NAME:
        return header
    return name, NAMES.get(value.decode("latin-1"), value.decode("latin-1")).encode(
        "latin-1"
    )


def main(folder: str) -> None:
    """Serve until the process ends; print the address first."""
    place = Place("127.0.0.1")
    with socket.create_server((place.host, place.port)) as listening:
        sys.stdout.write(f"http://{place.host}:{listening.getsockname()[1]}{PATH}\n")
        sys.stdout.flush()
        service = Service(Start(folder, os.environ), asks_roots=False)
        served = RenamingApp(application(service, place))
        server = uvicorn.Server(
            uvicorn.Config(served, log_level="error", timeout_graceful_shutdown=1)
        )
        asyncio.run(server.serve(sockets=[listening]))


if __name__ == "__main__":
    main(sys.argv[1])
