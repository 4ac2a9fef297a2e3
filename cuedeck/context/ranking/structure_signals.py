"""Structure signals: files connected by imports, names, the open session or commits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from cuedeck.context.ranking.chunk_scores import line_weights
from cuedeck.context.ranking.signal_scores import RankingContext, SignalScores
from cuedeck.graph.counterparts import stem
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
    query = context.query
    found = SignalScores(lambda _, sources: f"named like `{query.called(sources[0])}`")
    for source in query.sources:
        own = source.path
        for path in context.pairs.of(own):
            found.raise_to(path, 3 + _nearness(path, own), own)
        for term in terms(stem(own)):
            for path, times in context.postings(PATH + term).items():
                if times > 1 and path != own:
                    found.raise_to(path, 1 + _nearness(path, own), own)
    return found


def _nearness(path: str, other: str) -> float:
    """Return the share of leading folder names in common, scaled to at most a tenth."""
    folders = path.split("/")[:-1]
    others = other.split("/")[:-1]
    same = 0
    for one, two in zip(folders, others, strict=False):
        if one != two:
            break
        same += 1
    return 0.1 * same / max(len(folders), len(others), 1)


def by_imports(context: RankingContext) -> SignalScores:
    """Score files that a source imports and files that import it, by distance."""
    found = SignalScores(lambda _, reasons: reasons[0])
    for source in context.query.sources:
        own = source.path
        name = context.query.called(own)
        imported = _imports_of(context, own)
        near = [(path, len(imported), "imported by") for path in imported]
        for path in _importers_of(context, own):
            near.append((path, len(_imports_of(context, path)), "imports"))
        for path, number, how in near:
            worth = 1 + 1 / math.log2(2 + number)
            found.raise_to(path, worth, f"{how} `{name}`")
        for path in context.resolver.neighbours(own):
            found.raise_to(path, _PACKAGE, f"in the package of `{name}`")
        for middle in sorted({path for path, *_ in near})[:_MOST_NEAR]:
            further = _imports_of(context, middle)
            worth = _FURTHER / math.log2(2 + len(further))
            for path in further:
                if path != own:
                    found.raise_to(path, worth, f"two imports from `{name}`")
    return found


def by_session(context: RankingContext) -> SignalScores:
    """Score the files of the open session; a file that was only read scores half."""
    found = SignalScores(lambda _, uses: f"{uses[0]} in this session")
    for path, role in context.used.items():
        if role == "read":
            found.add(path, 0.5, "read")
        else:
            found.add(path, 1.0, "edited")
    return found


def by_cochange(context: RankingContext) -> SignalScores:
    """Score files that changed together with a source; a commit with fewer files weighs
    more.

    The reason names the source with which the file changed most often, and counts the
    commits of both.
    """
    sources = list(dict.fromkeys(source.path for source in context.query.sources))

    def why(_: str, changed: Sequence[str]) -> str:
        """Return the reason for the source of each commit."""
        nearest = max(sources, key=changed.count)
        number = changed.count(nearest)
        times = "once" if number == 1 else f"{number} times"
        whom = f" with `{nearest}`" if len(sources) > 1 else ""
        return f"changed together{whom} {times}"

    found = SignalScores(why)
    for commit in context.history.commits:
        worth = 0.5 + 0.5 * commit.recent
        worth /= math.log2(2 + len(commit.files))
        for source in filter(commit.files.__contains__, sources):
            for path in commit.files:
                if path != source:
                    found.add(path, worth, source)
    return found


def by_commits(context: RankingContext) -> SignalScores:
    """Score files that were touched by commits similar to the card."""
    found = SignalScores(lambda _, commits: f"touched by {commits[0]}")
    similar = [each for each in context.history.commits if each.similarity]
    similar.sort(key=lambda commit: -commit.similarity)
    for commit in similar[:_SIMILAR]:
        worth = commit.similarity * (0.6 + 0.4 * commit.recent)
        worth /= math.sqrt(1 + len(commit.files))
        for path in commit.files:
            found.add(path, worth, commit.commit.id[:7])
    return found


def by_lines(context: RankingContext) -> SignalScores:
    """Score files by surviving lines of commits that are similar to the card or changed
    a source.
    """
    found = SignalScores(lambda *_: "edited by similar commits")
    known = context.corpus.lengths()
    for path in sorted(context.history.weights):
        if path in known:
            found.raise_to(path, sum(line_weights(context, path).values()), "")
    return found


def _imports_of(context: RankingContext, path: str) -> tuple[str, ...]:
    file = context.lookup.file(path)
    found = context.resolver.resolve(file) if file is not None else ()
    return tuple(dict.fromkeys(each.path for each in found))


def _importers_of(context: RankingContext, path: str) -> Iterator[str]:
    seen: set[str] = set()
    for having in _taking(context, path):
        if len(having) <= _MOST_IMPORTERS:
            seen.update(having)
    for other in sorted(seen):
        if other != path and path in _imports_of(context, other):
            yield other


def _taking(context: RankingContext, path: str) -> Iterator[Mapping[str, int]]:
    """Yield the files that may import `path`, once per name by which it can be
    imported.
    """
    keys = dict.fromkeys(import_keys(path))
    if stem(path) in path.casefold().split("/")[:-1]:
        # A folder may represent a file: `web` for `web/src/index.ts`.
        keys[stem(path)] = None
    for key in keys:
        yield context.postings(IMPORTED + key)
    for name in context.resolver.names(path):
        # An importer of `github.com/spf13/cobra` has every component as a term; the
        # rarest one leaves the fewest files.
        several = [context.postings(IMPORTED + key) for key in spec_keys(name)]
        if several:
            yield min(several, key=len)
