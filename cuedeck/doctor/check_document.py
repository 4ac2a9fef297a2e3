"""Findings about one document, whose text may be that of an editor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.doctor.check_context import CheckContext
from cuedeck.doctor.check_ledgers import check_assumptions
from cuedeck.doctor.check_refs import diagnose_links
from cuedeck.doctor.validate_cards import (
    check_depends_on,
    check_depends_on_cycles,
    own_problems,
)
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.file import CLOSED
from cuedeck.model.paths import ASSUMPTIONS, HOME

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.file import File


def document_findings(workspace: Workspace, path: str) -> Sequence[Diagnostic]:
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
            problems += _dependencies(context, file)
    closed = file.card is not None and file.card.status in CLOSED
    if not closed:
        links = context.resolve_links(path, file.links)
        is_own = path.startswith(f"{HOME}/")
        for each in diagnose_links(context, links):
            is_softer = each.level == "error" and not is_own
            problems.append(each._replace(level="warning") if is_softer else each)
    return sorted(set(problems))


def _dependencies(context: CheckContext, file: File) -> list[Diagnostic]:
    """Return the findings about the dependencies of one card."""
    found = [*check_depends_on(context), *check_depends_on_cycles(context, file.path)]
    return [each for each in found if each.path == file.path]
