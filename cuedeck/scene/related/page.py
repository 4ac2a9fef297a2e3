"""A related file on the page: heading, reason, and the lines chosen of it."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.model.ports import Count
from cuedeck.model.scene import Shown, Span, View, Visit
from cuedeck.scene.fence import fence, language_of
from cuedeck.scene.label import Labels
from cuedeck.scene.mask import Mask
from cuedeck.scene.related.choice import GAP_TOKENS, Sized

_WHOLE = 1.35
"""A file is shown whole when that costs at most so many times what is chosen of it."""


class Page:
    """Puts files on one page; `root` is the visit they belong to."""

    def __init__(self, mask: Mask, count: Count, labels: Labels, root: Visit) -> None:
        self._mask = mask
        self._count = count
        self._labels = labels
        self._root = root
        self._made: dict[tuple[str, tuple[Span, ...]], Shown] = {}

    def node(self, sized: Sized, lines: Sequence[int]) -> Shown:
        """Return a file with some of its lines, in order; all of them when little is missing."""
        chosen = set(lines)
        part = sum(sized.costs[line - 1] + GAP_TOKENS * (line - 1 not in chosen) for line in lines)
        if sum(sized.costs) <= part * _WHOLE:
            lines = range(1, len(sized.lines) + 1)
        spans = _spans(lines)
        key = (sized.candidate.path, spans)
        if key not in self._made:
            self._made[key] = self._make(sized, spans)
        return self._made[key]

    def _make(self, sized: Sized, spans: tuple[Span, ...]) -> Shown:
        visit = self._visit(sized, spans)
        view: View = "full" if spans == visit.spans else "section"
        head = self._labels.related(visit, view)
        texts = self._mask.lines(visit.path, spans)
        body = fence(_joined(texts, spans, len(sized.lines)), language_of(visit.path))
        tokens = self._count.count(head) + self._count.count(body)
        return Shown(visit, view, head, body, "", tokens, (spans[0][0], spans[-1][1]), reduced=False)

    def _visit(self, sized: Sized, spans: tuple[Span, ...]) -> Visit:
        candidate = sized.candidate
        return Visit(
            address=candidate.path,
            path=candidate.path,
            kind=sized.kind,
            tier="related",
            depth=1,
            via=self._root.address,
            edge=candidate.edge,
            why=candidate.why,
            spans=((1, len(sized.lines)),),
            whole=True,
            parts=spans,
            wants_full=False,
            pinned=False,
            ranks=tuple(sorted(candidate.ranks.items())),
        )


def _spans(lines: Sequence[int]) -> tuple[Span, ...]:
    spans: list[Span] = []
    for line in lines:
        if spans and line == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], line)
        else:
            spans.append((line, line))
    return tuple(spans)


def _joined(texts: Sequence[str], spans: Sequence[Span], last: int) -> str:
    """Join stretches of a file of `last` lines; where lines are left out, a mark says how many."""
    rows: list[str] = []
    shown = 0
    for text, (start, end) in zip(texts, spans, strict=True):
        if start > shown + 1:
            rows.append(f"…{start - shown - 1}")
        rows.append(text.removesuffix("\n"))
        shown = end
    if shown < last:
        rows.append(f"…{last - shown}")
    return "\n".join(rows)
