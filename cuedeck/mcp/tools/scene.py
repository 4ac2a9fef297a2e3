"""`scene`: the context of the task, and why something is in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.mcp.field import Field
from cuedeck.mcp.tool import Arguments, Page, Tool
from cuedeck.model.scene import SMALLEST_BUDGET

if TYPE_CHECKING:
    from cuedeck.app.serving.followed import FollowedProject


def _scene(project: FollowedProject, given: Arguments) -> Mapping[str, Any] | Page:
    if given["explain"]:
        from cuedeck.app.why import why

        return why(project, given["explain"], given["card"] or None)
    from cuedeck.app.scene import Request, make_scene

    made = make_scene(project, Request(given["card"] or None, given["budget"], given["related"]))
    return Page(made.text)


SCENE = Tool(
    name="scene",
    title="Build context",
    about="Context of the task, within a token budget: the active card, the docs and code it refers to, related files, "
    "decisions, failed attempts, progress, memory. Read it before work. With `explain` (an address): why that is in "
    "it, or is not.",
    fields=(
        Field("card", about="instead of the active one", also=("id", "card_id")),
        Field("budget", "number", about="tokens", least=SMALLEST_BUDGET, most=1_000_000),
        Field("explain", also=("why", "address")),
        Field("related", "flag", about="false: linked files only", default=True),
    ),
    run=_scene,
)
