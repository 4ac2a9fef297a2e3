"""Findings of doctor as diagnostics of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.doctor.check_context import CheckContext
from cuedeck.doctor.check_ledgers import check_assumptions
from cuedeck.doctor.check_refs import diagnose_links
from cuedeck.doctor.validate_cards import (
    check_depends_on,
    check_depends_on_cycles,
    own_problems,
)
from cuedeck.model.address import split_anchor
from cuedeck.model.errors import Stale
from cuedeck.model.file import CLOSED
from cuedeck.model.paths import ASSUMPTIONS, HOME
from cuedeck.model.ports import Json
from cuedeck.shells.lsp.view import followed_links

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.diagnostic import Diagnostic
    from cuedeck.shells.lsp.view import View

_SEVERITIES = {
    "error": 1,
    "warning": 2,
    "info": 3,
}


def diagnose(view: View, params: Any = None) -> Json:
    """Return the report with the diagnostics of a document."""
    followed_links(view.workspace)  # before the next request needs them
    try:
        findings = _findings(view.workspace, view.path)
    except Stale:  # the next change of the file is diagnosed
        findings = ()
    items = []
    for finding in findings:
        hint = f"; {finding.hint}" if finding.hint else ""
        item = {
            "range": _range(view, finding),
            "severity": _SEVERITIES[finding.level],
            "code": finding.code,
            "source": "cuedeck",
            "message": finding.message + hint,
        }
        items.append(item)
    return report(*items)


def report(*items: Json) -> Json:
    """Return a full report for a client that pulls diagnostics."""
    return {
        "kind": "full",
        "items": list(items),
    }


def _range(view: View, finding: Diagnostic) -> Json:
    """Return the range of the ref that a finding is about, else of its line."""
    for span in view.spans:
        if span.link.line == finding.line and _is_named(span.link.ref, finding.message):
            return view.document.range(*span.label)
    return view.document.line_range(finding.line)


def _is_named(ref: str, message: str) -> bool:
    anchor = split_anchor(ref)[1]
    return f"`{ref}`" in message or bool(anchor and f"`#{anchor}`" in message)


def _findings(workspace: Workspace, path: str) -> Sequence[Diagnostic]:
    """Return the findings of doctor about a card, a doc or `assumptions.toml`, in order
    of line, with their levels; none for any other file.

    The index must be up to date. Raises: Stale, StorageError.
    """
    if path == ASSUMPTIONS:
        found = check_assumptions(CheckContext(workspace))
        return sorted(each for each in found if each.path == path)
    file = workspace.index.file(path)
    if file is None or file.kind == "binary":
        return ()
    context = CheckContext(workspace)
    problems = list(file.diagnostics)
    if file.card is not None:
        problems = own_problems(workspace, file)
        if file.card.depends_on:
            found = [
                *check_depends_on(context),
                *check_depends_on_cycles(context, path),
            ]
            problems += [each for each in found if each.path == path]
    if file.card is None or file.card.status not in CLOSED:
        links = context.resolve_links(path, file.links)
        is_own = path.startswith(f"{HOME}/")
        for each in diagnose_links(context, links):
            is_softer = each.level == "error" and not is_own
            problems.append(each._replace(level="warning") if is_softer else each)
    return sorted(set(problems))
