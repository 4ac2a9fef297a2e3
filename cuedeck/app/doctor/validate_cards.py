"""Validation of one card or of all cards (`cuedeck card validate`), and checks of card dependencies."""

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
    """Find dependencies that match no card or several cards."""
    for path, name, target, candidates in waits_of(view.workspace):
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
    """Find dependency cycles, with their full path; with `through`, only the cycles that contain this card path."""
    for circle in circles(depends_on_edges(view.workspace)):
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
"""Checks of the content of a card, without the targets of its refs and dependencies."""


class _OneCard(CheckContext):
    """A check context that contains a single card."""

    def __init__(self, workspace: Workspace, file: File) -> None:
        super().__init__(workspace, workspace.settings, (), "", local_now())
        self._file = file

    @cached_property
    def cards(self) -> tuple[File, ...]:
        return (self._file,)

    @cached_property
    def troubles(self) -> tuple[Diagnostic, ...]:
        of_scan = (Diagnostic(*row) for row in self.index.problems())
        return (*self._file.diagnostics, *(each for each in of_scan if each.path == self._file.path))


def own_problems(workspace: Workspace, file: File) -> list[Diagnostic]:
    """Return the problems in the content of a card, in order of line. Targets of refs are not checked.

    Other cards are read only if they have the same id.
    """
    view = _OneCard(workspace, file)
    return sorted(each for check in OWN_CHECKS for each in check(view))


_CHECKS = (*OWN_CHECKS, check_depends_on)


def validate_cards(workspace: Workspace, text: str | None) -> dict[str, Any]:
    """Check the front matter, refs and dependencies of one card, or of all cards if `text` is empty.

    Order of findings: by path and line.
    Raises: NotFound, Ambiguous or Invalid for the card named by `text`.
    """
    from cuedeck.app.doctor.check_refs import unresolved

    workspace.refresh()
    view = CheckContext(workspace, workspace.settings, (), "", local_now())
    # Include all files below cards/: an unreadable file is not in `view.cards`, but must be reported.
    findings = [each for check in _CHECKS for each in check(view) if f"{each.path}/".startswith(f"{CARDS}/")]
    findings += unresolved(view, (lead for file in view.cards for lead in view.leads_of(file)))
    path = ""
    if text:
        file, card = find_card_file(workspace, text)
        path = file.path
        findings = [
            each
            for each in findings
            if each.path == path or (each.code == "duplicate-id" and has_id(workspace, each.path, card.id))
        ]
    findings += check_depends_on_cycles(view, path)
    return {
        "valid": not any(each.level == "error" for each in findings),
        "findings": [each._asdict() for each in sorted(findings)],
    }
