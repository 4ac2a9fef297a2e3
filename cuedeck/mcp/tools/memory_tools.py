"""The `remember`, `recall` and `forget` tools for memory records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.mcp.paging import CURSOR, following, limit, offset
from cuedeck.mcp.tool_arguments import Field
from cuedeck.mcp.tool_base import HITS, Arguments, Tool
from cuedeck.model.memory_record import CATEGORIES, DEFAULT_SENSITIVITY, SENSITIVITIES

if TYPE_CHECKING:
    from cuedeck.app.server.live_workspace import LiveWorkspace

CHANNEL = "mcp"


def _remember(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.app.memory.add_record import NewRecord, add_records
    from cuedeck.app.memory.memory_profiles import memory_of
    from cuedeck.app.memory.record_lookup import find_record

    memory = memory_of(project)
    replaced = tuple(find_record(memory, each.removeprefix("record:")).record.id for each in given["supersedes"])
    record = NewRecord(given["text"], given["category"], given["sensitivity"], CHANNEL, 1, given["session"], replaced)
    return {"id": add_records(project, memory, [record])[0]}


def _recall(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.app.memory.memory_profiles import memory_of
    from cuedeck.app.search import recall

    start = offset(given["cursor"])
    answer = recall(
        project,
        memory_of(project),
        given["query"],
        category=given["category"],
        session=given["session"],
        limit=given["limit"],
        offset=start,
    )
    return {**answer, **following(start, len(answer["hits"]), answer["total"])}


def _forget(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.app.memory.forget_record import forget_record
    from cuedeck.app.memory.memory_profiles import memory_of

    identity = given["id"].removeprefix("record:")
    return forget_record(project, memory_of(project), identity, dry_run=given["dry_run"])


REMEMBER = Tool(
    name="remember",
    title="Remember",
    about="Save to memory: keep a fact, preference or lesson for later sessions.",
    fields=(
        Field("text", required=True, also=("content", "memory")),
        Field(
            "category",
            about=", ".join(name for name, category in CATEGORIES.items() if category.ages),
            default="learned",
        ),
        Field("sensitivity", choices=SENSITIVITIES, default=DEFAULT_SENSITIVITY),
        Field("supersedes", "names", about="ids of records it replaces"),
        Field("session"),
    ),
    run=_remember,
    writes=True,
)
RECALL = Tool(
    name="recall",
    title="Recall memory",
    about="Search memory by words: facts, preferences, lessons, past work, archive.",
    fields=(
        Field("query", required=True, also=("q", "text")),
        Field("category"),
        Field("session"),
        limit(10, 50),
        CURSOR,
    ),
    run=_recall,
    output=HITS,
)
FORGET = Tool(
    name="forget",
    title="Forget a record",
    about="Delete a remembered record for good, backups included. Only lists the places unless `dry_run` is false.",
    fields=(Field("id", required=True, also=("record",)), Field("dry_run", "flag", default=True)),
    run=_forget,
    writes=True,
    destroys=True,
    repeats=True,
)
