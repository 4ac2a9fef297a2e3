"""Related tier of a scene: the candidates as headings, reasons and numbered passages,
then the less likely ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.context.ranking.line_pieces import (
    NODE_TOKENS,
    CandidatePool,
    PricedFile,
    Spans,
)
from cuedeck.context.ranking.memo import Memo
from cuedeck.context.scene.visit_heading import VisitRenderer
from cuedeck.model.scene_values import Shown, View, Visit
from cuedeck.model.secret import PLACEHOLDER
from cuedeck.parse.fence import LONGEST_LINE, fence, fold, language_of, number_lines

OPENING = "## Related\n\n> Files without a link from the task; words, names, imports and history suggest them.\n\n"
LISTED_OPENING = "> Less likely, one line of each file:\n\n"
_MOST_LISTED = 10
"""Maximum number of files without a passage."""
_LISTED_SHARE = 0.3
"""Share of the room that files with passages leave to files without."""
_LISTED_RESERVE = 300
"""Maximum tokens of that share: enough for `_MOST_LISTED` lines."""
_LEAST_LISTED = 20
"""Tokens of room below which no file is listed."""


class RelatedPart(NamedTuple):
    """The related part of a scene."""

    nodes: tuple[Shown, ...] = ()
    """Files with passages, best first."""
    listed: tuple[Shown, ...] = ()
    """Files that are shown as one line each, best first."""
    pieces: tuple[str, ...] = ()
    """The text: introduction, headings and bodies, and the listed files."""

    @property
    def shown(self) -> tuple[Shown, ...]:
        """All files of the part."""
        return (*self.nodes, *self.listed)


class RelatedTier:
    """Renders the candidates of one scene; `root` is the visit they belong to."""

    def __init__(
        self,
        candidates: CandidatePool,
        root: Visit,
        renderer: VisitRenderer,
        memo: Memo,
    ) -> None:
        self._candidates = candidates
        self._root = root
        self._renderer = renderer
        self._count = renderer.count.count
        self._memo = memo
        self._inputs = (root.address, renderer.budget, renderer.count.encoding)
        """All inputs of a node except its file."""

    def show(self, room: int) -> RelatedPart:
        """Return the related files for `room` tokens, including the opening and the map
        lines.
        """
        part = self._show(room, 0)
        shown = {each.visit.path for each in part.shown}
        unlisted = self._candidates.listed(shown, _MOST_LISTED)
        if not unlisted or len(part.listed) == _MOST_LISTED:
            return part
        reserve = min(int(room * _LISTED_SHARE), _LISTED_RESERVE)
        _, listing = self._list(part.nodes, reserve)
        longer = self._show(room, sum(map(self._count, listing)))
        has_more = len(longer.shown) > len(part.shown)
        return longer if longer.nodes and has_more else part

    def _show(self, room: int, reserve: int) -> RelatedPart:
        room -= self._count(OPENING)
        nodes = self._fit(room - reserve)
        room -= sum(each.cost for each in nodes)
        listed, listing = self._list(nodes, room)
        if not nodes and not listed:
            return RelatedPart()
        texts = [text for each in nodes for text in (each.head, each.body)]
        return RelatedPart(nodes, listed, (OPENING, *texts, *listing))

    def needs(self, most: int) -> int:
        """Return the part of `most` tokens that files with passages can fill, including
        the opening.
        """
        opening = self._count(OPENING)
        shown = self._fit(most - opening)
        return opening + sum(each.cost for each in shown) if shown else 0

    def node(self, file: PricedFile, spans: Spans) -> Shown:
        """Return the node of a file with the given lines, from the memo if the file and
        its reason are unchanged.
        """
        name = (file.candidate.path, spans)
        inputs = (file.hash, file.candidate, self._inputs)
        shown = self._memo.get(
            "related node", name, inputs, lambda: self._make(file, spans)
        )
        if PLACEHOLDER in shown.head + shown.body:
            # Numbers of placeholders are valid in one scene only.
            self._memo.forget("related node", name)
        return shown

    def _fit(self, room: int) -> tuple[Shown, ...]:
        if room < NODE_TOKENS:
            return ()
        return self._candidates.fit(self.node, room)

    def _make(self, file: PricedFile, spans: Spans) -> Shown:
        visit = self._visit(file, spans)
        renderer = self._renderer
        known = self._renderer.lookup.file(visit.path)
        assert known is not None
        heads = {symbol.head for symbol in known.symbols}
        heads |= {section.start for section in known.sections}
        longest = LONGEST_LINE if file.kind == "source" else 0
        rows = number_lines(renderer.mask.numbered(visit.path, spans), longest, heads)
        body = fence("\n".join(rows), language_of(visit.path))
        view: View = "full" if spans == visit.spans else "section"
        shown = renderer.show(visit, view, body, spans, len(file.lines))
        first = spans[0]
        last = spans[-1]
        return shown._replace(lines=(first[0], last[1]))

    def _list(
        self, nodes: Sequence[Shown], room: int
    ) -> tuple[tuple[Shown, ...], tuple[str, ...]]:
        """Return the files that are shown as one line each, and their text."""
        room -= self._count(LISTED_OPENING)
        rows: list[str] = []
        listed: list[Shown] = []
        text = ""
        shown = {each.visit.path for each in nodes}
        for file in self._candidates.listed(shown, _MOST_LISTED):
            row = self._row(file)
            longer = fence("\n".join([*rows, row]))
            if room < _LEAST_LISTED or self._count(longer) > room:
                continue
            rows.append(row)
            text = longer
            line = (file.line, file.line)
            visit = self._visit(file, (line,))
            listed.append(Shown(visit, "line", "", "", "", self._count(row), line))
        return tuple(listed), (LISTED_OPENING, text) if text else ()

    def _row(self, file: PricedFile) -> str:
        """Return the line that represents a file as `path:line: text`."""
        path = file.candidate.path
        mask = self._renderer.mask
        lines = mask.numbered(path, [(file.line, file.line)])[0]
        text = lines[0].text.strip() if lines else ""
        return fold(f"{mask.plain(path)}:{file.line}: {text}", LONGEST_LINE)

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
            ranks=tuple(sorted(candidate.ranks.items())),
        )
