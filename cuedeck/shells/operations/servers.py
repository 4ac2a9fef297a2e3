"""Commands that run until they are ended, and those that other programs call."""

import signal
import sys
from typing import Annotated

from cuedeck.agents.hosts import hook_hosts
from cuedeck.model.errors import UsageError
from cuedeck.model.ports import Json, JsonView
from cuedeck.shells.call import Answer, Call, Raw
from cuedeck.shells.operation import Many, Param, operation

OLDER = (
    "read_context, read_doc, list_tasks, create_task, update_task, get_task_dependencies, validate_task_graph, "
    "query_graph, remember_this, recall_memory, memory_search, memory_context, query_experiences, memory_get, "
    "memory.listLogs, memory.getFile, memory.writeFile, cortex_search, cortex_recall, cortex_add_memory, "
    "cortex_list_sessions, cortex_create_session, cortex_commit_session, cortex_ls, cortex_explore, "
    "cortex_get_abstract, cortex_get_overview, cortex_get_content, cortex_migrate, cortex_maintenance, "
    "cortex_forget"
)
_LOOPBACK = "127.0.0.1"


@operation(
    "watch",
    "cuedeck watch                  rebuild SCENE.md after every save and commit, until Ctrl-C\n"
    "cuedeck watch --json           one JSON object a line, for editors and tools",
)
def watch(call: Call, *, copy: bool = False) -> int:
    """Rebuild SCENE.md after every save, commit and checkout.

    If another process already writes SCENE.md, such as a second watcher or a server,
    only report changes.

    Args:
        copy: Copy every new scene to the clipboard.
    """
    from cuedeck.context.scene.deliver_scene import copy_text
    from cuedeck.engine.live.engine import watch_forever

    # Handle SIGTERM as Ctrl-C, so that cleanup runs and the writer lock is released.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    copier = (lambda text: copy_text(text, call.environ)) if copy else None

    def tell(event: Json) -> None:
        call.tell(event, _watched(event), is_note=event["event"] == "error")

    return watch_forever(call.workspace, tell, copier)


def _watched(event: JsonView) -> str:
    if event["event"] == "ready":
        how = " by polling" if event["polling"] else ""
        if not event["writes"]:
            how += "; another process writes SCENE.md, so this watcher only reports changes"
        return (
            f"watching {event['files']:,} files in {event['root']}{how}; Ctrl-C ends it"
        )
    if event["event"] == "error":
        hint = f"; {event['hint']}" if event["hint"] else ""
        return f"{event['message']}{hint}"
    paths = ", ".join(event["changed"][:3])
    if len(event["changed"]) > 3:
        paths += " …"
    state = "up to date" if event["writes"] else "read"
    if event["written"]:
        state = "written"
    return f"{event['ms']['all']:7.1f} ms  {event['tokens']:>7,} tokens  {state:<10}  {paths}"


@operation(
    "web",
    "cuedeck web                    open the page in the browser\n"
    "cuedeck web --port 7400 --no-open --read-only   for a fixed address without writes",
)
def web(
    call: Call,
    *,
    port: Annotated[int, Param(least=0, most=65_535)] = 0,
    read_only: bool = False,
    no_open: bool = False,
) -> int:
    """Open the page of the scene, its reasons, cost and the memory.

    The page is served to this machine only, and only to the browser that opens the
    one-time address first.

    Args:
        port: Port to listen on.  [default: any free port]
        read_only: Refuse every change.
        no_open: Only print the address.
    """
    from cuedeck.shells.web.web_server import serve_page

    def tell(address: str) -> None:
        event = {"event": "ready", "url": address}
        call.tell(event, f"{address} (for one browser; Ctrl-C ends it)", is_note=True)

    return serve_page(
        call.start, call.environ, port, tell, read_only=read_only, opens=not no_open
    )


@operation(
    "mcp",
    "claude mcp add cuedeck -- cuedeck mcp            for one client, on stdin and stdout\n"
    "cuedeck mcp --http --port 7337                   for several, at http://127.0.0.1:7337/mcp\n"
    "cuedeck mcp --http --host 10.0.0.5 --port 7337   clients need a token: CUEDECK_MCP_TOKEN, else that of\n"
    "                                                 the file that the server names",
)
def mcp(
    call: Call,
    *,
    http: bool = False,
    host: str = _LOOPBACK,
    port: Annotated[int | None, Param(least=0, most=65_535)] = None,
    names: Many = (),
    read_only: bool = False,
    compat: Annotated[
        bool,
        Param(
            help=f"Also list tools by their older names, which always work: {OLDER}."
        ),
    ] = False,
) -> int:
    """Serve tools to agents over the Model Context Protocol.

    The tools cover scenes, search, cards, sessions, decisions and memory.

    Args:
        http: Serve over HTTP instead of stdin and stdout.
        host ADDRESS: Address to listen on with --http.
        port: Port to listen on with --http.  [default: any free port]
        names --allow-host NAME: Host name that clients use, as behind a proxy; every
            request then needs the token.
        read_only: Offer only tools that read; refuse every other.
    """
    from cuedeck.shells.mcp.server_definition import Start

    start = Start(call.start, call.environ, read_only, compat)
    if not http:
        if port is not None or names or host != _LOOPBACK:
            raise UsageError(
                "--host, --port and --allow-host need --http",
                hint="cuedeck mcp --http --port 7337",
            )
        if sys.stdin is not None and sys.stdin.isatty():
            for_whom = "for a client that starts this command; Ctrl-D ends it"
            sys.stderr.write(f"serving MCP on stdin and stdout {for_whom}\n")
        from cuedeck.shells.mcp.stdio_server import serve_stdio

        return serve_stdio(start)
    from cuedeck.shells.local_server import Place
    from cuedeck.shells.mcp.http_server import serve_http

    def ready(address: str, token: str) -> None:
        shown = f"; clients must send the token stored in {token}" if token else ""
        event = {"event": "ready", "url": address, "token": token or None}
        call.tell(event, f"{address}{shown}; Ctrl-C ends it", is_note=True)

    return serve_http(start, Place(host, port or 0, names), ready)


@operation("lsp", "cuedeck lsp                    an editor starts this command")
def lsp(call: Call) -> int:
    """Serve an editor over the Language Server Protocol.

    It uses stdin and stdout. Every save rebuilds SCENE.md as `cuedeck watch` does. The
    server completes and checks refs, and shows the cost and the gaps of a card.
    """
    from cuedeck.shells.lsp.language_server import serve_editor

    return serve_editor(call.environ)


@operation(
    "hook",
    """echo '{"session_id": "a", "cwd": ".", "source": "startup"}' | cuedeck hook session-start --host claude""",
)
def hook(
    call: Call,
    event: str = "",
    *,
    host: Annotated[
        str,
        Param(
            metavar="HOST",
            help=f"Sender of the event: {', '.join(hook_hosts())}.  [default: detected]",
        ),
    ] = "",
    form: str = "",
) -> int:
    """Answer a hook event of a coding agent.

    EVENT is session-start, subagent-start, prompt, pre-compact, post-tool, stop or
    session-end. The host writes JSON to standard input and reads JSON from standard
    output. The exit code is always 0. `cuedeck setup HOST` configures a host to call
    this command.

    Args:
        form --from FORM: Settings that contain the hook, local or user: it then does
            nothing if the repository has the same hook.
    """
    from cuedeck.shells.hook.hook_main import main  # hosts enter there

    folder = ["-C", call.directory] if call.directory else []
    return main([event, "--host", host, "--from", form, *folder])


@operation(
    "completion",
    "cuedeck completion bash >> ~/.bashrc\n"
    "cuedeck completion zsh > ~/.zfunc/_cuedeck\n"
    "cuedeck completion fish > ~/.config/fish/completions/cuedeck.fish",
)
def completion(
    call: Call,
    name: Annotated[str, Param(metavar="SHELL", choices=("bash", "zsh", "fish"))],
) -> Answer:
    """Print the completion script of a shell."""
    from click.shell_completion import get_completion_class

    from cuedeck.shells.cli.cli_main import cuedeck

    kind = get_completion_class(name)
    assert kind is not None
    script = kind(cuedeck, {}, "cuedeck", "_CUEDECK_COMPLETE").source()
    value = {"shell": name, "script": script}
    return Answer(value, lambda answer: Raw(f"{script}\n"), is_masked=True)
