"""Related tier of a scene: the candidates as headings, reasons and numbered passages,
then the less likely ones.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from cuedeck.context.ranking.candidates import CandidatePool
from cuedeck.context.ranking.line_pieces import NODE_TOKENS, PricedFile
from cuedeck.context.ranking.memo import Memo
from cuedeck.context.ranking.packing import Spans, fit
from cuedeck.context.scene.visit_heading import Labels, entry_tokens
from cuedeck.model.ports import Count, Lookup
from cuedeck.model.scene_values import Shown, View, Visit
from cuedeck.model.secret import PLACEHOLDER
from cuedeck.parse.fence import LONGEST_LINE, fence, fold, language_of, number_lines
from cuedeck.parse.secrets.mask import Mask

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
    listing: str = ""
    """Text of the listed files, with its introduction."""
    text_tokens: int = 0
    """Tokens of the whole part without its map lines."""

    @property
    def text(self) -> str:
        """Return the part as it appears in the scene."""
        if not self.nodes and not self.listed:
            return ""
        return (
            OPENING
            + "".join(each.head + each.body for each in self.nodes)
            + self.listing
        )


class RelatedTier:
    """Renders the candidates of one scene; `root` is the visit they belong to."""

    def __init__(
        self,
        candidates: CandidatePool,
        root: Visit,
        *,
        lookup: Lookup,
        mask: Mask,
        count: Count,
        labels: Labels,
        memo: Memo,
    ) -> None:
        self._candidates = candidates
        self._root = root
        self._lookup = lookup
        self._mask = mask
        self._count = count
        self._labels = labels
        self._memo = memo
        self._inputs = (root.address, labels.budget, count.encoding)
        """All inputs of a node except its file."""

    def show(self, room: int) -> RelatedPart:
        """Return the related files for `room` tokens, including the opening and the map
        lines.
        """
        part = self._show(room, 0)
        unlisted = self._candidates.listed(_paths(part), _MOST_LISTED)
        if not unlisted or len(part.listed) == _MOST_LISTED:
            return part
        reserve = min(int(room * _LISTED_SHARE), _LISTED_RESERVE)
        *_, listing_tokens = self._list(part.nodes, reserve)
        longer = self._show(room, listing_tokens)
        has_more = len(_paths(longer)) > len(_paths(part))
        return longer if longer.nodes and has_more else part

    def _show(self, room: int, reserve: int) -> RelatedPart:
        opening = self._count.count(OPENING)
        nodes = self._fit(room - opening - reserve)
        used = opening + sum(each.cost for each in nodes)
        listed, listing, listing_tokens = self._list(nodes, room - used)
        if not nodes and not listed:
            return RelatedPart()
        text_tokens = opening + sum(each.tokens for each in nodes) + listing_tokens
        return RelatedPart(nodes, listed, listing, text_tokens)

    def needs(self, most: int) -> int:
        """Return the part of `most` tokens that files with passages can fill, including
        the opening.
        """
        opening = self._count.count(OPENING)
        if most - opening < NODE_TOKENS:
            return 0
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
        return fit(self._candidates.levels, self.node, room)

    def _make(self, file: PricedFile, spans: Spans) -> Shown:
        visit = self._visit(file, spans)
        view: View = "full" if spans == visit.spans else "section"
        head = self._labels.related(visit, view)
        longest = LONGEST_LINE if file.kind == "source" else 0
        passages = self._mask.numbered(visit.path, spans)
        rows = number_lines(passages, longest, self._signatures(visit.path))
        body = fence("\n".join(rows), language_of(visit.path))
        entry = self._labels.related_entry(visit, spans, len(file.lines))
        tokens = self._count.count(head) + self._count.count(body)
        cost = tokens + entry_tokens(entry, self._count)
        lines = (spans[0][0], spans[-1][1])
        return Shown(visit, view, head, body, entry, tokens, lines, cost)

    def _signatures(self, path: str) -> Collection[int]:
        """Return the lines of the signatures and headings of a file."""
        known = self._lookup.file(path)
        if known is None:
            return ()
        heads = {symbol.head for symbol in known.symbols}
        return heads | {section.start for section in known.sections}

    def _list(
        self, nodes: Sequence[Shown], room: int
    ) -> tuple[tuple[Shown, ...], str, int]:
        room -= self._count.count(LISTED_OPENING)
        shown = {each.visit.path for each in nodes}
        rows: list[str] = []
        listed: list[Shown] = []
        text = ""
        for file in self._candidates.listed(shown, _MOST_LISTED):
            if room < _LEAST_LISTED:
                break
            row = self._row(file)
            longer = fence("\n".join([*rows, row]))
            if self._count.count(longer) > room:
                continue
            rows.append(row)
            text = longer
            line = (file.line, file.line)
            visit = self._visit(file, (line,))
            row_tokens = self._count.count(row)
            listed.append(Shown(visit, "line", "", "", "", row_tokens, line))
        if not rows:
            return (), "", 0
        tokens = self._count.count(LISTED_OPENING) + self._count.count(text)
        return tuple(listed), LISTED_OPENING + text, tokens

    def _row(self, file: PricedFile) -> str:
        """Return the most distinctive line of a file as `path:line: text`."""
        path = file.candidate.path
        lines = self._mask.numbered(path, [(file.line, file.line)])[0]
        text = lines[0].text.strip() if lines else ""
        number = str(file.line)
        return fold(f"{self._mask.plain(path)}:{number}: {text}", LONGEST_LINE)

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


def _paths(part: RelatedPart) -> set[str]:
    """Return the paths of all files of a part."""
    every = (*part.nodes, *part.listed)
    return {each.visit.path for each in every}
