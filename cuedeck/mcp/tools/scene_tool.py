"""The `scene` tool: the context of the task, or the reason why an address is in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.mcp.result_limits import INFO_CHARACTERS, LARGEST_CHARACTERS, LIMIT_KEY, MOST_CHARACTERS, MOST_TOKENS
from cuedeck.mcp.tool_arguments import Field
from cuedeck.mcp.tool_base import ALWAYS_LOADED, ROOM, Arguments, ResultPage, Tool
from cuedeck.model.budget_bounds import SMALLEST_BUDGET

if TYPE_CHECKING:
    from cuedeck.app.scene.build_scene import BuiltScene
    from cuedeck.app.server.live_workspace import LiveWorkspace

_MOST_CALLS = 20


def _scene(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any] | ResultPage:
    if given["explain"]:
        from cuedeck.app.scene.explain import why

        return why(project, given["explain"], given["card"] or None)
    from cuedeck.app.scene.build_scene import Request
    from cuedeck.app.scene.fit_scene import make_fitting

    budget = given["budget"]
    tokens, room = (0, given[ROOM]) if budget else (MOST_TOKENS, MOST_CHARACTERS)
    request = Request(given["card"] or None, budget, given["related"])
    made = make_fitting(project, request, tokens, room - INFO_CHARACTERS)
    return ResultPage(made.text, _left_out(made))


def _left_out(made: BuiltScene) -> Mapping[str, Any] | None:
    """Return what the scene omits, each with the `read` call that shows it; None if nothing."""
    rows = made.masked_report["left_out"]
    if not rows:
        return None
    calls: list[Mapping[str, Any]] = []
    free = INFO_CHARACTERS - 200
    for row in rows[:_MOST_CALLS]:
        call = {"read": {"address": row["address"]}, "tokens": row["tokens"], "reason": row["reason"]}
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
    "decisions, failed attempts, progress, memory. Call it first. With `explain` (an address): why that is in it, or "
    "is not.",
    fields=(
        Field("card", about="instead of the active one", also=("id", "card_id")),
        Field("budget", "number", about=f"tokens; at most {MOST_TOKENS:,} unless given", least=SMALLEST_BUDGET,
              most=1_000_000),
        Field("explain", also=("why", "address")),
        Field("related", "flag", about="false: linked files only", default=True),
    ),
    run=_scene,
    meta={LIMIT_KEY: LARGEST_CHARACTERS, ALWAYS_LOADED: True},
)  # fmt: skip
