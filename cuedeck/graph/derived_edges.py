"""Derived edges for drawings: imports and tests, mentions of code in docs, and
co-change.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Sequence
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple

from cuedeck.graph.counterparts import Pairs, fits, is_test, read_steps, stem
from cuedeck.graph.imports import Resolver
from cuedeck.graph.imports.path_tree import Tree
from cuedeck.model.commit import Commit, named_now
from cuedeck.model.diagram import Arrow
from cuedeck.model.file import File

_SCRIPTS = ("ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte")
"""Suffixes of the JavaScript family, whose languages test one another."""
_PATH = re.compile(r"(?:\./)?((?:[\w.@-]+/)*[\w.@-]+\.\w+)")
_LEAST_COMMITS = 3
"""Minimum common commits of two files."""
_MOST_COCHANGES = 3
"""Maximum co-change arrows per file."""

Pair = tuple[str, str]


class Mention(NamedTuple):
    """Inline code in a doc."""

    path: str
    line: int
    text: str


def code_arrows(
    files: Iterable[File], known: Container[str], resolver: Resolver, pairs: Pairs
) -> list[Arrow]:
    """Return an arrow for each import between `known` files, with its line.

    An import of a source by a test has the edge `tests`. A test that imports no file of
    its own stem is assigned to the nearest source with this stem in the same language,
    without a line.

    Order: that of the files, then of their lines.
    """
    arrows: list[Arrow] = []
    for file in files:
        if file.path not in known:
            continue
        imported = _import_arrows(file, known, resolver)
        arrows += imported.values()
        tested = _tested(file.path, imported, known, pairs)
        if tested:
            arrows.append(Arrow(file.path, tested, "tests"))
    return arrows


def _import_arrows(
    file: File, known: Container[str], resolver: Resolver
) -> dict[str, Arrow]:
    arrows: dict[str, Arrow] = {}
    from_test = is_test(file.path)
    for imported in resolver.resolve(file):
        path = imported.path
        if path in known and path not in arrows:
            edge = "tests" if from_test and not is_test(path) else "imports"
            arrows[path] = Arrow(file.path, path, edge, imported.line)
    return arrows


def _tested(
    path: str, imported: Iterable[str], known: Container[str], pairs: Pairs
) -> str:
    """Return the source that a test matches by stem alone."""
    if not is_test(path):
        return ""
    topic = stem(path)
    if any(stem(other) == topic for other in imported):
        return ""
    language = _language(path)
    for other in pairs.of(path):
        if other in known and not is_test(other) and _language(other) == language:
            return other
    return ""


def _language(path: str) -> str:
    suffix = path.rpartition(".")[2].casefold()
    if suffix in _SCRIPTS:
        return _SCRIPTS[0]
    return suffix


def document_arrows(mentions: Sequence[Mention], files: Iterable[File]) -> list[Arrow]:
    """Return an arrow from each doc to each source it mentions, with the first line of
    the mention; tests are excluded.

    A mention is a path, or the name of a definition that exists in only one file:
    `Login.verify`, `verify_token()`.

    Order: that of the mentions.
    """
    sources = [file for file in files if not is_test(file.path)]
    tree = Tree([file.path for file in sources])
    steps = {mention.text: read_steps(mention.text) for mention in mentions}
    last_steps = {parts[-1] for parts in steps.values() if parts}
    definitions = _definitions(last_steps, sources)
    arrows: dict[Pair, Arrow] = {}
    for path, line, text in mentions:
        source = _by_path(text, tree) or _by_name(steps[text], definitions)
        if source:
            arrows.setdefault((path, source), Arrow(path, source, "documents", line))
    return list(arrows.values())


def _by_path(text: str, tree: Tree) -> str:
    match = _PATH.fullmatch(text.strip())
    if match is None:
        return ""
    path = match[1]
    if path in tree.known:
        return path
    return tree.only(path)


def _definitions(
    names: Collection[str], files: Iterable[File]
) -> dict[str, list[Pair]]:
    """Return the definitions of the given names: path and qualified name, by last part
    of the name.
    """
    definitions: dict[str, list[Pair]] = {}
    if not names:
        return definitions
    for file in files:
        for symbol in file.symbols:
            last = symbol.name.rpartition(".")[2]
            if last in names:
                definitions.setdefault(last, []).append((file.path, symbol.name))
    return definitions


def _by_name(steps: Sequence[str], definitions: dict[str, list[Pair]]) -> str:
    """Return the only file with a matching definition."""
    if not steps:
        return ""
    candidates = definitions.get(steps[-1], ())
    found = {path for path, name in candidates if fits(steps, path, name)}
    if len(found) != 1:
        return ""
    return found.pop()


def cochange_arrows(
    commits: Sequence[Commit],
    files: Collection[str],
    sources: Collection[str],
    joined: Collection[Pair],
) -> list[Arrow]:
    """Return an arrow between files that changed together, with the number of commits;
    at least one end is a source.

    Two files qualify if they share three commits and half of the commits of the less
    often changed one. Pairs in `joined` are omitted. Arrows start at the file that is
    not a source, else at the first one by path.

    Order: most commits first, then by path.
    """
    arrows: list[Arrow] = []
    per_file: Counter[str] = Counter()
    for one, other, count in _cochanges(commits, files):
        if one not in sources and other not in sources:
            continue
        if (one, other) in joined or (other, one) in joined:
            continue
        if per_file[one] >= _MOST_COCHANGES or per_file[other] >= _MOST_COCHANGES:
            continue
        per_file.update((one, other))
        if one in sources and other not in sources:
            arrows.append(Arrow(other, one, "cochange", commits=count))
        else:
            arrows.append(Arrow(one, other, "cochange", commits=count))
    return arrows


def _cochanges(
    commits: Sequence[Commit], files: Collection[str]
) -> list[tuple[str, str, int]]:
    """Return the pairs of files that often changed together, with the number of
    commits; most commits first.
    """
    changes: Counter[str] = Counter()
    common: Counter[Pair] = Counter()
    for moved in named_now(commits, files):
        touched = sorted(path for path in moved if path in files)
        changes.update(touched)
        common.update(combinations(touched, 2))
    found = []
    for (one, other), count in common.items():
        half = min(changes[one], changes[other]) / 2
        if count >= max(_LEAST_COMMITS, half):
            found.append((one, other, count))
    found.sort()
    found.sort(key=itemgetter(2), reverse=True)
    return found


MOST = 80
"""Maximum number of boxes in a picture; larger pictures are unreadable."""
_LEAST = 20
"""Minimum number of files that may be added, even if the drawing is full."""
_OF_ONE = 8
"""Maximum files added for one drawn node."""
_RANKS = {"tests": 0, "documents": 1}
"""Priority of edges, strongest first; imports come last because they are numerous."""


class Neighbours(NamedTuple):
    """Files to add to a drawing."""

    paths: tuple[str, ...]
    """Sorted paths."""
    left_out: int
    """Number of adjacent files for which there was no room."""


def choose_near(drawn: Collection[str], arrows: Sequence[Arrow]) -> Neighbours:
    """Return the files that an arrow connects to the `drawn` nodes.

    Each node contributes its strongest neighbours; of all these, the files with the
    most connections are chosen.
    """
    neighbours: dict[str, dict[str, int]] = {}
    for source, target, edge, *_ in arrows:
        rank = _RANKS.get(edge, len(_RANKS))
        for one, other in ((source, target), (target, source)):
            if one in drawn and other not in drawn:
                ranks = neighbours.setdefault(one, {})
                ranks[other] = min(ranks.get(other, rank), rank)
    ties: Counter[str] = Counter()
    for ranks in neighbours.values():
        ties.update(ranks.keys())
    chosen: set[str] = set()
    for ranks in neighbours.values():
        strongest = sorted((rank, -ties[path], path) for path, rank in ranks.items())
        chosen.update(path for _, _, path in strongest[:_OF_ONE])
    room = max(MOST - len(drawn), _LEAST)
    best = sorted(chosen, key=lambda path: (-ties[path], path))[:room]
    return Neighbours(tuple(sorted(best)), len(ties) - len(best))
