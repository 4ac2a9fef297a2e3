"""Checks of `depends_on`: cards that wait for nobody, and cards that wait for each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cuedeck.app.active import find_card
from cuedeck.app.doctor.cards import near_card
from cuedeck.app.doctor.view import View
from cuedeck.model.errors import Ambiguous, CueDeckError
from cuedeck.model.node import Diagnostic

_KEY = "depends_on"


class _Wait(NamedTuple):
    path: str
    name: str
    target: str
    """Path of the card that is meant; empty when there is none."""
    candidates: tuple[str, ...]


def check_depends_on(view: View) -> Iterator[Diagnostic]:
    """Find dependencies that name no card, or several."""
    for path, name, target, candidates in _waits(view):
        if target:
            continue
        line = view.line_of(path, _KEY)
        if candidates:
            hint = f"name one of them: {', '.join(candidates)}"
            yield Diagnostic(path, line, "error", "ambiguous-dependency", f"depends on `{name}`: several cards", hint)
        else:
            near = near_card(view, name)
            hint = f"did you mean `{near}`?" if near else "`cuedeck list --status all` shows the cards"
            message = f"depends on `{name}`, and there is no such card"
            yield Diagnostic(path, line, "error", "missing-dependency", message, hint)


def check_depends_on_cycles(view: View) -> Iterator[Diagnostic]:
    """Find cards that wait for each other, with the whole path."""
    from cuedeck.graph.cycles import find_cycles

    edges = [(wait.path, wait.target) for wait in _waits(view) if wait.target]
    circles = [*find_cycles(edges), *sorted({(path, target) for path, target in edges if path == target})]
    for circle in circles:
        message = f"cards wait for each other: {' → '.join(circle)}"
        hint = f"take one of these dependencies out: cuedeck card deps {circle[0]} shows them"
        yield Diagnostic(circle[0], view.line_of(circle[0], _KEY), "error", "dependency-cycle", message, hint)


def _waits(view: View) -> Iterator[_Wait]:
    for file in view.cards:
        for name in file.card.depends_on if file.card else ():
            try:
                yield _Wait(file.path, name, find_card(view.project, name).path, ())
            except Ambiguous as error:
                yield _Wait(file.path, name, "", error.candidates)
            except CueDeckError:
                yield _Wait(file.path, name, "", ())
