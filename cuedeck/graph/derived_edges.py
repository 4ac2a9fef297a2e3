"""Derived edges for drawings: imports and tests, mentions of code in docs, and
co-change.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from itertools import combinations
from typing import NamedTuple

from cuedeck.graph.counterparts import fits, is_test, read_steps
from cuedeck.graph.draw.drawing_parts import MOST
from cuedeck.graph.imports import Resolver
from cuedeck.graph.imports.path_tree import Tree
from cuedeck.model.commit import Commit, named_now
from cuedeck.model.diagram import Arrow
from cuedeck.model.file import File

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


def code_arrows(files: Collection[File], resolver: Resolver) -> list[Arrow]:
    """Return an arrow for each import between the files, with its first line. An import
    of a source by a test has the edge `tests`.

    Order: that of the files, then of their lines.
    """
    known = {file.path for file in files}
    arrows: dict[Pair, Arrow] = {}
    for file in files:
        from_test = is_test(file.path)
        for path, line in resolver.resolve(file):
            if path in known:
                edge = "tests" if from_test and not is_test(path) else "imports"
                arrow = Arrow(file.path, path, edge, line)
                arrows.setdefault((file.path, path), arrow)
    return list(arrows.values())


def document_arrows(mentions: Sequence[Mention], files: Iterable[File]) -> list[Arrow]:
    """Return an arrow from each doc to each source it mentions, with the first line of
    the mention; tests are excluded.

    A mention is a path, or the name of a definition that exists in only one file:
    `Login.verify`, `verify_token()`.

    Order: that of the mentions.
    """
    sources = [file for file in files if not is_test(file.path)]
    tree = Tree([file.path for file in sources])
    definitions: dict[str, list[Pair]] = {}
    for file in sources:
        for symbol in file.symbols:
            last = symbol.name.rpartition(".")[2]
            definitions.setdefault(last, []).append((file.path, symbol.name))
    arrows: dict[Pair, Arrow] = {}
    for path, line, text in mentions:
        found = _by_path(text, tree) or _by_name(text, definitions)
        if found:
            arrows.setdefault(
                (path, found),
                Arrow(
                    path,
                    found,
                    "documents",
                    line,
                ),
            )
    return list(arrows.values())


def _by_path(text: str, tree: Tree) -> str:
    match = _PATH.fullmatch(text.strip())
    if match is None:
        return ""
    return match[1] if match[1] in tree.known else tree.only(match[1])


def _by_name(text: str, definitions: Mapping[str, Sequence[Pair]]) -> str:
    """Return the only file with a matching definition."""
    steps = read_steps(text)
    candidates = definitions.get(steps[-1], ()) if steps else ()
    found = {
        path
        for path, name in candidates
        if fits(
            steps,
            path,
            name,
        )
    }
    return found.pop() if len(found) == 1 else ""


def cochange_arrows(
    commits: Sequence[Commit],
    files: Collection[str],
    sources: Set[str],
    joined: Collection[Pair],
) -> list[Arrow]:
    """Return an arrow between files that changed together, with the number of commits;
    at least one end is a source.

    Two files qualify if they share three commits and half of the commits of the less
    often changed one. Pairs in `joined` are omitted. Arrows start at the file that is
    not a source, else at the first one by path.

    Order: most commits first, then by path.
    """
    changes: Counter[str] = Counter()
    common: Counter[Pair] = Counter()
    for moved in named_now(commits, files):
        touched = sorted(path for path in moved if path in files)
        changes.update(touched)
        common.update(combinations(touched, 2))
    arrows: list[Arrow] = []
    per_file: Counter[str] = Counter()
    for pair, count in sorted(common.items(), key=lambda each: (-each[1], each[0])):
        half = min(changes[path] for path in pair) / 2
        is_joined = pair in joined or pair[::-1] in joined
        if count < max(_LEAST_COMMITS, half) or sources.isdisjoint(pair) or is_joined:
            continue
        if any(per_file[path] >= _MOST_COCHANGES for path in pair):
            continue
        per_file.update(pair)
        tail, head = sorted(pair, key=lambda path: (path in sources, path))
        arrows.append(
            Arrow(
                tail,
                head,
                "cochange",
                commits=count,
            )
        )
    return arrows


_LEAST = 20
"""Minimum number of files that may be added, even if the drawing is full."""


class Neighbours(NamedTuple):
    """Files to add to a drawing."""

    paths: tuple[str, ...]
    """Sorted paths."""
    left_out: int
    """Number of adjacent files for which there was no room."""


def choose_near(drawn: Collection[str], arrows: Sequence[Arrow]) -> Neighbours:
    """Return the files that an arrow connects to the `drawn` nodes; those with the most
    arrows if there is no room for all.
    """
    ties: Counter[str] = Counter()
    for arrow in arrows:
        for one, other in (arrow[:2], arrow[1::-1]):
            if one in drawn and other not in drawn:
                ties[other] += 1
    room = max(MOST - len(drawn), _LEAST)
    best = sorted(ties, key=lambda path: (-ties[path], path))[:room]
    return Neighbours(tuple(sorted(best)), len(ties) - len(best))
