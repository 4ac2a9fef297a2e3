"""Tools that build and read context: `scene`, `read`, `find` and `doctor`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.model.budget_bounds import SMALLEST_BUDGET
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.parse.fence import GUTTER
from cuedeck.shells.mcp.tool_base import (
    ALWAYS_LOADED,
    HITS,
    LIMIT_KEY,
    ROOM,
    SEARCHED,
    Arguments,
    Tool,
)
from cuedeck.shells.mcp.tool_result import (
    FIRST_PAGE,
    INFO_CHARACTERS,
    LARGEST_CHARACTERS,
    MOST_CHARACTERS,
    MOST_TOKENS,
    ResultPage,
    cut_page,
    following,
    offset,
    page,
)
from cuedeck.shells.tool_fields import CURSOR, LONGEST_ADDRESS, Field, limit

if TYPE_CHECKING:
    from cuedeck.context.scene.build_scene import BuiltScene
    from cuedeck.engine.live.live_workspace import LiveWorkspace
    from cuedeck.model.cortex_address import LayerName

_MOST_CALLS = 20


def _scene(
    workspace: LiveWorkspace, given: Arguments
) -> Mapping[str, Any] | ResultPage:
    if given["task"] and (given["card"] or given["explain"]):
        raise Invalid(
            "`task` is given together with `card` or `explain`",
            hint="a task without a card has only `task`",
        )
    if given["explain"]:
        from cuedeck.context.scene.explain import why

        return why(workspace, given["explain"], given["card"] or None)
    from cuedeck.context.scene.build_scene import Request
    from cuedeck.context.scene.fit_scene import make_fitting

    budget = given["budget"]
    tokens, room = (0, given[ROOM]) if budget else (MOST_TOKENS, MOST_CHARACTERS)
    request = Request(given["card"] or None, budget, given["related"], given["task"])
    made = make_fitting(workspace, request, tokens, room - INFO_CHARACTERS)
    return ResultPage(made.text, _left_out(made))


def _left_out(made: BuiltScene) -> Mapping[str, Any] | None:
    """Return the omitted parts of the scene, each with the `read` call that shows it;
    None if there are none.
    """
    rows = made.masked_report["left_out"]
    if not rows:
        return None
    calls: list[Mapping[str, Any]] = []
    free = INFO_CHARACTERS - 200
    for row in rows[:_MOST_CALLS]:
        call = {
            "read": {"address": row["address"]},
            "tokens": row["tokens"],
            "reason": row["reason"],
        }
        free -= len(json.dumps(call, ensure_ascii=False)) + 1
        if free < 0:
            break
        calls.append(call)
    return {
        "budget": made.masked_report["budget"],
        "tokens": made.masked_report["tokens"],
        "left_out": calls,
        "total": len(rows),
    }


SCENE = Tool(
    name="scene",
    title="Build context",
    about="Context of the task, within a token budget: the active card, the docs and code it refers to, related files, "
    "decisions, failed attempts, progress, memory. Call it first. With `explain` (an address): why it is included "
    "or omitted.",
    fields=(
        Field("card", about="instead of the active one", also=("id", "card_id")),
        Field("task", about="text of a task without a card", also=("text",)),
        Field("budget", "number", about=f"tokens; at most {MOST_TOKENS:,} unless given", least=SMALLEST_BUDGET,
              most=1_000_000),
        Field("explain", also=("why", "address"), longest=LONGEST_ADDRESS),
        Field("related", "flag", about="false: linked files only", default=True),
    ),
    run=_scene,
    meta={LIMIT_KEY: LARGEST_CHARACTERS, ALWAYS_LOADED: True},
    is_general=True,
)  # fmt: skip


_SCENE = "SCENE.md"
"""Not part of the graph, but mentioned in briefs and rules."""
_LINED = ("card", "doc", "source", "memory", "cortex")


def read_page(
    workspace: LiveWorkspace,
    address: str,
    cursor: str = "",
    *,
    numbers: bool = False,
    layer: LayerName = "L2",
) -> ResultPage:
    """Return the text at an address; for a long text one page, the next cursor and the
    address of the rest.

    With `layer`, its abstract or overview. With `numbers`, each line of a file begins
    with its number. Raises: NotFound with the nearest matches, Ambiguous with the
    candidates, Invalid for a cursor beyond the end.
    """
    from cuedeck.knowledge.layers.read_layer import read_with_layer

    try:
        answer = read_with_layer(workspace, address, layer, numbers=numbers)
    except NotFound as error:
        if address.strip().endswith(_SCENE):
            raise NotFound(
                error.message, hint="call `scene` to get its content"
            ) from error
        raise
    text = answer.pop("text")
    start = offset(cursor)
    if start > len(text):
        raise Invalid(
            f"`cursor` is beyond the end of {answer['address']}", hint=FIRST_PAGE
        )
    shown = cut_page(text, start, workspace.counter())
    if start + len(shown) == len(text):
        return ResultPage(shown, answer)
    end = start + len(shown)
    return ResultPage(
        shown,
        {
            **answer,
            "cut": len(text) - end,
            "next": str(end),
            **_rest(answer, text[:end], numbers=numbers),
        },
    )


def _rest(answer: dict[str, Any], shown: str, *, numbers: bool) -> dict[str, str]:
    """Return the address of the remaining lines; empty if it cannot be given as
    lines.
    """
    if not shown.endswith("\n") or answer["kind"] not in _LINED or "layer" in answer:
        return {}
    start, end = answer["lines"]
    following_line = start + shown.count("\n")
    if numbers:
        last_row = shown[:-1].rpartition("\n")[2]
        number = last_row.partition(GUTTER)[0]
        if number.isdecimal():  # no place in a cell of a notebook
            following_line = 1 + int(number)
    return {"rest": f"{answer['path']}#L{following_line}-L{end}"}


def _read(workspace: LiveWorkspace, given: Arguments) -> ResultPage:
    return read_page(
        workspace,
        given["address"],
        given[CURSOR.name],
        numbers=given["numbers"],
        layer=given["layer"] or "L2",
    )


READ = Tool(
    name="read",
    title="Read an address",
    about="Read an address that the context of the task names: a card, doc, section, source file, symbol, line range, "
    "folder, memory file or ledger entry: `docs/auth.md`, `docs/auth.md#LoginFlow`, `src/auth.py#Login.verify`, "
    "`src/auth.py#L10-L40`, `decision:ID`, a card's id. An unknown address returns the nearest matches.",
    fields=(
        Field(
            "address",
            required=True,
            also=("path", "uri", "ref", "id"),
            longest=LONGEST_ADDRESS,
        ),
        Field("numbers", "flag", about="with line numbers"),
        Field("layer", choices=("L0", "L1"), about="abstract or overview"),
        CURSOR,
    ),
    run=_read,
    meta={LIMIT_KEY: LARGEST_CHARACTERS, SEARCHED: "context of the task"},
    is_general=True,
)


_KINDS = ("card", "doc", "source")


def _find(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.context.search.find_places import find

    start = offset(given["cursor"])
    answer = find(
        workspace,
        given["query"],
        kinds=given["kinds"],
        tags=given["tags"],
        limit=given["limit"],
        offset=start,
    )
    rows = [
        f"{row['path']}:{row.get('cell', row['line'])}: {row['text']}"
        for row in answer["occurrences"]
    ]
    given_most = max(len(answer["hits"]), len(rows))
    total = max(answer["total"], answer["occurrences_total"])
    return {**answer, "occurrences": rows, **following(start, given_most, total)}


FIND = Tool(
    name="find",
    title="Find code and docs",
    about="Search the workspace by words for the context of a task: addresses, titles, headings, symbols, text of "
    "cards, docs and code. Best matches first, each with an address for `read`; for an identifier, punctuation "
    "or quotes also every line.",
    fields=(
        Field("query", required=True, also=("q", "words", "text")),
        Field("kinds", "names", choices=_KINDS, also=("kind",)),
        Field("tags", "names", also=("tag",)),
        limit(20, 100),
        CURSOR,
    ),
    run=_find,
    output=HITS,
    meta={SEARCHED: "context of the task"},
    is_general=True,
)


def _doctor(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.doctor.examine import examine

    report = examine(workspace, workspace.progress).as_json()
    return {
        **report,
        **page("findings", report["findings"], given["cursor"], given["limit"]),
    }


DOCTOR = Tool(
    name="doctor",
    title="Check the workspace",
    about="Find dead refs, cycles, broken cards, failed assumptions, bad settings.",
    fields=(limit(50, 500), CURSOR._replace(about="")),
    run=_doctor,
)
