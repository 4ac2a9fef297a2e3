"""Actions of the tool `cortex`. The module is loaded on the first call, as it loads
search and layers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.cortex.add_message import NewMessage, add_message
from cuedeck.knowledge.cortex.change_cortex_session import list_cortex_sessions
from cuedeck.knowledge.cortex.commit_session import commit_session
from cuedeck.knowledge.cortex.forget_memory import forget_memory
from cuedeck.knowledge.cortex.list_tree import list_folder
from cuedeck.knowledge.cortex.read_cortex import read_cortex
from cuedeck.knowledge.cortex.search_cortex import explore_cortex, search_cortex
from cuedeck.knowledge.cortex.session_owners import (
    NO_OWNERS,
    SessionOwners,
    checked_owners,
)
from cuedeck.model.cortex_address import LAYERS, LayerName
from cuedeck.model.errors import Invalid
from cuedeck.model.formatting import abbreviate
from cuedeck.shells.mcp.context_tools import read_page
from cuedeck.shells.mcp.tool_base import ACTION, Arguments
from cuedeck.shells.mcp.tool_result import ResultPage, offset, page

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace

Result = Mapping[str, Any] | ResultPage
_MOST_LISTED = 10_000
_PAGE = 20
"""Entries of a page of a list."""


def _ls(workspace: LiveWorkspace, given: Arguments) -> Result:
    abstracts = _layer(given) == "L0"
    start = offset(given["cursor"])
    most = min(start + _PAGE, _MOST_LISTED) if abstracts else _MOST_LISTED
    found = list_folder(workspace, given["address"], limit=most, abstracts=abstracts)
    listed = page("entries", found["entries"], given["cursor"], _PAGE)
    return {"address": found["address"], **listed, "total": found["total"]}


def _search(workspace: LiveWorkspace, given: Arguments) -> Result:
    return search_cortex(
        workspace,
        _text(given, "a query"),
        scope=given["address"] or given["session"],
        layers=_layers(given),
    )


def _explore(workspace: LiveWorkspace, given: Arguments) -> Result:
    return explore_cortex(
        workspace,
        _text(given, "a query"),
        given["address"] or given["session"],
        layers=_layers(given),
    )


def _read(workspace: LiveWorkspace, given: Arguments) -> Result:
    address = _address(given)
    layer = _layer(given)
    if layer is None:
        return read_page(workspace, address, given["cursor"])
    answer = read_cortex(workspace, address, layer=layer)
    if answer["layer"] == "L2":
        return read_page(workspace, address, given["cursor"])
    return ResultPage(answer.pop("text"), answer)


def _sessions(workspace: LiveWorkspace, given: Arguments) -> Result:
    found = list_cortex_sessions(workspace.paths)
    return page("sessions", found, given["cursor"], _PAGE)


def _add(workspace: LiveWorkspace, given: Arguments) -> Result:
    return add_to_timeline(
        workspace,
        _text(given, "a message"),
        given["role"],
        given["session"],
        owners=checked_owners(workspace, given["user"], given["agent"]),
    )


def _commit(workspace: LiveWorkspace, given: Arguments) -> Result:
    owners = checked_owners(workspace, given["user"], given["agent"])
    return commit_session(workspace, given["session"], owners)


def _forget(workspace: LiveWorkspace, given: Arguments) -> Result:
    return forget_memory(workspace, _address(given), dry_run=given["dry_run"])


def add_to_timeline(
    workspace: LiveWorkspace,
    text: str,
    role: str,
    session: str,
    metadata: Mapping[str, Any] = MappingProxyType({}),
    owners: SessionOwners = NO_OWNERS,
) -> dict[str, Any]:
    """Add a message to the timeline of a session; return its address."""
    new = NewMessage(text, role, metadata=metadata, owners=owners)
    added = add_message(workspace, new, session)
    answer: dict[str, Any] = {
        "address": added.address.text,
        "session": added.session,
        "id": added.id,
        "seq": added.seq,
    }
    if added.note:
        answer["note"] = added.note
    return answer


ACTIONS: Mapping[str, Callable[[LiveWorkspace, Arguments], Result]] = {
    "ls": _ls,
    "search": _search,
    "explore": _explore,
    "read": _read,
    "sessions": _sessions,
    "add": _add,
    "commit": _commit,
    "forget": _forget,
}


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
    layer = _layer(given)
    return (layer,) if layer else ()


def _layer(given: Arguments) -> LayerName | None:
    """Return the layer of a call; None if it names none. Raises: Invalid."""
    named: str = given["layer"]
    for layer in LAYERS:
        if named == layer:
            return layer
    if named:
        raise Invalid(
            f"`layer` must be one of {', '.join(LAYERS)}, not {abbreviate(named)}",
            hint="leave `layer` out for the text",
        )
    return None
