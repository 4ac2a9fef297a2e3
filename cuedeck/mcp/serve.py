"""Entry points of the server for the `mcp` command."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cuedeck.mcp.server_log import log_to_stderr
from cuedeck.mcp.start_options import Start


def stdio(folder: str, environ: Mapping[str, str], *, read_only: bool, compat: bool) -> int:
    """Serve over stdin and stdout until the client disconnects; return the exit code."""
    from cuedeck.mcp.stdio_server import serve_stdio

    log_to_stderr()
    return serve_stdio(Start(folder, environ, read_only, compat))


def http(
    folder: str,
    environ: Mapping[str, str],
    ready: Callable[[str, str], None],
    *,
    host: str,
    port: int,
    names: tuple[str, ...],
    read_only: bool,
    compat: bool,
) -> int:
    """Serve over HTTP until the process is asked to end; return the exit code."""
    from cuedeck.mcp.http_server import Place, serve_http

    log_to_stderr()
    return serve_http(Start(folder, environ, read_only, compat), Place(host, port, names), ready)
