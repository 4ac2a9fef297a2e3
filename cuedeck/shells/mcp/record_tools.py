"""Tools for ledgers and memory: `decide`, `assume`, `remember`, `recall`, `forget` and
`experiences`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.memory.add_record import NewRecord
from cuedeck.knowledge.memory.add_unknown import add_unknown
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.record_lookup import find_record
from cuedeck.model.memory_record import DEFAULT_SENSITIVITY, SENSITIVITIES
from cuedeck.model.recall_values import KINDS
from cuedeck.model.record_categories import CATEGORIES
from cuedeck.shells.mcp.tool_base import Arguments, Tool
from cuedeck.shells.mcp.tool_result import ResultPage, offset, page
from cuedeck.shells.tool_fields import CURSOR, Field, limit

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace


def _assume(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    if given["resolve"]:
        from cuedeck.work.assumptions.assumption_commands import resolve_assumption

        return resolve_assumption(workspace, given["resolve"], given["text"])
    if given["text"]:
        from cuedeck.work.assumptions.assumption_commands import NewAssumption, add_new

        made = NewAssumption(
            given["text"], "", given["impact"], given["affects"], given["check"]
        )
        return add_new(workspace, made)
    from cuedeck.work.assumptions.assumption_commands import check_assumptions

    answer, well = check_assumptions(workspace)
    return {**answer, "well": well}


ASSUME = Tool(
    name="assume",
    title="Record or check assumptions",
    about="Record an assumption, with a check that detects when it no longer holds. Without `text`: check all "
    "assumptions. Checks: file_exists=PATH, file_absent=PATH, contains=PATH:TEXT, not_contains=PATH:TEXT, "
    "dependency=NAME>=VERSION, config=PATH:KEY=VALUE, doc_says=ADDRESS:TEXT.",
    fields=(
        Field("text"),
        Field("check"),
        Field("impact", about="parts that depend on it"),
        Field("affects", "names", about="addresses"),
        Field("resolve", about="id of a failed assumption that was dealt with"),
    ),
    run=_assume,
    writes=True,
)


CHANNEL = "mcp"
_MOST_HITS = 50
_FILTERS = ("since", "until", "kind", "category", "session")
"""Arguments of `recall` that leave units out."""


def _remember(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:

    memory = memory_of(workspace)
    replaced = tuple(
        find_record(memory, each.removeprefix("record:")).record.id
        for each in given["supersedes"]
    )
    record = NewRecord(
        text=given["text"],
        category=given["category"],
        sensitivity=given["sensitivity"],
        channel=CHANNEL,
        confidence=1,
        session=given["session"],
        supersedes=replaced,
    )
    return add_unknown(workspace, memory, [record])[0].as_json()


def _recall(workspace: LiveWorkspace, given: Arguments) -> ResultPage:
    from cuedeck.knowledge.recall.recall import answer_text, no_match, recall

    start = offset(given["cursor"])
    tokens = given["tokens"] or 0
    answer = recall(
        workspace,
        given["query"],
        since=given["since"],
        until=given["until"],
        kinds=given["kind"],
        category=given["category"],
        session=given["session"],
        limit=given["limit"] or (_MOST_HITS if tokens else 0),
        offset=start,
        tokens=tokens,
        explain=given["explain"],
    )
    lines = [f"note: {note}" for note in answer["notes"]]
    if not answer["total"]:
        filters = [f"`{name}`" for name in _FILTERS if given[name]]
        lines.append(": ".join(no_match(answer["query"], filters)))
    else:
        after = start + len(answer["hits"])
        lines.append(answer_text(workspace, answer, f'; cursor "{after}"'))
    return ResultPage("\n".join(lines))


def _forget(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.knowledge.memory.forget_record import forget_record

    identity = given["id"].removeprefix("record:")
    return forget_record(
        workspace, memory_of(workspace), identity, dry_run=given["dry_run"]
    )


REMEMBER = Tool(
    name="remember",
    title="Remember",
    about="Save to memory: keep a fact, preference or lesson for later sessions.",
    fields=(
        Field("text", required=True, also=("content", "memory")),
        Field(
            "category",
            about=", ".join(
                name for name, category in CATEGORIES.items() if category.ages
            ),
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
    about="Search memory by words: facts, preferences, lessons, past work, docs.",
    fields=(
        Field("query", required=True, also=("q", "text")),
        Field("kind", "names", choices=KINDS),
        Field("since", about="day or age: 2026-05-03, 2w"),
        Field("until"),
        Field("category"),
        Field("session"),
        Field("tokens", "number", about="limit of the answer", least=1),
        Field("explain", "flag"),
        limit(0, _MOST_HITS)._replace(least=0),
        CURSOR,
    ),
    run=_recall,
)
FORGET = Tool(
    name="forget",
    title="Forget a record",
    about="Delete a remembered record for good, backups included. Lists the places only, unless `dry_run` is false.",
    fields=(
        Field("id", required=True, also=("record",)),
        Field("dry_run", "flag", default=True),
    ),
    run=_forget,
    writes=True,
    destroys=True,
    repeats=True,
)


def _experiences(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.knowledge.experiences.query_experiences import (
        check_enabled,
        list_experiences,
        query_experiences,
    )

    workspace.refresh()  # the setting may have changed
    check_enabled(workspace.settings)
    memory = memory_of(workspace)
    if given["query"]:
        return query_experiences(workspace, memory, given["query"], top=given["limit"])
    found = list_experiences(memory, category=given["category"])
    return page(
        "experiences", found["experiences"][::-1], given["cursor"], given["limit"]
    )


EXPERIENCES = Tool(
    name="experiences",
    title="Query experiences",
    about="Search lessons of past sessions; without `query` the newest.",
    fields=(
        Field("query", also=("q", "text")),
        Field("category"),
        limit(8, 50),
        CURSOR._replace(about=""),
    ),
    run=_experiences,
)
