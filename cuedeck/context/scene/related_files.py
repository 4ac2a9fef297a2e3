"""Ranking of the unlinked files of a workspace by words, names, imports and history,
and of the parts of linked files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.context.ranking.candidates import order_bodies
from cuedeck.context.ranking.memo import Memo
from cuedeck.context.ranking.rank_files import Ranking, RankingCache
from cuedeck.context.ranking.signal_scores import RankingContext
from cuedeck.context.ranking.task_query import read_query
from cuedeck.engine.open_session import open_session
from cuedeck.graph.counterparts import Pairs
from cuedeck.graph.imports import Resolver
from cuedeck.model.commit import without_imports
from cuedeck.model.paths import CARDS
from cuedeck.model.scene_values import Span
from cuedeck.parse.languages import import_strategy

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.session_files import SessionFiles
    from cuedeck.model.ports import Lookup
    from cuedeck.model.scene_values import Visit
    from cuedeck.model.session import Role


READ = ("card", "doc", "source")
"""Kinds of files whose words are used for ranking."""


class RelatedFiles(NamedTuple):
    """A ranking with the context in which it was made."""

    context: RankingContext
    ranking: Ranking

    @property
    def fingerprint(self) -> Sequence[object]:
        """Inputs of the related tier other than the texts of the candidates, for the
        receipt.
        """
        commits = self.context.commits
        return [
            commits[0].id if commits else "",
            [[each.path, each.score, each.why] for each in self.ranking.candidates],
        ]


def session_files(sessions: SessionFiles, card: str) -> Mapping[str, Role]:
    """Return the working set of the open session: how each file was used, by path.

    Empty without a session, and if it is the session of another card than the one at
    the path `card`.
    """
    session = open_session(sessions)
    if session is None or (session.card and f"{CARDS}/{session.card}.md" != card):
        return {}
    return {path: each.role for path, each in session.working_set.items()}


def rank_related(
    workspace: Workspace, visits: Sequence[Visit], used: Mapping[str, Role]
) -> RelatedFiles:
    """Return the ranking of the files that `visits` do not show. The first visit is the
    root card.

    `used` is the working set of the open session.
    """
    corpus = workspace.corpus
    index = workspace.index
    memo = workspace.cached(Memo)
    cache = workspace.cached(RankingCache)
    cache.note_changes(corpus.follow())
    population = corpus.population
    roots = corpus.roots()
    pairs = memo.get("pairs", "", population, lambda: Pairs(list(corpus.lengths())))
    resolver = memo.get(
        "resolver",
        "",
        (population, roots),
        lambda: Resolver(index.paths(), roots, import_strategy),
    )
    texts = workspace.texts
    query = read_query(visits, index, texts, corpus, memo)
    commits = memo.get(
        "commits with evidence",
        "",
        (corpus.commits(), population),
        lambda: without_imports(corpus.commits(), corpus.lengths()),
    )
    context = RankingContext(
        query,
        index,
        texts,
        corpus,
        resolver,
        pairs,
        commits,
        memo,
        used,
        workspace.pause,
    )
    return RelatedFiles(context, cache.rank(context))


def with_bodies(
    visits: Sequence[Visit], pointing: RelatedFiles, lookup: Lookup
) -> tuple[Visit, ...]:
    """Return the visits with the parts of each linked file, most valuable first."""
    found: list[Visit] = []
    for visit in visits:
        if visit.depth and visit.kind in ("doc", "source"):
            bodies = _bodies(visit, pointing.context, lookup)
            visit = replace(visit, bodies=bodies)
        found.append(visit)
    return tuple(found)


def _bodies(visit: Visit, context: RankingContext, lookup: Lookup) -> tuple[Span, ...]:
    """Return the parts within the lines of a visit, most valuable first."""
    file = lookup.file(visit.path)
    lines = file.lines if file is not None else 0
    parts = context.of_file(
        "bodies", visit.path, lambda: order_bodies(context, visit.path, lines)
    )
    inside: list[Span] = []
    for first, last in parts:
        for start, end in visit.spans:
            first_inside = max(first, start)
            last_inside = min(last, end)
            if first_inside <= last_inside:
                inside.append((first_inside, last_inside))
    return tuple(inside)
