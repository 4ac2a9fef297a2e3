"""Related tier of a scene: the candidates as headings, reasons and selected lines, within the remaining budget."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.model.ports import Count
from cuedeck.model.scene_values import Shown, View, Visit
from cuedeck.model.secret_placeholder import PLACEHOLDER
from cuedeck.ranking.candidates import CandidatePool
from cuedeck.ranking.line_pieces import NODE_TOKENS, PricedFile
from cuedeck.ranking.memo import Memo
from cuedeck.ranking.packing import Spans, fit
from cuedeck.scene.fence import fence, language_of
from cuedeck.scene.mask import Mask
from cuedeck.scene.visit_heading import Labels

OPENING = "## Related\n\n> Nobody linked these; words, names, imports and history did. `9…` stands for 9 lines.\n\n"


class RelatedTier:
    """Renders the candidates of one scene; `root` is the visit they belong to."""

    def __init__(
        self, candidates: CandidatePool, root: Visit, *, mask: Mask, count: Count, labels: Labels, memo: Memo
    ) -> None:
        self._candidates = candidates
        self._root = root
        self._mask = mask
        self._count = count
        self._labels = labels
        self._memo = memo
        self._inputs = (root.address, labels.budget, count.encoding)
        """All inputs of a node except its file."""

    def show(self, room: int) -> tuple[Shown, ...]:
        """Return the related visits for `room` tokens, best first; the room includes the opening of the section."""
        return self._fit("show", room - self._count.count(OPENING))

    def needs(self, most: int) -> int:
        """Return the part of `most` tokens that the tier can fill, including the opening of the section."""
        opening = self._count.count(OPENING)
        if most - opening < NODE_TOKENS:
            return 0
        if self._candidates.exceeds(most):
            return most
        shown = self._fit("needs", most - opening)
        return opening + sum(each.tokens for each in shown) if shown else 0

    def node(self, file: PricedFile, spans: Spans) -> Shown:
        """Return the node of a file with the given lines, from the memo if the file and its reason are unchanged."""
        name = (file.candidate.path, spans)
        inputs = (file.hash, file.candidate, self._inputs)
        shown = self._memo.get("related node", name, inputs, lambda: self._make(file, spans))
        if _has_placeholder(shown):
            self._memo.forget("related node", name)
        return shown

    def _fit(self, purpose: str, room: int) -> tuple[Shown, ...]:
        """Return the nodes that fit in `room` tokens; the memo keeps the last result of each purpose."""
        if room < NODE_TOKENS:
            return ()
        inputs = (self._candidates, self._inputs, room)
        levels = self._candidates.levels
        shown = self._memo.get("related nodes", purpose, inputs, lambda: fit(levels(room), self.node, room))
        if any(map(_has_placeholder, shown)):
            self._memo.forget("related nodes", purpose)
        return shown

    def _make(self, file: PricedFile, spans: Spans) -> Shown:
        visit = self._visit(file, spans)
        view: View = "full" if spans == visit.spans else "section"
        head = self._labels.related(visit, view)
        texts = self._mask.lines(visit.path, spans)
        body = fence(_joined(texts, spans, len(file.lines)), language_of(visit.path))
        tokens = self._count.count(head) + self._count.count(body)
        return Shown(visit, view, head, body, "", tokens, (spans[0][0], spans[-1][1]), reduced=False)

    def _visit(self, file: PricedFile, spans: Spans) -> Visit:
        candidate = file.candidate
        return Visit(
            address=candidate.path,
            path=candidate.path,
            kind=file.kind,
            tier="related",
            depth=1,
            via=self._root.address,
            edge=candidate.edge,
            why=candidate.why,
            spans=((1, len(file.lines)),),
            whole=True,
            parts=spans,
            wants_full=False,
            pinned=False,
            ranks=tuple(sorted(candidate.ranks.items())),
        )


def _has_placeholder(shown: Shown) -> bool:
    """Return whether a node contains a numbered secret placeholder, so that it is valid in one scene only."""
    return PLACEHOLDER in shown.head or PLACEHOLDER in shown.body


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
