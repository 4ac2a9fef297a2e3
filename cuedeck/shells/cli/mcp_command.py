"""The `mcp` command: start the MCP server."""

from __future__ import annotations

import os
import sys

import click

from cuedeck.model.errors import UsageError
from cuedeck.shells.cli.command_base import Shell, common, output, print_note

EPILOG = """\b
Examples:
  claude mcp add cuedeck -- cuedeck mcp            for one client, on stdin and stdout
  cuedeck mcp --http --port 7337                   for several, at http://127.0.0.1:7337/mcp
  cuedeck mcp --http --host 10.0.0.5 --port 7337   clients need a token: CUEDECK_MCP_TOKEN, else that of
                                                   the file that the server names"""

OLDER = (
    "read_context, read_doc, list_tasks, create_task, update_task, get_task_dependencies, validate_task_graph, "
    "query_graph, remember_this, recall_memory, memory_search, memory_context, query_experiences, memory_get, "
    "memory.listLogs, memory.getFile, memory.writeFile, cortex_search, cortex_recall, cortex_add_memory, "
    "cortex_list_sessions, cortex_create_session, cortex_commit_session, cortex_ls, cortex_explore, "
    "cortex_get_abstract, cortex_get_overview, cortex_get_content, cortex_migrate, cortex_maintenance, "
    "cortex_forget"
)
_LOOPBACK = "127.0.0.1"


@click.command("mcp", epilog=EPILOG)
@click.option(
    "--http", is_flag=True, help="Serve over HTTP instead of stdin and stdout."
)
@click.option(
    "--host",
    default=_LOOPBACK,
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on with --http.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=None,
    metavar="N",
    help="Port to listen on with --http.  [default: any free port]",
)
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="Host name that clients use, as behind a proxy; every request then needs the token. Repeatable.",
)
@click.option(
    "--read-only", is_flag=True, help="Offer only tools that read; refuse every other."
)
@click.option(
    "--compat",
    is_flag=True,
    help=f"Also list tools by their older names, which always work: {OLDER}.",
)
@common
def mcp(
    shell: Shell,
    http: bool,
    host: str,
    port: int | None,
    names: tuple[str, ...],
    read_only: bool,
    compat: bool,
) -> int:
    """Serve tools to agents over the Model Context Protocol.

    The tools cover scenes, search, cards, sessions, decisions and memory.
    """
    from cuedeck.shells.mcp.server_definition import Start

    start = Start(shell.start, os.environ, read_only, compat)
    if not http:
        if port is not None or names or host != _LOOPBACK:
            raise UsageError(
                "--host, --port and --allow-host need --http",
                hint="cuedeck mcp --http --port 7337",
            )
        if sys.stdin is not None and sys.stdin.isatty():
            print_note(
                "serving MCP on stdin and stdout for a client that starts this command; Ctrl-D ends it"
            )
        from cuedeck.shells.mcp.stdio_server import serve_stdio

        return serve_stdio(start)
    from cuedeck.shells.mcp.http_server import Place, serve_http

    def ready(address: str, token: str) -> None:
        shown = f"; clients must send the token stored in {token}" if token else ""
        if shell.json:
            import json

            event = {
                "schema": 1,
                "event": "ready",
                "url": address,
                "token": token or None,
            }
            with output():
                sys.stdout.write(json.dumps(event) + "\n")
                sys.stdout.flush()
        else:
            print_note(f"{address}{shown}; Ctrl-C ends it")

    return serve_http(start, Place(host, port or 0, names), ready)
