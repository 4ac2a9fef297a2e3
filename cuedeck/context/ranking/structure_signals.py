"""Structure signals: files connected by imports, names, the open session or commits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from cuedeck.context.ranking.commit_relevance import CommitRelevance
from cuedeck.context.ranking.signal_scores import RankingContext, Scores, SignalScores
from cuedeck.graph.counterparts import stem
from cuedeck.graph.imports import Imported
from cuedeck.graph.imports.path_tree import parent
from cuedeck.parse.index_terms import IMPORTED, PATH, import_keys, spec_keys
from cuedeck.text.words import terms

_SIMILAR = 40
"""Maximum number of similar commits."""
_MOST_IMPORTERS = 400
"""Maximum files that may import through a name."""
_FURTHER = 0.2
"""Score of a file two imports away."""
_MOST_NEAR = 40
"""Maximum neighbours whose own imports are followed."""
_PACKAGE = 0.3
"""Score of a file in the same package, which needs no import."""


def by_stem(context: RankingContext) -> SignalScores:
    """Score files with the stem of a source: its test, documentation page or
    counterpart.

    Files that share only a part of the stem score less.
    """
    scores: Scores = {}
    nearest_source: dict[str, str] = {}
    for source in context.query.sources:
        near = _Nearness(source.path)
        for path in context.pairs.of(source.path):
            _raise(scores, nearest_source, path, source.path, 3 + near[parent(path)])
        for term in terms(stem(source.path)):
            for path, times in context.postings(PATH + term).items():
                if times > 1 and path != source.path:
                    _raise(
                        scores,
                        nearest_source,
                        path,
                        source.path,
                        1 + near[parent(path)],
                    )
    return SignalScores(
        scores,
        lambda path: f"named like `{context.query.called(nearest_source[path])}`",
    )


def by_imports(context: RankingContext) -> SignalScores:
    """Score files that a source imports and files that import it, by distance."""
    scores: Scores = {}
    why: dict[str, str] = {}
    for source in context.query.sources:
        near: dict[str, int] = {}
        name = context.query.called(source.path)
        for path in _forward(context, source.path):
            near[path] = len(_forward(context, source.path))
            _raise(
                scores,
                why,
                path,
                f"imported by `{name}`",
                1 + 1 / math.log2(2 + near[path]),
            )
        for path in _backward(context, source.path):
            near[path] = len(_forward(context, path))
            _raise(
                scores,
                why,
                path,
                f"imports `{name}`",
                1 + 1 / math.log2(2 + near[path]),
            )
        for path in context.resolver.neighbours(source.path):
            _raise(scores, why, path, f"in the package of `{name}`", _PACKAGE)
        for middle in sorted(near)[:_MOST_NEAR]:
            for path in _forward(context, middle):
                if path != source.path:
                    worth = _FURTHER / math.log2(2 + len(_forward(context, middle)))
                    _raise(scores, why, path, f"two imports from `{name}`", worth)
    return SignalScores(scores, lambda path: why[path])


def by_session(context: RankingContext) -> SignalScores:
    """Score the files of the open session; a file that was only read scores half."""
    scores = {
        path: 0.5 if role == "read" else 1.0 for path, role in context.used.items()
    }

    def reason(path: str) -> str:
        use = "read" if context.used[path] == "read" else "edited"
        return f"{use} in this session"

    return SignalScores(scores, reason)


def by_cochange(context: RankingContext, history: CommitRelevance) -> SignalScores:
    """Score files that changed together with a source; a commit with fewer files weighs
    more.

    The reason names the source with which the file changed most often, and counts the
    commits of both.
    """
    sources = tuple(dict.fromkeys(source.path for source in context.query.sources))
    scores: Scores = {}
    times: dict[str, dict[str, int]] = {}
    """By file and source: the number of commits that changed both."""
    for commit in history.commits:
        for source in sources:
            if source not in commit.files:
                continue
            worth = (0.5 + 0.5 * commit.recent) / math.log2(2 + len(commit.files))
            for path in commit.files:
                if path != source:
                    scores[path] = scores.get(path, 0.0) + worth
                    by_source = times.setdefault(path, dict.fromkeys(sources, 0))
                    by_source[source] += 1

    def why(path: str) -> str:
        by_source = times[path]
        nearest = max(sources, key=lambda source: by_source[source])
        number = by_source[nearest]
        times_words = "once" if number == 1 else f"{number} times"
        whom = f" with `{nearest}`" if len(sources) > 1 else ""
        return f"changed together{whom} {times_words}"

    return SignalScores(scores, why)


def by_commits(context: RankingContext, history: CommitRelevance) -> SignalScores:
    """Score files that were touched by commits similar to the card."""
    scores: Scores = {}
    first: dict[str, str] = {}
    best = sorted(
        (commit for commit in history.commits if commit.similarity),
        key=lambda commit: -commit.similarity,
    )[:_SIMILAR]
    for commit in best:
        for path in commit.files:
            worth = (
                commit.similarity
                * (0.6 + 0.4 * commit.recent)
                / math.sqrt(1 + len(commit.files))
            )
            scores[path] = scores.get(path, 0.0) + worth
            first.setdefault(path, commit.commit.id[:7])
    return SignalScores(scores, lambda path: f"touched by {first[path]}")


def by_lines(context: RankingContext, history: CommitRelevance) -> SignalScores:
    """Score files by surviving lines of commits that are similar to the card or changed
    a source.
    """
    now = context.corpus.lengths()
    scores: Scores = {}
    for path in history.traced:
        weight = 0.0
        if path in now:
            weight = sum(history.line_weights(context, path).values())
        if weight > 0:
            scores[path] = weight
    return SignalScores(scores, lambda path: "edited by similar commits")


def _forward(context: RankingContext, path: str) -> tuple[str, ...]:
    file = context.lookup.file(path)
    found: tuple[Imported, ...] = (
        context.resolver.resolve(file) if file is not None else ()
    )
    return tuple(dict.fromkeys(each.path for each in found))


def _backward(context: RankingContext, path: str) -> Iterator[str]:
    seen: set[str] = set()
    for having in _taking(context, path):
        if len(having) <= _MOST_IMPORTERS:
            seen.update(having)
    yield from (
        other
        for other in sorted(seen)
        if other != path and path in _forward(context, other)
    )


def _taking(context: RankingContext, path: str) -> Iterator[Mapping[str, int]]:
    """Yield the files that may import `path`, once per name by which it can be
    imported.
    """
    for key in dict.fromkeys((*import_keys(path), *_folder_key(path))):
        yield context.postings(IMPORTED + key)
    for name in context.resolver.names(path):
        # An importer of `github.com/spf13/cobra` has every component as a term; the
        # rarest one leaves the fewest files.
        several = [context.postings(IMPORTED + key) for key in spec_keys(name)]
        if several:
            yield min(several, key=len)


def _folder_key(path: str) -> tuple[str, ...]:
    """Return the folder that represents a file: `web` for `web/src/index.ts`."""
    name = stem(path)
    return (name,) if name in path.casefold().split("/")[:-1] else ()


def _raise(
    scores: Scores, why: dict[str, str], path: str, reason: str, worth: float
) -> None:
    if worth > scores.get(path, 0.0):
        scores[path], why[path] = worth, reason


class _Nearness(dict[str, float]):
    """By folder: the share of leading folder names in common with the given path,
    scaled to at most a tenth.
    """

    def __init__(self, path: str) -> None:
        self._own = parent(path).split("/") if "/" in path else []

    def __missing__(self, folder: str) -> float:
        steps = folder.split("/") if folder else []
        same = 0
        for step, match in zip(steps, self._own, strict=False):
            if step != match:
                break
            same += 1
        self[folder] = value = 0.1 * same / max(len(steps), len(self._own), 1)
        return value
