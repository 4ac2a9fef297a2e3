"""Tools with the names and result shapes of the original CueDeck documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.model.errors import Invalid
from cuedeck.model.file import PRIORITIES, STATUSES
from cuedeck.shells.mcp.cortex_compat_tools import CORTEX_SEEDS
from cuedeck.shells.mcp.memory_file_tools import MEMORY_FILES
from cuedeck.shells.mcp.operation_tools import Action, run_action
from cuedeck.shells.mcp.record_tools import EXPERIENCES, RECALL, REMEMBER
from cuedeck.shells.mcp.tool_base import Arguments, Tool
from cuedeck.shells.mcp.tool_result import cut_json_page, following, offset
from cuedeck.shells.mcp.work_tools import CARDS, create_card
from cuedeck.shells.tool_fields import (
    CURSOR,
    LONGEST_ADDRESS,
    Field,
    limit,
    read_arguments,
)

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace
    from cuedeck.model.file import File

_MOST_ANCHORS = 3
_FILTERS = (
    Field("tags", "names"),
    Field("priority", choices=PRIORITIES),
    Field("assignee"),
)
_UPDATES = (
    Field("status", choices=STATUSES),
    Field("priority", choices=PRIORITIES),
    Field("assignee"),
    Field("notes"),
)


def _read_context(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.context.search.find_places import find

    filters = read_arguments(_FILTERS, given["filters"])
    start = offset(given["cursor"])
    answer = find(
        workspace, given["query"], limit=given["limit"], offset=start, **filters
    )
    results = []
    for hit in answer["hits"]:
        anchors = _anchors(workspace.index.file(hit["path"]))
        digest = workspace.index.hash(hit["path"])
        results.append({**hit, "hash": digest, "anchors": anchors[:_MOST_ANCHORS]})
    after = following(start, len(results), answer["total"]).get("next")
    return {
        "results": results,
        "total_count": answer["total"],
        "next_cursor": after,
        "has_more": after is not None,
    }


def _anchors(file: File | None) -> list[str]:
    """Return the titles of the sections of a file, or the names of its symbols if it
    has no sections.
    """
    if file is None:
        return []
    titles = [each.title for each in file.sections]
    return titles or [each.name for each in file.symbols]


def _read_doc(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.context.search.read_address import read_address

    address = given["path"]
    anchor = given["anchor"].removeprefix("#")
    if anchor:
        address = f"{address}#{anchor}"
    found = read_address(workspace, address)
    start, end = found["lines"]
    text, at = found["text"], offset(given["cursor"])
    shown = cut_json_page(text, at, workspace.counter())
    after = at + len(shown)
    return {
        "path": found["path"],
        "anchor": anchor or None,
        "content": shown,
        "tokens": found["tokens"],
        "hash": workspace.index.hash(found["path"]),
        "cached": False,  # required by those documents; nothing is cached here
        "line_range": {"start": start, "end": end},
        "next_cursor": str(after) if shown and after < len(text) else None,
    }


def _list_tasks(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    found = run_action(Action("cards", "list"), workspace, given)
    return {"tasks": found["cards"]}


def _create_task(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.work.cards.list_cards import show_card

    answer = create_card(workspace, given)
    shown = show_card(workspace, answer["id"])["card"]
    return {**answer, "metadata": shown}


def _update_task(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.work.cards.list_cards import show_card
    from cuedeck.work.sessions.session_notes import add_note

    updates = {
        key: value
        for key, value in read_arguments(_UPDATES, given["updates"]).items()
        if value
    }
    if not updates:
        raise Invalid(
            "`updates` contains no field to change",
            hint=f"give {', '.join(field.name for field in _UPDATES)}",
        )
    notes = updates.pop("notes", "")
    if updates:
        CARDS.run(
            workspace, CARDS.read({"action": "update", "id": given["id"], **updates})
        )
    if notes:
        add_note(workspace, notes)
    shown = show_card(workspace, given["id"])["card"]
    card = {
        key: shown[key] for key in ("id", "title", "status", "assignee", "priority")
    }
    updated = [*updates, "notes"] if notes else list(updates)
    return {**card, "updated_at": shown["updated"], "updated_fields": updated}


def _get_task_dependencies(
    workspace: LiveWorkspace, given: Arguments
) -> Mapping[str, Any]:
    action = Action("card_links", "card deps", {"id": "name"})
    found = run_action(action, workspace, given)
    tasks = [
        {"id": card["id"], "title": card["title"], "status": card["status"]}
        for card in found["cards"]
    ]
    kind = "dependents" if given["reverse"] else "dependencies"
    return {"task_id": given["id"], "type": kind, "count": len(tasks), "tasks": tasks}


def _validate_task_graph(
    workspace: LiveWorkspace, given: Arguments
) -> Mapping[str, Any]:
    from cuedeck.doctor.validate_cards import validate_cards

    checked = validate_cards(workspace, given["id"] or None)
    errors = [
        finding["message"]
        for finding in checked["findings"]
        if finding["level"] == "error"
    ]
    task = {"task_id": given["id"]} if given["id"] else {}
    fault = (
        {"error": "; ".join(errors)}
        if errors
        else {"message": "the task graph is valid"}
    )
    return {"valid": checked["valid"], **task, **fault, "findings": checked["findings"]}


def _query_graph(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.context.graph.draw_graph import draw_dependencies
    from cuedeck.graph.draw import FORMATS

    return {
        "format": given["format"],
        "graph": FORMATS[given["format"]](draw_dependencies(workspace)),
    }


def _memory_context(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.knowledge.recall.memory_digest import digest_for_session

    return digest_for_session(
        workspace,
        given["message"],
        session=given["session"],
        tokens=given["budget"] or 0,
    )


def _seed(
    name: str, about: str, fields: tuple[Field, ...], run: Any, *, writes: bool = False
) -> Tool:
    return Tool(
        name,
        name.replace("_", " ").capitalize(),
        about,
        fields,
        run,
        writes=writes,
        is_seed=True,
    )


def _also(fields: tuple[Field, ...], name: str) -> tuple[Field, ...]:
    """Return fields whose `limit` is accepted under another name, too."""
    return tuple(
        field._replace(also=(*field.also, name)) if field.name == "limit" else field
        for field in fields
    )


_NEW = (
    Field("title", required=True),
    Field("tags", "names"),
    Field("priority", choices=PRIORITIES),
    Field("assignee"),
    Field("depends_on", "names"),
)
SEEDS = (
    _seed(
        "read_context",
        "Search the workspace by words.",
        (
            Field("query", required=True),
            limit(5, 50),
            # Required by those documents and ignored: there is only one search mode.
            Field("mode", choices=("keyword", "semantic", "hybrid")),
            Field("filters", "object", about="tags, priority, assignee"),
            CURSOR,
        ),
        _read_context,
    ),
    _seed(
        "read_doc",
        "Read a file or a part of it.",
        (
            Field("path", required=True, longest=LONGEST_ADDRESS),
            Field("anchor"),
            CURSOR,
        ),
        _read_doc,
    ),
    _seed(
        "list_tasks",
        "List cards.",
        (
            Field("status", choices=(*STATUSES, "all")),
            *_FILTERS,
            Field("created"),
            Field("updated"),
        ),
        _list_tasks,
    ),
    _seed("create_task", "Create a card.", _NEW, _create_task, writes=True),
    _seed(
        "update_task",
        "Change a card.",
        (
            Field("id", required=True),
            Field(
                "updates",
                "object",
                about="status, priority, assignee, notes",
                required=True,
            ),
        ),
        _update_task,
        writes=True,
    ),
    _seed(
        "get_task_dependencies",
        "List the cards that a card depends on, or with `reverse` those that depend on it.",
        (Field("id", required=True), Field("reverse", "flag")),
        _get_task_dependencies,
    ),
    _seed(
        "validate_task_graph",
        "Check one card, or all cards, and their dependencies.",
        (Field("id"),),
        _validate_task_graph,
    ),
    _seed(
        "query_graph",
        "Draw the dependencies between cards.",
        (Field("format", choices=("json", "mermaid", "dot"), default="json"),),
        _query_graph,
    ),
    _seed("remember_this", REMEMBER.about, REMEMBER.fields, REMEMBER.run, writes=True),
    _seed("recall_memory", RECALL.about, RECALL.fields, RECALL.run),
    _seed(
        "memory_search", RECALL.about, _also(RECALL.fields, "maxResults"), RECALL.run
    ),
    _seed(
        "memory_context",
        "Recall the lines of the memory that answer a message, each once in a session; none if uncertain.",
        (
            Field("message", required=True, also=("query", "text")),
            Field("budget", "number", about="limit in tokens", least=1),
            Field("session"),
        ),
        _memory_context,
    ),
    _seed("query_experiences", EXPERIENCES.about, EXPERIENCES.fields, EXPERIENCES.run),
    *MEMORY_FILES,
    *CORTEX_SEEDS,
)
