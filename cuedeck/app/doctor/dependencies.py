"""Checks of `depends_on`: cards that wait for nobody, and cards that wait for each other."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.app.dependencies import circles, depends_on_edges, waits_of
from cuedeck.app.doctor.cards import near_card
from cuedeck.app.doctor.view import View
from cuedeck.model.node import Diagnostic
from cuedeck.model.shown import quoted, told

_KEY = "depends_on"


def check_depends_on(view: View) -> Iterator[Diagnostic]:
    """Find dependencies that name no card, or several."""
    for path, name, target, candidates in waits_of(view.project):
        if target:
            continue
        line = view.line_of(path, _KEY)
        if candidates:
            hint = f"name one of them: {', '.join(candidates)}"
            yield Diagnostic(
                path, line, "error", "ambiguous-dependency", f"depends on `{told(name)}`: several cards", hint
            )
        else:
            near = near_card(view, name)
            hint = f"did you mean `{near}`?" if near else "`cuedeck list --status all` lists the cards"
            message = f"depends on `{told(name)}`, which is not a card"
            yield Diagnostic(path, line, "error", "missing-dependency", message, hint)


def check_depends_on_cycles(view: View, through: str = "") -> Iterator[Diagnostic]:
    """Find cards that wait for each other, with the whole path; of one card, the circles that it is in."""
    for circle in circles(depends_on_edges(view.project)):
        if through not in ("", *circle):
            continue
        message = f"card dependencies form a cycle: {' → '.join(circle)}"
        hint = f"remove one of these dependencies; `cuedeck card deps {quoted(circle[0])}` lists them"
        yield Diagnostic(circle[0], view.line_of(circle[0], _KEY), "error", "dependency-cycle", message, hint)
