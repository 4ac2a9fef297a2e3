"""The server of the page: listens on loopback, opens the browser, and ends cleanly."""

from __future__ import annotations

import asyncio
import os
import signal
import webbrowser
from collections.abc import Callable, Mapping

import uvicorn

from cuedeck.engine.live.server_setup import log_to_stderr
from cuedeck.shells.local_server import AccessCheck, Place, Server, listen
from cuedeck.shells.web.access import OneTimeAddress
from cuedeck.shells.web.app import Site

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
