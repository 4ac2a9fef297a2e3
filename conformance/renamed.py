"""A server that knows the names of the suite: `python -m conformance.renamed FOLDER`.

It is the application that `cuedeck mcp --http` serves; only names in requests are exchanged before it sees them.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from conformance.scenarios import NAMES
from cuedeck.mcp.http import PATH, Place, security_of
from cuedeck.mcp.server import Service
from cuedeck.mcp.workspaces import Start


class Renamed:
    """Exchanges names in the bodies of requests."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on."""

        async def renamed() -> Message:
            message = await receive()
            body = message.get("body", b"")
            for theirs, ours in NAMES.items():
                body = body.replace(json.dumps(theirs).encode(), json.dumps(ours).encode())
            return {**message, "body": body} if body else message

        headers = [each for each in scope.get("headers", ()) if each[0] != b"content-length"]
        await self._app({**scope, "headers": headers} if headers else scope, renamed, send)


def main(folder: str) -> None:
    """Serve until the process is ended; the address is printed first."""
    place = Place("127.0.0.1")
    with socket.create_server((place.host, place.port)) as listening:
        sys.stdout.write(f"http://{place.host}:{listening.getsockname()[1]}{PATH}\n")
        sys.stdout.flush()
        app = Service(Start(folder, os.environ), asks_roots=False).build()
        served = Renamed(app.streamable_http_app(streamable_http_path=PATH, transport_security=security_of(place)))
        server = uvicorn.Server(uvicorn.Config(served, log_level="error", timeout_graceful_shutdown=1))
        asyncio.run(server.serve(sockets=[listening]))


if __name__ == "__main__":
    main(sys.argv[1])
