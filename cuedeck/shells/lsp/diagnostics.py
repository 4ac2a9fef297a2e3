"""Findings of doctor as diagnostics of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.doctor.check_document import document_findings
from cuedeck.model.address import split_anchor
from cuedeck.model.errors import Stale
from cuedeck.model.ports import Json
from cuedeck.shells.lsp.view import followed_links

if TYPE_CHECKING:
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
        findings = document_findings(view.workspace, view.path)
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
