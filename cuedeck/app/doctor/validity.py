"""What the doctor says of cards alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.app.active import find_card_file, has_id
from cuedeck.app.doctor.dependencies import check_depends_on, check_depends_on_cycles
from cuedeck.app.doctor.own import OWN_CHECKS
from cuedeck.app.doctor.references import unresolved
from cuedeck.app.doctor.view import View
from cuedeck.model.places import CARDS
from cuedeck.store.clock import local_now

if TYPE_CHECKING:
    from cuedeck.app.project import Project

_CHECKS = (*OWN_CHECKS, check_depends_on)


def validate_cards(project: Project, text: str | None) -> dict[str, Any]:
    """Check the front matter, the refs and the dependencies of one card or of all; circles carry their path.

    Order: by path and line.
    Raises: NotFound, Ambiguous, Invalid for a card that is asked for.
    """
    project.refresh()
    view = View(project, project.settings, (), "", local_now())
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
