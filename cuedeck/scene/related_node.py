"""Rendering of a related file: heading, reason and selected lines."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.model.ports import Count
from cuedeck.model.scene_values import Shown, View, Visit
from cuedeck.model.secret_placeholder import PLACEHOLDER
from cuedeck.ranking.line_pieces import PricedFile
from cuedeck.ranking.memo import Memo
from cuedeck.ranking.packing import Spans
from cuedeck.ranking.related_cache import Nodes
from cuedeck.scene.fence import fence, language_of
from cuedeck.scene.mask import Mask
from cuedeck.scene.visit_label import Labels


class RelatedRenderer:
    """Renders related files of one scene; `root` is the visit they belong to, `kept` caches nodes of earlier scenes."""

    def __init__(self, mask: Mask, count: Count, labels: Labels, root: Visit, kept: Memo[Nodes] | None = None) -> None:
        self._mask = mask
        self._count = count
        self._labels = labels
        self._root = root
        self._kept: Memo[Nodes] = Memo(dict) if kept is None else kept
        self._made: dict[str, Nodes] = {}

    @property
    def depends(self) -> object:
        """All inputs of a node except its file."""
        return self._root.address, self._labels.budget, self._count.encoding

    @staticmethod
    def is_of_one_scene(shown: Shown) -> bool:
        """Return whether a node is valid in one scene only, because it contains a numbered secret placeholder."""
        return PLACEHOLDER in shown.head or PLACEHOLDER in shown.body

    def node(self, sized: PricedFile, spans: Spans) -> Shown:
        """Return the node of a file with the given lines."""
        path = sized.candidate.path
        if path not in self._made:
            self._made[path] = self._still_good(sized)
        made = self._made[path]
        if spans not in made:
            made[spans] = self._make(sized, spans)
            if self.is_of_one_scene(made[spans]):
                self._made[path] = dict(made)
                del made[spans]
        return self._made[path][spans]

    def _still_good(self, sized: PricedFile) -> Nodes:
        """Return the cached nodes of a file; empty if an input has changed."""
        return self._kept.of(sized.candidate.path, (sized.candidate, sized.lines, self.depends))

    def _make(self, sized: PricedFile, spans: Spans) -> Shown:
        visit = self._visit(sized, spans)
        view: View = "full" if spans == visit.spans else "section"
        head = self._labels.related(visit, view)
        texts = self._mask.lines(visit.path, spans)
        body = fence(_joined(texts, spans, len(sized.lines)), language_of(visit.path))
        tokens = self._count.count(head) + self._count.count(body)
        return Shown(visit, view, head, body, "", tokens, (spans[0][0], spans[-1][1]), reduced=False)

    def _visit(self, sized: PricedFile, spans: Spans) -> Visit:
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


def _joined(texts: Sequence[str], spans: Spans, last: int) -> str:
    """Join spans of a file of `last` lines; a mark with the number of lines replaces each gap."""
    rows: list[str] = []
    shown = 0
    for text, (start, end) in zip(texts, spans, strict=True):
        if start > shown + 1:
            rows.append(_mark(start - shown - 1))
        rows.append(text.removesuffix("\n"))
        shown = end
    if shown < last:
        rows.append(_mark(last - shown))
    return "\n".join(rows)


def _mark(lines: int) -> str:
    """Return the mark for omitted lines; two tokens with the number first, three otherwise."""
    return f"{lines}…"
