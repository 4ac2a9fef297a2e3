"""Validation of one card or of all cards (`cuedeck card validate`), and checks of card
dependencies.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from cuedeck.doctor.check_cards import (
    PARSED,
    check_dates,
    check_ids,
    check_titles,
    suggest_card,
)
from cuedeck.doctor.check_context import CheckContext, check, failure
from cuedeck.engine.active_card import find_card_file, has_id
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.file import File
from cuedeck.model.formatting import abbreviate, quoted
from cuedeck.model.paths import CARDS
from cuedeck.work.cards.card_dependencies import (
    dependencies_of,
    depends_on_edges,
    find_dependency_cycles,
)

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Json

_KEY = "depends_on"


@check("depends-on", "each dependency names exactly one card")
def check_depends_on(context: CheckContext) -> Iterator[Diagnostic]:
    for path, name, target, candidates in dependencies_of(context.index):
        if target:
            continue
        line = context.line_of(path, _KEY)
        written = f"depends on `{abbreviate(name)}`"
        if candidates:
            hint = f"name one of them: {', '.join(candidates)}"
            yield failure(
                path, "ambiguous-dependency", f"{written}: several cards", hint, line
            )
            continue
        similar = suggest_card(context, name)
        hint = "`cuedeck list --status all` lists the cards"
        if similar:
            hint = f"did you mean `{similar}`?"
        yield failure(
            path, "missing-dependency", f"{written}, which is not a card", hint, line
        )


@check("depends-on-cycles", "dependencies form no cycle")
def check_depends_on_cycles(
    context: CheckContext, through: str = ""
) -> Iterator[Diagnostic]:
    for cycle in find_dependency_cycles(depends_on_edges(context.index)):
        first = cycle[0]
        if through in ("", *cycle):
            message = f"card dependencies form a cycle: {' → '.join(cycle)}"
            hint = f"remove one of these dependencies; `cuedeck card deps {quoted(first)}` lists them"
            line = context.line_of(first, _KEY)
            yield failure(first, "dependency-cycle", message, hint, line)


OWN_CHECKS = (*PARSED, check_titles, check_ids, check_dates)
"""Checks of the content of a card, without the targets of its refs and dependencies."""


class _OneCard(CheckContext):
    """A check context that contains a single card."""

    def __init__(self, workspace: Workspace, file: File) -> None:
        super().__init__(workspace)
        self.cards = (file,)
        of_scan = [Diagnostic(*row) for row in self.index.problems()]
        own = [each for each in of_scan if each.path == file.path]
        self.diagnostics = (*file.diagnostics, *own)


def own_problems(workspace: Workspace, file: File) -> list[Diagnostic]:
    """Return the problems in the content of a card, in order of line. Targets of refs
    are not checked.

    Other cards are read only if they have the same id.
    """
    context = _OneCard(workspace, file)
    return sorted(chain.from_iterable(find(context) for find in OWN_CHECKS))


def validate_cards(workspace: Workspace, text: str | None) -> Json:
    """Check the front matter, refs and dependencies of one card, or of all cards if
    `text` is empty.

    Order of findings: by path and line.
    Raises: NotFound, Ambiguous or Invalid for the card named by `text`.
    """
    from cuedeck.doctor.check_refs import diagnose_links

    workspace.refresh()
    context = CheckContext(workspace)
    # Include all files below cards/: an unreadable file is not in `context.cards`, but
    # must be reported.
    found = chain.from_iterable(
        find(context) for find in (*OWN_CHECKS, check_depends_on)
    )
    findings = [each for each in found if f"{each.path}/".startswith(f"{CARDS}/")]
    for file in context.cards:
        links = context.resolve_links(file.path, file.links)
        findings += diagnose_links(context, links)
    path = ""
    if text:
        file, card = find_card_file(workspace.index, text)
        path = file.path
        findings = [
            each
            for each in findings
            if each.path == path
            or (
                each.code == "duplicate-id"
                and has_id(workspace.index, each.path, card.id)
            )
        ]
    findings += check_depends_on_cycles(context, path)
    return {
        "valid": not any(finding.level == "error" for finding in findings),
        "findings": [finding._asdict() for finding in sorted(findings)],
    }
