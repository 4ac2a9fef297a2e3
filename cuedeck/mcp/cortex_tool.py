"""The tool `cortex`: timelines of sessions, memories of users and agents, resources."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.mcp.context_tools import read_page
from cuedeck.mcp.tool_base import ACTION, Arguments, Tool
from cuedeck.mcp.tool_fields import CURSOR, Field, limit
from cuedeck.mcp.tool_result import ResultPage, offset, page
from cuedeck.model.cortex_address import LAYERS
from cuedeck.model.errors import Invalid

if TYPE_CHECKING:
    from cuedeck.app.server.live_workspace import LiveWorkspace

Result = Mapping[str, Any] | ResultPage
ROLES = ("user", "assistant", "system")
_MOST_LISTED = 10_000


def _ls(workspace: LiveWorkspace, given: Arguments) -> Result:
    from cuedeck.app.cortex.list_tree import list_folder

    abstracts = given["layer"] == "L0"
    start = offset(given["cursor"])
    most = min(start + given["limit"], _MOST_LISTED) if abstracts else _MOST_LISTED
    found = list_folder(workspace, given["address"], limit=most, abstracts=abstracts)
    listed = page("entries", found["entries"], given["cursor"], given["limit"])
    return {"address": found["address"], **listed, "total": found["total"]}


def _search(workspace: LiveWorkspace, given: Arguments) -> Result:
    from cuedeck.app.cortex.search_cortex import search_cortex

    return search_cortex(
        workspace,
        _text(given, "a query"),
        scope=given["address"] or given["session"],
        limit=given["limit"],
        layers=_layers(given),
    )


def _explore(workspace: LiveWorkspace, given: Arguments) -> Result:
    from cuedeck.app.cortex.search_cortex import explore_cortex

    return explore_cortex(
        workspace,
        _text(given, "a query"),
        given["address"] or given["session"],
        limit=given["limit"],
        layers=_layers(given),
    )


def _read(workspace: LiveWorkspace, given: Arguments) -> Result:
    address = _address(given)
    if not given["layer"]:
        return read_page(workspace, address, given["cursor"])
    from cuedeck.app.cortex.read_cortex import read_cortex

    answer = read_cortex(workspace, address, layer=given["layer"])
    if answer["layer"] == "L2":
        return read_page(workspace, address, given["cursor"])
    return ResultPage(answer.pop("text"), answer)


def _sessions(workspace: LiveWorkspace, given: Arguments) -> Result:
    from cuedeck.app.cortex.open_cortex_session import list_cortex_sessions

    found = list_cortex_sessions(workspace)
    return page("sessions", found, given["cursor"], given["limit"])


def _add(workspace: LiveWorkspace, given: Arguments) -> Result:
    return add_to_timeline(
        workspace, _text(given, "a message"), given["role"], given["session"]
    )


def _commit(workspace: LiveWorkspace, given: Arguments) -> Result:
    from cuedeck.app.cortex.commit_session import commit_session

    return commit_session(workspace, given["session"])


def _forget(workspace: LiveWorkspace, given: Arguments) -> Result:
    from cuedeck.app.cortex.forget_memory import forget_memory

    return forget_memory(workspace, _address(given), dry_run=given["dry_run"])


def add_to_timeline(
    workspace: LiveWorkspace, text: str, role: str, session: str
) -> dict[str, Any]:
    """Add a message to the timeline of a session; return its address."""
    from cuedeck.app.cortex.add_message import NewMessage, add_message

    added = add_message(workspace, NewMessage(text, role), session)
    return {
        "address": added.address.text,
        "session": added.session,
        "id": added.id,
        "seq": added.seq,
    }


_ACTIONS: Mapping[str, Callable[[LiveWorkspace, Arguments], Result]] = {
    "ls": _ls,
    "search": _search,
    "explore": _explore,
    "read": _read,
    "sessions": _sessions,
    "add": _add,
    "commit": _commit,
    "forget": _forget,
}


def _run(workspace: LiveWorkspace, given: Arguments) -> Result:
    return _ACTIONS[given[ACTION]](workspace, given)


def _text(given: Arguments, meaning: str) -> str:
    text: str = given["text"]
    if not text.strip():
        raise Invalid("`text` is missing", hint=f"`{given[ACTION]}` needs {meaning}")
    return text


def _address(given: Arguments) -> str:
    address: str = given["address"]
    if not address:
        raise Invalid(
            "`address` is missing",
            hint="give an address such as cortex://user/default/preferences",
        )
    return address


def _layers(given: Arguments) -> tuple[str, ...]:
    return (given["layer"],) if given["layer"] else ()


CORTEX = Tool(
    name="cortex",
    title="Cortex",
    about="Conversations, memories, resources (cortex://…). L0 abstract, L1 overview.",
    fields=(
        Field(ACTION, choices=tuple(_ACTIONS), default="ls"),
        Field("address", also=("uri", "start_uri", "scope")),
        Field("text", about="query or message", also=("query", "content")),
        Field("layer", choices=LAYERS),
        Field("session", also=("session_id", "thread_id")),
        Field("role", default="user"),
        Field("dry_run", "flag", default=True),
        limit(20, 200),
        CURSOR._replace(about=""),
    ),
    run=_run,
    writes=True,
    reading=("ls", "search", "explore", "read", "sessions"),
    destroys=True,
)
