"""Validation of one card or of all cards (`cuedeck card validate`), and checks of card
dependencies.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

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
from cuedeck.store.clock import local_now
from cuedeck.work.cards.card_dependencies import (
    dependencies_of,
    depends_on_edges,
    find_dependency_cycles,
)

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_KEY = "depends_on"


@check("depends-on", "each dependency names exactly one card")
def check_depends_on(context: CheckContext) -> Iterator[Diagnostic]:
    for path, name, target, candidates in dependencies_of(context.index):
        if target:
            continue
        line = context.line_of(path, _KEY)
        if candidates:
            hint = f"name one of them: {', '.join(candidates)}"
            yield failure(
                path,
                "ambiguous-dependency",
                f"depends on `{abbreviate(name)}`: several cards",
                hint,
                line,
            )
        else:
            similar = suggest_card(context, name)
            hint = (
                f"did you mean `{similar}`?"
                if similar
                else "`cuedeck list --status all` lists the cards"
            )
            message = f"depends on `{abbreviate(name)}`, which is not a card"
            yield failure(path, "missing-dependency", message, hint, line)


@check("depends-on-cycles", "dependencies form no cycle")
def check_depends_on_cycles(
    context: CheckContext, through: str = ""
) -> Iterator[Diagnostic]:
    for cycle in find_dependency_cycles(depends_on_edges(context.index)):
        if through not in ("", *cycle):
            continue
        message = f"card dependencies form a cycle: {' → '.join(cycle)}"
        hint = f"remove one of these dependencies; `cuedeck card deps {quoted(cycle[0])}` lists them"
        yield failure(
            cycle[0], "dependency-cycle", message, hint, context.line_of(cycle[0], _KEY)
        )


OWN_CHECKS = (*PARSED, check_titles, check_ids, check_dates)
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
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        of_scan = [Diagnostic(*row) for row in self.index.problems()]
        own = [
            diagnostic for diagnostic in of_scan if diagnostic.path == self._file.path
        ]
        return (*self._file.diagnostics, *own)


def own_problems(workspace: Workspace, file: File) -> list[Diagnostic]:
    """Return the problems in the content of a card, in order of line. Targets of refs
    are not checked.

    Other cards are read only if they have the same id.
    """
    context = _OneCard(workspace, file)
    return sorted(chain.from_iterable(find(context) for find in OWN_CHECKS))


def validate_cards(workspace: Workspace, text: str | None) -> dict[str, Any]:
    """Check the front matter, refs and dependencies of one card, or of all cards if
    `text` is empty.

    Order of findings: by path and line.
    Raises: NotFound, Ambiguous or Invalid for the card named by `text`.
    """
    from cuedeck.doctor.check_refs import diagnose_links

    workspace.refresh()
    context = CheckContext(
        workspace=workspace,
        settings=workspace.settings,
        config=(),
        fault="",
        now=local_now(),
    )
    # Include all files below cards/: an unreadable file is not in `context.cards`, but
    # must be reported.
    findings: list[Diagnostic] = []
    for find in (*OWN_CHECKS, check_depends_on):
        findings += [
            finding
            for finding in find(context)
            if f"{finding.path}/".startswith(f"{CARDS}/")
        ]
    for file in context.cards:
        findings += diagnose_links(context, context.resolve_links(file))
    path = ""
    if text:
        file, card = find_card_file(workspace.index, text)
        path = file.path
        duplicates = [
            each
            for each in findings
            if each.code == "duplicate-id" and each.path != path
        ]
        findings = [each for each in findings if each.path == path]
        findings += [
            each for each in duplicates if has_id(workspace.index, each.path, card.id)
        ]
    findings += check_depends_on_cycles(context, path)
    return {
        "valid": not any(finding.level == "error" for finding in findings),
        "findings": [finding._asdict() for finding in sorted(findings)],
    }
