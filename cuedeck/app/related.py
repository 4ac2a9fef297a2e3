"""The related tier of a workspace: what nobody linked, found by words, names, imports and history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cuedeck.graph.imports import Resolver
from cuedeck.graph.pairs import Pairs
from cuedeck.scene.reason import without_secrets
from cuedeck.scene.related.evidence import Ground, Warm
from cuedeck.scene.related.page import Page
from cuedeck.scene.related.query import read_query
from cuedeck.scene.related.ranking import Ranking, rank
from cuedeck.scene.related.tier import RelatedTier

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.model.node import Root
    from cuedeck.model.scene import Visit
    from cuedeck.scene.label import Labels
    from cuedeck.scene.mask import Mask


@dataclass(slots=True)
class RelatedState:
    """What is kept between the scenes of one process."""

    population: int = 0
    pairs: Pairs = field(default_factory=lambda: Pairs(()))
    resolver: Resolver | None = None
    roots: Sequence[tuple[str, Root]] = ()
    warm: Warm = field(default_factory=Warm)
    pending: Sequence[str] | None = None
    """Changed paths that `warm` may not know yet, because a scene broke off; None when all may have changed."""


def find_related(project: Project, visits: Sequence[Visit], mask: Mask, labels: Labels) -> RelatedTier:
    """Return the tier that fills what `visits` leave of a scene; the first visit is the root card."""
    ground, ranking = rank_related(project, visits)
    page = Page(mask, project.counter(), labels, visits[0])
    return RelatedTier(ground, ranking, project.texts, project.counter(), page)


def rank_related(project: Project, visits: Sequence[Visit]) -> tuple[Ground, Ranking]:
    """Return the ranking of what `visits` do not show, and what it was asked of; the first visit is the root card."""
    corpus, index, state = project.corpus, project.index, project.related_state
    changed = state.pending = _together(state.pending, corpus.follow())
    if state.population != corpus.population:
        state.population = corpus.population
        state.pairs = Pairs(list(corpus.lengths()))
        state.resolver = None
    roots = corpus.roots()
    if state.resolver is None or state.roots != roots:
        state.resolver, state.roots = Resolver(index.paths(), roots), roots
    query = read_query(visits, index, project.texts, corpus)
    ground = Ground(query, index, corpus, state.resolver, state.pairs, corpus.commits(), state.warm, changed)
    ranking = rank(ground)
    state.pending = ()
    said = [without_secrets(each.why, visits, each.path, project.texts) for each in ranking.candidates]
    candidates = (replace(each, why=why) for each, why in zip(ranking.candidates, said, strict=True))
    return ground, replace(ranking, candidates=tuple(candidates))


def _together(one: Sequence[str] | None, other: Sequence[str] | None) -> Sequence[str] | None:
    return None if one is None or other is None else list(dict.fromkeys((*one, *other)))
