"""Checks of the reference graph: cycles, and docs that nothing refers to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.app.doctor.check_context import CheckContext
from cuedeck.graph.cycles import find_cycles
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.formatting import quoted
from cuedeck.model.scene_values import Target, Unresolved

if TYPE_CHECKING:
    pass


def check_ref_cycles(context: CheckContext) -> Iterator[Diagnostic]:
    """Find files whose refs form a cycle, with its full path; links within one file do
    not count.
    """
    edges: dict[tuple[str, str], int] = {}
    for resolved in context.resolved_links:
        if resolved.kind == "config" or isinstance(resolved.found, Unresolved):
            continue
        if resolved.found.kind not in ("folder", "binary"):
            edges.setdefault((resolved.source, resolved.found.path), resolved.link.line)
    for cycle in find_cycles(edges):
        message = f"refs form a cycle: {' → '.join(cycle)}"
        hint = "scenes are still built; `cuedeck scene --strict` fails"
        path, target = cycle[:2]
        line = edges[path, target]
        yield Diagnostic(path, line, "warning", "ref-cycle", message, hint)


def check_unused_docs(context: CheckContext) -> Iterator[Diagnostic]:
    """Find docs of `.cuedeck/docs/` without a ref from another file."""
    targets = set()
    for resolved in context.resolved_links:
        if (
            isinstance(resolved.found, Target)
            and resolved.found.path != resolved.source
        ):
            targets.add(resolved.found.path)
    folders = tuple(sorted(path for path in targets if path.endswith("/")))
    for file in context.docs:
        if file.path not in targets and not file.path.startswith(folders):
            hint = f"cuedeck card ref add CARD {quoted(file.path)}"
            yield Diagnostic(
                file.path, 0, "info", "unused-doc", "no card or doc refers to it", hint
            )
