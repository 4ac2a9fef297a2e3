"""Checks of the reference graph: cycles, and docs that nothing refers to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cuedeck.doctor.check_context import CheckContext, ResolvedLink
from cuedeck.graph.cycles import find_cycles
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.file import File
from cuedeck.model.formatting import quoted
from cuedeck.model.scene_values import Target, Unresolved


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
    unused = _without(context.docs, context.resolved_links)
    if unused and not context.everything:
        others: list[ResolvedLink] = []
        for file in context.index.files():
            others += context.resolve_links(file, suggest=False)
        unused = _without(unused, others)
    for file in unused:
        hint = f"cuedeck card ref add CARD {quoted(file.path)}"
        yield Diagnostic(
            file.path, 0, "info", "unused-doc", "no card or doc refers to it", hint
        )


def _without(docs: Iterable[File], links: Iterable[ResolvedLink]) -> Sequence[File]:
    """Return the docs to which none of the links of other files leads."""
    targets = set()
    for each in links:
        if isinstance(each.found, Target) and each.found.path != each.source:
            targets.add(each.found.path)
    folders = tuple(sorted(path for path in targets if path.endswith("/")))
    found = []
    for file in docs:
        if file.path not in targets and not file.path.startswith(folders):
            found.append(file)
    return found
