"""Results of the tools `scene`, `read`, `find` and `recall`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cuedeck.model.errors import Invalid, NotFound
from cuedeck.shells.mcp.tool_base import ROOM, Arguments
from cuedeck.shells.mcp.tool_result import (
    FIRST_PAGE,
    INFO_CHARACTERS,
    MOST_CHARACTERS,
    MOST_TOKENS,
    ResultPage,
    cut_page,
    following,
    offset,
)

if TYPE_CHECKING:
    from cuedeck.context.scene.build_scene import BuiltScene
    from cuedeck.model.cortex_address import LayerName
    from cuedeck.model.ports import JsonView
    from cuedeck.shells.call import Call

_MOST_CALLS = 20
MOST_HITS = 50
"""Maximum hits of one recall."""
_FILTERS = ("since", "until", "kind", "category", "session")
"""Arguments of `recall` that leave units out."""
_SCENE = "SCENE.md"
"""Not part of the graph, but mentioned in briefs and rules."""


def scene(call: Call, given: Arguments) -> JsonView | ResultPage:
    """Return the text of a scene, or why an address is in it."""
    if given["task"] and (given["card"] or given["explain"]):
        raise Invalid(
            "`task` is given together with `card` or `explain`",
            hint="a task without a card has only `task`",
        )
    if given["explain"]:
        from cuedeck.context.scene.explain import why

        return why(call.workspace, given["explain"], given["card"] or None)
    from cuedeck.context.scene.build_scene import Request, make_fitting

    budget = given["budget"]
    tokens, room = (0, given[ROOM]) if budget else (MOST_TOKENS, MOST_CHARACTERS)
    request = Request(given["card"] or None, budget, given["related"], given["task"])
    made = make_fitting(call.workspace, request, tokens, room - INFO_CHARACTERS)
    return ResultPage(made.text, _left_out(made))


def _left_out(made: BuiltScene) -> JsonView | None:
    """Return the omitted parts of the scene, each with the `read` call that shows it;
    None if there are none.
    """
    rows = made.masked_report["left_out"]
    if not rows:
        return None
    calls: list[JsonView] = []
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


def read_page(
    call: Call,
    address: str,
    cursor: str = "",
    *,
    numbers: bool = False,
    layer: LayerName = "L2",
) -> ResultPage:
    """Return the text at an address; for a long text one page and the next cursor.

    With `layer`, its abstract or overview. With `numbers`, each line of a file begins
    with its number. Raises: NotFound with the nearest matches, Ambiguous with the
    candidates, Invalid for a cursor beyond the end.
    """
    from cuedeck.knowledge.layers.read_layer import read_with_layer

    try:
        answer = read_with_layer(call.workspace, address, layer, numbers=numbers)
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
    shown = cut_page(text, start, call.workspace.counter())
    after = following(start, len(shown), len(text))
    if after:
        answer |= {"cut": len(text) - start - len(shown), **after}
    return ResultPage(shown, answer)


def read(call: Call, given: Arguments) -> ResultPage:
    """Return a page of the text at an address, or a layer of it."""
    options = {"numbers": given["numbers"], "layer": given["layer"] or "L2"}
    return read_page(call, given["address"], given["cursor"], **options)


def find_places(call: Call, given: Arguments) -> JsonView:
    """Return a page of places that match words, occurrences as `path:line: text`."""
    from cuedeck.context.search.find_places import find

    start = offset(given["cursor"])
    answer = find(
        call.workspace,
        given["query"],
        kinds=given["kinds"],
        tags=given["tags"],
        limit=given["limit"],
        offset=start,
    )
    rows = [
        f"{row['path']}:{row['line']}: {row['text']}" for row in answer["occurrences"]
    ]
    given_most = max(len(answer["hits"]), len(rows))
    total = max(answer["total"], answer["occurrences_total"])
    return {**answer, "occurrences": rows, **following(start, given_most, total)}


def recall(call: Call, given: Arguments) -> ResultPage:
    """Return the hits of a search in the memory as text."""
    from cuedeck.knowledge.recall.recall import answer_text, no_match
    from cuedeck.knowledge.recall.recall import recall as search

    start = offset(given["cursor"])
    tokens = given["tokens"] or 0
    answer = search(
        call.workspace,
        given["query"],
        since=given["since"],
        until=given["until"],
        kinds=given["kind"],
        category=given["category"],
        session=given["session"],
        limit=given["limit"] or (MOST_HITS if tokens else 0),
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
        lines.append(answer_text(call.workspace, answer, f'; cursor "{after}"'))
    return ResultPage("\n".join(lines))
