"""What the doctor says of cards alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cuedeck.app.cards.active_card import find_card_file, has_id
from cuedeck.app.cards.card_dependencies import circles, depends_on_edges, waits_of
from cuedeck.app.doctor.check_cards import check_dates, check_fields, check_ids, check_titles, near_card
from cuedeck.app.doctor.check_context import CheckContext
from cuedeck.app.doctor.check_files import check_front_matter, check_readable, check_ref_items
from cuedeck.model.display import abbreviate, quoted
from cuedeck.model.file import Diagnostic, File
from cuedeck.model.paths import CARDS
from cuedeck.store.clock import local_now

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_KEY = "depends_on"


def check_depends_on(view: CheckContext) -> Iterator[Diagnostic]:
    """Find dependencies that name no card, or several."""
    for path, name, target, candidates in waits_of(view.project):
        if target:
            continue
        line = view.line_of(path, _KEY)
        if candidates:
            hint = f"name one of them: {', '.join(candidates)}"
            yield Diagnostic(
                path, line, "error", "ambiguous-dependency", f"depends on `{abbreviate(name)}`: several cards", hint
            )
        else:
            near = near_card(view, name)
            hint = f"did you mean `{near}`?" if near else "`cuedeck list --status all` lists the cards"
            message = f"depends on `{abbreviate(name)}`, which is not a card"
            yield Diagnostic(path, line, "error", "missing-dependency", message, hint)


def check_depends_on_cycles(view: CheckContext, through: str = "") -> Iterator[Diagnostic]:
    """Find cards that wait for each other, with the whole path; of one card, the circles that it is in."""
    for circle in circles(depends_on_edges(view.project)):
        if through not in ("", *circle):
            continue
        message = f"card dependencies form a cycle: {' → '.join(circle)}"
        hint = f"remove one of these dependencies; `cuedeck card deps {quoted(circle[0])}` lists them"
        yield Diagnostic(circle[0], view.line_of(circle[0], _KEY), "error", "dependency-cycle", message, hint)


OWN_CHECKS = (
    check_front_matter,
    check_readable,
    check_fields,
    check_titles,
    check_ids,
    check_dates,
    check_ref_items,
)
"""Checks of what a card itself says."""


class _OneCard(CheckContext):
    """A workspace of which these checks see one card."""

    def __init__(self, project: Workspace, file: File) -> None:
        super().__init__(project, project.settings, (), "", local_now())
        self._file = file

    @cached_property
    def cards(self) -> tuple[File, ...]:
        return (self._file,)

    @cached_property
    def troubles(self) -> tuple[Diagnostic, ...]:
        of_scan = (Diagnostic(*row) for row in self.index.problems())
        return (*self._file.diagnostics, *(each for each in of_scan if each.path == self._file.path))


def own_problems(project: Workspace, file: File) -> list[Diagnostic]:
    """Return what is wrong with the front matter of a card, by line; where it leads is not looked at.

    Of other cards only those that go by its id are read.
    """
    view = _OneCard(project, file)
    return sorted(each for check in OWN_CHECKS for each in check(view))


_CHECKS = (*OWN_CHECKS, check_depends_on)


def validate_cards(project: Workspace, text: str | None) -> dict[str, Any]:
    """Check the front matter, the refs and the dependencies of one card or of all; circles carry their path.

    Order: by path and line.
    Raises: NotFound, Ambiguous, Invalid for a card that is asked for.
    """
    from cuedeck.app.doctor.check_refs import unresolved

    project.refresh()
    view = CheckContext(project, project.settings, (), "", local_now())
    # What stands among the cards and cannot be read is none, and an error all the same.
    findings = [each for check in _CHECKS for each in check(view) if f"{each.path}/".startswith(f"{CARDS}/")]
    findings += unresolved(view, (lead for file in view.cards for lead in view.leads_of(file)))
    path = ""
    if text:
        file, card = find_card_file(project, text)
        path = file.path
        findings = [
            each
            for each in findings
            if each.path == path or (each.code == "duplicate-id" and has_id(project, each.path, card.id))
        ]
    findings += check_depends_on_cycles(view, path)
    return {
        "valid": not any(each.level == "error" for each in findings),
        "findings": [each._asdict() for each in sorted(findings)],
    }
