"""Ranking of the unlinked files of a workspace by words, names, imports and history,
and the parts of long linked sources that it opens.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.sessions.open_session import open_session
from cuedeck.graph.counterparts import Pairs
from cuedeck.graph.imports import Resolver
from cuedeck.model.paths import CARDS, OPEN_SESSION
from cuedeck.model.scene_values import Span
from cuedeck.parse.languages import import_strategy
from cuedeck.parse.search_terms import terms
from cuedeck.ranking.bm25 import mean_lengths
from cuedeck.ranking.chunk_scores import is_focused, score_inputs
from cuedeck.ranking.memo import Memo
from cuedeck.ranking.passages import open_parts
from cuedeck.ranking.rank_files import Placement, Ranking, find_placement
from cuedeck.ranking.ranking_cache import RankingCache
from cuedeck.ranking.signal_scores import RankingContext
from cuedeck.ranking.task_query import read_query

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.ports import Texts
    from cuedeck.model.scene_values import Visit
    from cuedeck.model.session import Role
    from cuedeck.scene.visit_views import Views


_QUOTED = re.compile(r"`(\w+)`")
READ = ("card", "doc", "source")
"""Kinds of files whose words are used for ranking."""
_HIDDEN = "`<secret>`"
_OPENED_SHARE = 0.3
"""Share of the budget for a long source: its outline and the parts that the related
query opens.
"""


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


def session_files(workspace: Workspace, card: str) -> Mapping[str, Role]:
    """Return the working set of the open session: how each file was used, by path.

    Empty without a session, and if it is the session of another card than the one at
    the path `card`.
    """
    if not os.path.exists(workspace.paths.absolute(OPEN_SESSION)):
        return {}
    session = open_session(workspace)
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
    corpus, index, memo = workspace.corpus, workspace.index, workspace.cached(Memo)
    rankings = workspace.cached(RankingCache)
    rankings.note_changes(corpus.follow())
    population, roots = corpus.population, corpus.roots()
    pairs = memo.get("pairs", "", population, lambda: Pairs(list(corpus.lengths())))
    resolver = memo.get(
        "resolver",
        "",
        (population, roots),
        lambda: Resolver(index.paths(), roots, import_strategy),
    )
    query = read_query(visits, index, workspace.texts, corpus, memo)
    lengths = corpus.lengths()
    means = mean_lengths(lengths, corpus.names())
    context = RankingContext(
        query,
        index,
        corpus,
        resolver,
        pairs,
        corpus.commits(),
        memo,
        len(lengths),
        means,
        used,
    )
    return RelatedFiles(
        context, _mask_reasons(context, rankings.rank(context), visits, workspace.texts)
    )


def placement_of(
    workspace: Workspace, visits: Sequence[Visit], context: RankingContext, path: str
) -> Placement:
    """Return the place of `path` in the whole ranking, with the secrets in its reason
    masked.
    """
    place = find_placement(context, path)
    if place.candidate is None:
        return place
    read = [visit.path for visit in visits if visit.kind in READ]
    hidden = frozenset().union(
        *(_secret_words(each, context, workspace.texts) for each in (*read, path))
    )
    return replace(
        place,
        candidate=replace(
            place.candidate, why=without_secrets(place.candidate.why, hidden)
        ),
    )


def _mask_reasons(
    context: RankingContext, ranking: Ranking, visits: Sequence[Visit], texts: Texts
) -> Ranking:
    """Return the ranking with secrets removed from its reasons; the same object as
    before if nothing changed.
    """
    read = [visit.path for visit in visits if visit.kind in READ]
    hidden = frozenset().union(*(_secret_words(path, context, texts) for path in read))
    own = [_secret_words(each.path, context, texts) for each in ranking.candidates]

    def mask() -> Ranking:
        reasons = [
            without_secrets(each.why, hidden | its)
            for each, its in zip(ranking.candidates, own, strict=True)
        ]
        pairs = zip(ranking.candidates, reasons, strict=True)
        return replace(
            ranking, candidates=tuple(replace(each, why=why) for each, why in pairs)
        )

    return context.memo.get("masked reasons", "", (ranking, hidden, own), mask)


def _secret_words(path: str, context: RankingContext, texts: Texts) -> frozenset[str]:
    """Return the words that occur in the secrets of a file."""
    return context.memo.get(
        "secret words",
        path,
        context.lookup.hash(path),
        lambda: secret_words([path], texts),
    )


def secret_words(paths: Iterable[str], texts: Texts) -> frozenset[str]:
    """Return the words contained in secrets of these files, as tokenised for
    ranking.
    """
    found: set[str] = set()
    for path in dict.fromkeys(paths):
        text = texts.text(path)
        for secret in texts.secrets(path):
            # `|=` with the keys of a mapping would copy the set each time.
            found.update(terms(text[secret.start : secret.end]))
    return frozenset(found)


def without_secrets(reason: str, hidden: frozenset[str]) -> str:
    """Return the reason with `hidden` quoted words replaced.

    Ranking splits words and may lower their case, so masking would not recognise a
    secret in a reason.
    """
    if not hidden:
        return reason
    return _QUOTED.sub(
        lambda match: (
            match[0] if hidden.isdisjoint(terms(match[1]).keys()) else _HIDDEN
        ),
        reason,
    )


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
