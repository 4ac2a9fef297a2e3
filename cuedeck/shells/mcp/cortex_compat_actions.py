"""Results of the tools of MemClaw. The module is loaded on the first call, because it
loads search and layers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.cortex.change_cortex_session import (
    SessionDetails,
    list_cortex_sessions,
    open_cortex_session,
)
from cuedeck.knowledge.cortex.commit_session import commit_session
from cuedeck.knowledge.cortex.cortex_jobs import JOBS, maintain_cortex
from cuedeck.knowledge.cortex.forget_memory import forget_memory
from cuedeck.knowledge.cortex.list_tree import list_folder
from cuedeck.knowledge.cortex.read_cortex import read_cortex
from cuedeck.knowledge.cortex.search_cortex import explore_cortex, search_cortex
from cuedeck.knowledge.cortex.session_owners import SessionOwners, checked_owners
from cuedeck.knowledge.importers.migrate_memory import migrate_memory
from cuedeck.model.errors import NotFound
from cuedeck.shells.mcp.cortex_actions import add_to_timeline
from cuedeck.shells.mcp.cortex_tool import SESSIONS
from cuedeck.shells.mcp.tool_base import Arguments

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace

_MOST_LISTED = 500


def _search(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    layers = given["return_layers"] or ("L0",)
    return _found(workspace, given, layers, given["min_score"])


def _recall(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    return _found(workspace, given, ("L0", "L2"), 0)


def _found(
    workspace: LiveWorkspace, given: Arguments, layers: Sequence[str], least: float
) -> Mapping[str, Any]:
    answer = search_cortex(
        workspace,
        given["query"],
        scope=given["scope"],
        limit=given["limit"],
        layers=layers,
    )
    results = _results(answer["results"], layers)
    kept = [each for each in results if each["score"] >= least]
    return {"results": kept, "total": len(kept)}


def _results(
    results: Sequence[Mapping[str, Any]], layers: Sequence[str]
) -> list[dict[str, Any]]:
    """Return results as MemClaw names them; a score is the share of the best one."""
    best = max((each["score"] for each in results), default=0) or 1
    found = []
    for each in results:
        row = {
            "uri": each["file"],
            "score": round(each["score"] / best, 3),
            "snippet": each["snippet"],
            "citation": each["address"],
            "layers": list(layers),
            "tokens": each["tokens"],
            "status": each["status"],
        }
        for layer in layers:
            row[_LAYER_KEYS[layer]] = each[layer]
        found.append(row)
    return found


_LAYER_KEYS = {"L0": "abstract", "L1": "overview", "L2": "content"}


def _add(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    added = add_to_timeline(
        workspace,
        given["content"],
        given["role"],
        given["session_id"],
        given["metadata"],
        _owners(workspace, given),
    )
    return {"success": True, "message_uri": added["address"], **added}


def _list_sessions(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    sessions = [_session(each) for each in list_cortex_sessions(workspace.paths)]
    return {"sessions": sessions[:_MOST_LISTED], "total": len(sessions)}


def _create_session(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    details = SessionDetails(
        given["title"],
        given["description"],
        given["tags"],
        owners=_owners(workspace, given),
    )
    made = open_cortex_session(workspace, given["session_id"], details)
    return {"success": True, "session": _session(made), "created": made["created"]}


def _commit(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    owners = _owners(workspace, given)
    receipt = commit_session(workspace, given["session_id"], owners)
    rows = [
        _session(each)
        for each in list_cortex_sessions(workspace.paths)
        if each["session"] == receipt["session"]
    ]
    return {"success": True, "session": rows[0], "receipt": receipt}


def _owners(workspace: LiveWorkspace, given: Arguments) -> SessionOwners:
    return checked_owners(workspace, given["user_id"], given["agent_id"])


def _session(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"thread_id": row["session"], **row}


def _ls(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    uri = given["uri"]
    try:
        found = list_folder(
            workspace,
            uri,
            depth=0 if given["recursive"] else 1,
            limit=_MOST_LISTED,
            abstracts=given["include_abstracts"],
        )
    except NotFound:
        if uri != SESSIONS:
            raise
        return {"uri": uri, "entries": [], "total": 0}  # no message was added yet
    entries = []
    for each in found["entries"]:
        is_folder = each["kind"] == "folder"
        row = {
            "name": each["name"],
            "uri": each["address"],
            "is_directory": is_folder,
            "size": each["entries"] if is_folder else each["size"],
        }
        if "abstract" in each:
            row["abstract_text"] = each["abstract"]
        entries.append(row)
    return {"uri": found["address"], "entries": entries, "total": found["total"]}


def _explore(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    layers = given["return_layers"] or ("L0",)
    try:
        answer = explore_cortex(
            workspace, given["query"], given["start_uri"], layers=layers
        )
    except NotFound:
        if given["start_uri"] != SESSIONS:
            raise
        answer = {"path": [], "matches": [], "total": 0}
    path = [
        {
            "uri": each["address"],
            "abstract_text": each["abstract"],
            "matches": each["matches"],
        }
        for each in answer["path"]
    ]
    return {
        "exploration_path": path,
        "matches": _results(answer["matches"], layers),
        "total_explored": len(path),
        "total_matches": len(answer["matches"]),
    }


def _layer_reader(key: str, layer: Any) -> Any:
    def read(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
        answer = read_cortex(workspace, given["uri"], layer=layer)
        return {
            "uri": answer["address"],
            key: answer["text"],
            "token_count": answer["tokens"],
            "layer": answer["layer"],
            "status": answer.get("status", "fresh"),
        }

    return read


def _maintenance(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    jobs = given["commands"] or JOBS
    results = []
    for job in JOBS:
        if job in jobs:
            output = maintain_cortex(workspace, job, dry_run=given["dryRun"])
            results.append({"command": job, "success": True, "output": output})
    return {"success": True, "results": results}


def _migrate(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    return migrate_memory(
        workspace, given["folder"], given["kind"], dry_run=given["dryRun"]
    )


def _forget(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    answer = forget_memory(workspace, given["uri"])
    return {"success": True, "uri": answer["address"], **answer}


RUNS: Mapping[str, Callable[[LiveWorkspace, Arguments], Mapping[str, Any]]] = {
    "cortex_search": _search,
    "cortex_recall": _recall,
    "cortex_add_memory": _add,
    "cortex_list_sessions": _list_sessions,
    "cortex_create_session": _create_session,
    "cortex_commit_session": _commit,
    "cortex_ls": _ls,
    "cortex_explore": _explore,
    "cortex_get_abstract": _layer_reader("abstract", "L0"),
    "cortex_get_overview": _layer_reader("overview", "L1"),
    "cortex_get_content": _layer_reader("full_content", "L2"),
    "cortex_migrate": _migrate,
    "cortex_maintenance": _maintenance,
    "cortex_forget": _forget,
}
"""Function of each tool, by its name."""
