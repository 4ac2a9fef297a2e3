"""The table of older names of tools, those of the seed documents, with the names that
they give to arguments and results.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from cuedeck.model.cortex_address import SCHEME
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.model.file import PRIORITIES, STATUSES
from cuedeck.model.ports import JsonView
from cuedeck.shells.mcp import tool_runs
from cuedeck.shells.mcp.tool_base import TAKEN, Action, Arguments, Tool
from cuedeck.shells.mcp.tool_result import following, offset
from cuedeck.shells.mcp.tool_runs import create_card, update_card
from cuedeck.shells.mcp.tools import EXPERIENCES, RECALL, REMEMBER
from cuedeck.shells.tool_fields import (
    CURSOR,
    LONGEST_ADDRESS,
    Field,
    limit,
    read_arguments,
)

if TYPE_CHECKING:
    from cuedeck.knowledge.cortex.search_cortex import Job
    from cuedeck.model.file import File
    from cuedeck.model.ports import Json
    from cuedeck.shells.call import Call
    from cuedeck.store.workspace_paths import WorkspacePaths

Answer = JsonView
_MOST_LISTED = 500
_SESSIONS = f"{SCHEME}session"
_TAGS = Field("tags", "names")
_FILTERS = (_TAGS, Field("priority", choices=PRIORITIES), Field("assignee"))
_UPDATES = (Field("status", choices=STATUSES), *_FILTERS[1:], Field("notes"))


def _read_context(call: Call, given: Arguments) -> Answer:
    from cuedeck.context.search.find_places import find

    filters = read_arguments(_FILTERS, given["filters"])
    start, most = offset(given["cursor"]), given["limit"]
    answer = find(call.workspace, given["query"], limit=most, offset=start, **filters)
    results = []
    for hit in answer["hits"]:
        anchors = _anchors(call.workspace.index.file(hit["path"]))
        digest = call.workspace.index.hash(hit["path"])
        results.append({**hit, "hash": digest, "anchors": anchors[:3]})
    after = following(start, len(results), answer["total"]).get("next")
    total = {"total_count": answer["total"], "next_cursor": after}
    return {"results": results, **total, "has_more": after is not None}


def _anchors(file: File | None) -> list[str]:
    """Return the titles of the sections of a file, or the names of its symbols if it
    has no sections.
    """
    if file is None:
        return []
    titles = [each.title for each in file.sections]
    return titles or [each.name for each in file.symbols]


def _create_task(call: Call, given: Arguments) -> Answer:
    from cuedeck.work.cards.list_cards import show_card

    made = create_card(call, given)
    return {**made, "metadata": show_card(call.workspace, made["id"])["card"]}


def _update_task(call: Call, given: Arguments) -> Answer:
    from cuedeck.work.cards.list_cards import show_card
    from cuedeck.work.sessions.session_notes import add_note

    updates = read_arguments(_UPDATES, given["updates"])
    updated = [name for name, value in updates.items() if value]
    if not updated:
        names = ", ".join(field.name for field in _UPDATES)
        raise Invalid("`updates` contains no field to change", hint=f"give {names}")
    if updated != ["notes"]:
        unchanged = dict.fromkeys(("tags", "refs", "drop_refs", "depends_on"), ())
        update_card(call, {"id": given["id"], "title": "", **unchanged, **updates})
    if updates["notes"]:
        add_note(call.workspace, updates["notes"])
    card = show_card(call.workspace, given["id"])["card"]
    keys = ("id", "title", "status", "assignee", "priority")
    shown = {key: card[key] for key in keys}
    return {**shown, "updated_at": card["updated"], "updated_fields": updated}


def _dependencies(call: Call, given: Arguments) -> Answer:
    found: Any = Action("card deps", {"id": "name"})(call, given)
    names = ("id", "title", "status")
    tasks = [{name: card[name] for name in names} for card in found["cards"]]
    kind = "dependents" if given["reverse"] else "dependencies"
    return {"task_id": given["id"], "type": kind, "count": len(tasks), "tasks": tasks}


def _validate_graph(call: Call, given: Arguments) -> Answer:
    checked: Any = Action("card validate", {"id": "name"})(call, given)
    rows = checked["findings"]
    errors = [each["message"] for each in rows if each["level"] == "error"]
    found = {"valid": checked["valid"], "findings": rows}
    if given["id"]:
        found["task_id"] = given["id"]
    if errors:
        return {**found, "error": "; ".join(errors)}
    return {**found, "message": "the task graph is valid"}


def _query_graph(call: Call, given: Arguments) -> Answer:
    from cuedeck.context.graph.draw_graph import draw_dependencies
    from cuedeck.graph.draw import FORMATS

    form = given["format"]
    return {"format": form, "graph": FORMATS[form](draw_dependencies(call.workspace))}


_NAMES = {
    "address": "uri",
    "L0": "abstract",
    "L1": "overview",
    "L2": "content",
    "abstract": "abstract_text",
    "session": "thread_id",
}
"""Names that MemClaw gives to fields of results."""


def _renamed(row: JsonView) -> Json:
    """Return a row with the names of MemClaw; those of a session come in addition."""
    found = {_NAMES.get(name, name): value for name, value in row.items()}
    return {**found, "session": row["session"]} if "session" in row else found


def _found(results: Sequence[JsonView], layers: Sequence[str]) -> list[Json]:
    """Return results as MemClaw names them; a score is the share of the best one."""
    best = max((each["score"] for each in results), default=0) or 1
    found = []
    for each in results:
        row = _renamed({**each, "address": each["file"]})
        citation = {"citation": each["address"], "layers": list(layers)}
        found.append({**row, **citation, "score": round(each["score"] / best, 3)})
    return found


def _cortex(words: str, call: Call, **arguments: Any) -> Any:
    return Action(f"cortex {words}")(call, arguments)


def _search(layers: tuple[str, ...], call: Call, given: Arguments) -> Answer:
    chosen = tuple(given.get("return_layers", ())) or layers
    wanted = {"query": given["query"], "scope": given["scope"], "limit": given["limit"]}
    found = _cortex("search", call, **wanted, layers=chosen)
    results = _found(found["results"], chosen)
    least = given.get("min_score", 0)
    shown = [each for each in results if each["score"] >= least]
    return {"results": shown, "total": len(shown)}


def _explore(call: Call, given: Arguments) -> Answer:
    layers = given["return_layers"] or ("L0",)
    found: Json = {"path": [], "matches": []}
    try:
        wanted = {"query": given["query"], "address": given["start_uri"]}
        found = _cortex("explore", call, **wanted, layers=layers)
    except NotFound:
        if given["start_uri"] != _SESSIONS:
            raise
    path = [_renamed(each) for each in found["path"]]
    return {
        "exploration_path": path,
        "matches": _found(found["matches"], layers),
        "total_explored": len(path),
        "total_matches": len(found["matches"]),
    }


def _owned(given: Arguments) -> Json:
    return {
        "session": given["session_id"],
        "user": given["user_id"],
        "agent": given["agent_id"],
    }


def _add(call: Call, given: Arguments) -> Answer:
    metadata = json.dumps(given["metadata"]) if given["metadata"] else ""
    wanted = {"text": given["content"], "role": given["role"], "metadata": metadata}
    added = _cortex("add", call, **wanted, **_owned(given))
    return {"success": True, "message_uri": added["address"], **added}


def _sessions(paths: WorkspacePaths) -> list[Json]:
    from cuedeck.knowledge.cortex.change_cortex_session import list_cortex_sessions

    return [_renamed(each) for each in list_cortex_sessions(paths)]


def _list_sessions(call: Call, given: Arguments) -> Answer:
    rows = _sessions(call.workspace.paths)
    return {"sessions": rows[:_MOST_LISTED], "total": len(rows)}


def _created(made: Answer) -> Answer:
    return {"success": True, "session": _renamed(made), "created": made["created"]}


def _commit(call: Call, given: Arguments) -> Answer:
    receipt = _cortex("commit", call, **_owned(given))
    name = receipt["session"]
    rows = [each for each in _sessions(call.workspace.paths) if each["session"] == name]
    return {"success": True, "session": rows[0], "receipt": receipt}


def _ls(call: Call, given: Arguments) -> Answer:
    from cuedeck.knowledge.cortex.search_cortex import list_folder

    uri, abstracts = given["uri"], given["include_abstracts"]
    depth = 0 if given["recursive"] else 1
    options = {"limit": _MOST_LISTED, "abstracts": abstracts}
    try:
        found = list_folder(call.workspace, uri, depth=depth, **options)
    except NotFound:
        if uri != _SESSIONS:
            raise
        return {"uri": uri, "entries": [], "total": 0}  # no message was added yet
    entries = []
    for each in found["entries"]:
        is_folder = each["kind"] == "folder"
        size = each["entries"] if is_folder else each["size"]
        entries.append({**_renamed(each), "is_directory": is_folder, "size": size})
    return {"uri": found["address"], "entries": entries, "total": found["total"]}


def _layer(key: str, answer: Answer) -> Answer:
    return {
        "uri": answer["address"],
        key: answer["text"],
        "token_count": answer["tokens"],
        "layer": answer["layer"],
        "status": answer.get("status", "fresh"),
    }


def _migrate(call: Call, given: Arguments) -> Answer:
    from cuedeck.knowledge.importers.import_foreign import migrate_memory

    folder, kind = given["folder"], given["kind"]
    return migrate_memory(call.workspace, folder, kind, dry_run=given["dryRun"])


_JOBS: tuple[Job, ...] = ("prune", "reindex", "ensure-all")


def _maintenance(call: Call, given: Arguments) -> Answer:
    from cuedeck.knowledge.cortex.search_cortex import maintain_cortex

    results = []
    for job in _JOBS:
        if job in (given["commands"] or _JOBS):
            output = maintain_cortex(call.workspace, job, dry_run=given["dryRun"])
            results.append({"command": job, "success": True, "output": output})
    return {"success": True, "results": results}


def _forget(call: Call, given: Arguments) -> Answer:
    answer = _cortex("forget", call, address=given["uri"], dry_run=False)
    return {"success": True, "uri": answer["address"], **answer}


def _row(
    name: str,
    about: str,
    takes: tuple[str | Field, ...],
    run: Action | Callable[[Call, Arguments], Answer],
    **options: bool,
) -> Tool:
    names = {}
    texts = [each for each in takes if isinstance(each, str)]
    for own, _, _, param in TAKEN.findall(" ".join(texts)):
        if param:
            names[own] = param
    if isinstance(run, Action):
        run = replace(run, names=names)
    return Tool(name, name, about, takes, {"": run}, is_seed=True, **options)  # type: ignore[arg-type]


def _again(tool: Tool, name: str) -> Tool:
    return replace(tool, name=name, title=name, is_seed=True)


_PATH = Field("path", required=True, longest=LONGEST_ADDRESS)
_PROFILE = Field("profile", also=("profileId",))
_ID = Field("id", required=True)
_SESSION = Field("session_id", also=("thread_id",))
_OWNERS = (Field("user_id"), Field("agent_id"))
_QUERY = Field("query", required=True)
_URI = Field("uri", required=True)
_SCOPE = Field("scope", about="address, dimension or session")
_LIMIT = Field("limit", "number", default=10, least=1, most=50)
_LAYERS = Field("return_layers", "names", choices=("L0", "L1", "L2"))
SEEDS = (
    _row("read_context", "Search the workspace by words.",
         (_QUERY, limit(5, 50), Field("mode", choices=("keyword", "semantic", "hybrid")),
          Field("filters", "object", about="tags, priority, assignee"), CURSOR), _read_context),
    _row("read_doc", "Read a file or a part of it.", (_PATH, Field("anchor"), CURSOR), tool_runs.read_doc),
    _row("list_tasks", "List cards.", ("status tags priority assignee created updated",),
         Action("list", shape=lambda found: {"tasks": found["cards"]})),
    _row("create_task", "Create a card.",
         (Field("title", required=True), *_FILTERS, Field("depends_on", "names")), _create_task, writes=True),
    _row("update_task", "Change a card.",
         (_ID, Field("updates", "object", about="status, priority, assignee, notes", required=True)),
         _update_task, writes=True),
    _row("get_task_dependencies",
         "List the cards that a card depends on, or with `reverse` those that depend on it.",
         (_ID, Field("reverse", "flag")), _dependencies),
    _row("validate_task_graph", "Check one card, or all cards, and their dependencies.", (Field("id"),),
         _validate_graph),
    _row("query_graph", "Draw the dependencies between cards.",
         (Field("format", choices=("json", "mermaid", "dot"), default="json"),), _query_graph),
    _again(REMEMBER, "remember_this"),
    _again(RECALL, "recall_memory"),
    _again(RECALL, "memory_search"),
    _row("memory_context",
         "Recall the lines of the memory that answer a message, each once in a session; none if uncertain.",
         (Field("message", required=True, also=("query", "text")),
          Field("budget", "number", about="limit in tokens", least=1), Field("session")), tool_runs.memory_context),
    _again(EXPERIENCES, "query_experiences"),
    _row("memory_get", "Read lines of a memory file or of another hit of `recall`.",
         (_PATH._replace(about="path, also with #L3-L9"), Field("from", "number", about="first line", least=1),
          Field("lines", "number", about="how many", least=1), CURSOR), tool_runs.memory_get),
    _row("memory.listLogs", "List the daily logs of memory, the newest first.", (_PROFILE,), tool_runs.list_logs),
    _row("memory.getFile", "Read a whole memory file; `hash` is the version that `memory.writeFile` needs.",
         (_PATH._replace(about="MEMORY.md, memory/2026-11-21.md …"), _PROFILE, CURSOR), tool_runs.get_file),
    _row("memory.writeFile",
         "Replace the whole text of a memory file. Keep each `<secret:…>` of "
         "`memory.getFile` as it is. A record cannot be removed: use `forget`.",
         (_PATH, Field("content", required=True, longest=0),
          Field("hash", about="of `memory.getFile`; needed unless the file is new", default="none", also=("if_hash",)),
          _PROFILE), tool_runs.write_file, writes=True),
    _row("cortex_search", "Search the cortex tree.",
         (_QUERY, _SCOPE, _LIMIT, Field("min_score", "share", about="share of the best score"), _LAYERS),
         partial(_search, ("L0",))),
    _row("cortex_recall", "Search the cortex tree; results have abstract and text.", (_QUERY, _SCOPE, _LIMIT),
         partial(_search, ("L0", "L2"))),
    _row("cortex_add_memory", "Add a message to the timeline of a session.",
         (Field("content", required=True, longest=0),
          Field("role", choices=("user", "assistant", "system"), default="user"), _SESSION,
          Field("metadata", "object"), *_OWNERS), _add, writes=True),
    _row("cortex_list_sessions", "List sessions.", (), _list_sessions),
    _row("cortex_create_session", "Create a session, or make it active again.",
         ("session_id|thread_id=session title description tags user_id=user agent_id=agent",),
         Action("cortex open", shape=_created), writes=True),
    _row("cortex_commit_session", "Extract memories from the new messages of a session.",
         (_SESSION, *_OWNERS), _commit, writes=True),
    _row("cortex_ls", "List a folder of the cortex tree.",
         (Field("uri", default=_SESSIONS), Field("recursive", "flag"), Field("include_abstracts", "flag")), _ls),
    _row("cortex_explore", "Find the folders that lead to the matches of a query.",
         (_QUERY, Field("start_uri", default=_SESSIONS), _LAYERS), _explore),
    _row("cortex_get_abstract", "Read the abstract (L0) of a file or folder.", ("uri!=address",),
         Action("cortex abstract", shape=partial(_layer, "abstract"))),
    _row("cortex_get_overview", "Read the overview (L1) of a file or folder.", ("uri!=address",),
         Action("cortex overview", shape=partial(_layer, "overview"))),
    _row("cortex_get_content", "Read the text (L2) of a file.", ("uri!=address",),
         Action("cortex read", shape=partial(_layer, "full_content"))),
    _row("cortex_migrate", "Import the memory of ClawCode, OpenClaw or CursorClaw in the workspace.",
         (Field("folder", about="default: the workspace", longest=LONGEST_ADDRESS),
          Field("kind", choices=("cortex", "clawcode", "cursorclaw")), Field("dryRun", "flag", default=True)),
         _migrate, writes=True),
    _row("cortex_maintenance", "Bring the search index and the layers up to date.",
         (Field("dryRun", "flag"), Field("commands", "names", choices=_JOBS)), _maintenance, writes=True),
    _row("cortex_forget", "Delete a file or folder of the cortex tree.", (_URI,), _forget, writes=True, destroys=True),
)  # fmt: skip
"""All older names, in listing order."""
