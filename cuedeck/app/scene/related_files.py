"""Related tier of a workspace: unlinked files found by words, names, imports and history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.graph.counterparts import Pairs
from cuedeck.graph.imports import Resolver
from cuedeck.parse.languages import import_strategy
from cuedeck.ranking.rank_files import Placement, Ranking, find_placement, rank
from cuedeck.ranking.ranking_cache import is_valid, snapshot_inputs
from cuedeck.ranking.related_cache import RelatedCache
from cuedeck.ranking.signal_scores import RankingContext
from cuedeck.ranking.task_query import read_query
from cuedeck.scene.match_reason import READ, secret_words, without_secrets
from cuedeck.scene.related_node import RelatedRenderer
from cuedeck.scene.related_tier import RelatedTier

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.file import Root
    from cuedeck.model.scene_values import Visit
    from cuedeck.scene.mask import Mask
    from cuedeck.scene.visit_label import Labels


_KEPT_TEXTS = 2_000


class RelatedReasons(NamedTuple):
    """Ranking before and after its reasons were masked, and the masked words of each file read or ranked."""

    made: Ranking
    hidden: Sequence[frozenset[str]]
    said: Ranking


@dataclass(slots=True)
class RelatedState:
    """State reused by later scenes of the same process."""

    population: int = 0
    pairs: Pairs = field(default_factory=lambda: Pairs(()))
    resolver: Resolver | None = None
    roots: Sequence[tuple[str, Root]] = ()
    warm: RelatedCache = field(default_factory=RelatedCache)
    told: RelatedReasons | None = None
    """Last ranking with masked reasons."""
    secret_words: dict[str, frozenset[str]] = field(default_factory=dict)
    """Words that occur in the secrets of a text, by content hash."""


def find_related(project: Workspace, visits: Sequence[Visit], mask: Mask, labels: Labels) -> RelatedTier:
    """Return the tier that fills the budget left by `visits`. The first visit is the root card."""
    ground, ranking = rank_related(project, visits)
    page = RelatedRenderer(mask, project.counter(), labels, visits[0], project.cached(RelatedState).warm.nodes)
    return RelatedTier(ground, ranking, project.texts, project.counter(), page)


def rank_related(project: Workspace, visits: Sequence[Visit]) -> tuple[RankingContext, Ranking]:
    """Return the ranking of the files that `visits` do not show, and its context. The first visit is the root card."""
    corpus, index, state = project.corpus, project.index, project.cached(RelatedState)
    state.warm.note(corpus.follow())
    if state.population != corpus.population:
        state.population = corpus.population
        state.pairs = Pairs(list(corpus.lengths()))
        state.resolver = None
    roots = corpus.roots()
    if state.resolver is None or state.roots != roots:
        state.resolver, state.roots = Resolver(index.paths(), roots, import_strategy), roots
    query = read_query(visits, index, project.texts, corpus, state.warm.readings)
    ground = RankingContext(query, index, corpus, state.resolver, state.pairs, corpus.commits(), state.warm)
    return ground, _told(project, _rank(ground), visits)


def placement_of(project: Workspace, visits: Sequence[Visit], ground: RankingContext, path: str) -> Placement:
    """Return the place of `path` in the whole ranking, with the secrets in its reason masked."""
    place = find_placement(ground, path)
    if place.candidate is None:
        return place
    read = [visit.path for visit in visits if visit.kind in READ]
    hidden = frozenset().union(*(_hidden(project, each) for each in (*read, path)))
    return replace(place, candidate=replace(place.candidate, why=without_secrets(place.candidate.why, hidden)))


def _rank(ground: RankingContext) -> Ranking:
    """Return the cached ranking if it is still valid, else a new one."""
    warm = ground.warm
    if warm.heard is None or not is_valid(warm.heard, ground):
        warm.heard = snapshot_inputs(ground, rank(ground))
        warm.behind = {}
    return warm.heard.ranking


def _told(project: Workspace, ranking: Ranking, visits: Sequence[Visit]) -> Ranking:
    """Return the ranking with secrets removed from its reasons; the same object as before if nothing changed."""
    state = project.cached(RelatedState)
    read = [visit.path for visit in visits if visit.kind in READ]
    words = [_hidden(project, path) for path in (*read, *(each.path for each in ranking.candidates))]
    last = state.told if state.told is not None and state.told.made is ranking else None
    if last is not None and last.hidden == words:
        return last.said
    hidden = frozenset().union(*words[: len(read)])
    own = words[len(read) :]
    reasons = [without_secrets(each.why, hidden | its) for each, its in zip(ranking.candidates, own, strict=True)]
    candidates = tuple(
        each if each.why == why else replace(each, why=why)
        for each, why in zip(ranking.candidates, reasons, strict=True)
    )
    same = last is not None and last.said.candidates == candidates
    said = last.said if last is not None and same else replace(ranking, candidates=candidates)
    state.told = RelatedReasons(ranking, words, said)
    return said


def _hidden(project: Workspace, path: str) -> frozenset[str]:
    """Return the words that occur in the secrets of a file. Cached by content hash."""
    known, hash_ = project.cached(RelatedState).secret_words, project.index.hash(path)
    if hash_ not in known:
        if len(known) >= _KEPT_TEXTS:
            known.clear()
        known[hash_] = secret_words([path], project.texts)
    return known[hash_]
