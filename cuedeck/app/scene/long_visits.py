"""Parts of long sources that a scene opens because they match the related query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.app.scene.related_files import RelatedFiles
from cuedeck.model.scene_values import Span, Visit
from cuedeck.ranking.chunk_scores import is_focused, score_inputs
from cuedeck.ranking.passages import open_parts
from cuedeck.scene.visit_views import Views

if TYPE_CHECKING:
    from cuedeck.model.ports import Texts

_OPENED_SHARE = 0.3
"""Share of the budget for a long source: its outline and the parts that the related
query opens.
"""


def focused_paths(
    visits: Sequence[Visit], ranked: RelatedFiles | None
) -> frozenset[str]:
    """Return the paths of the linked files in which the words of the task match several
    passages.
    """
    if ranked is None:
        return frozenset()
    paths = (
        visit.path
        for visit in visits[1:]
        if visit.whole and visit.kind in ("doc", "source")
    )
    return frozenset(path for path in paths if is_focused(ranked.context, path))


def open_long_visits(
    visits: tuple[Visit, ...],
    long: Sequence[Visit],
    pointing: RelatedFiles | None,
    texts: Texts,
    views: Views,
    budget: int,
) -> tuple[Visit, ...]:
    """Return the visits; each long one has the parts added that match the related
    query.
    """
    if pointing is None or not long:
        return visits
    opened: list[Visit] = []
    for visit in visits:
        if visit in long:
            visit = open_visit(
                visit,
                pointing,
                texts,
                int(budget * _OPENED_SHARE) - views.outline_size(visit),
            )
        opened.append(visit)
    return tuple(opened)


def open_visit(
    visit: Visit, pointing: RelatedFiles, texts: Texts, tokens: int
) -> Visit:
    """Return the visit of a long source with the parts added that match the related
    query, within `tokens`.
    """
    context, history = pointing.context, pointing.ranking.history
    words = context.corpus.words(visit.path)
    if words is None or tokens <= 0:
        return visit

    def choose() -> tuple[Span, ...]:
        lines = texts.text(visit.path).split("\n")
        return open_parts(context, visit.path, words, history, lines, tokens)

    inputs = (tokens, score_inputs(context, visit.path, history))
    parts = context.memo.get("opened parts", visit.address, inputs, choose)
    return replace(visit, parts=tuple(sorted({*visit.parts, *parts})))
