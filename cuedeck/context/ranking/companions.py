"""Companions: documentation and configuration that usually changes together with the
files of the task.

A changelog, a docs page or a settings file shares few words with a task and imports
nothing, so no other signal finds it. The share of the last commits on the same paths
does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from cuedeck.context.ranking.precedents import PresentLines
from cuedeck.context.ranking.rank_files import Ranking
from cuedeck.context.ranking.signal_scores import RankingContext
from cuedeck.graph.counterparts import is_test
from cuedeck.model.commit import Touched
from cuedeck.model.file import Section
from cuedeck.model.paths import HOME
from cuedeck.parse.index_terms import is_changelog, is_generated
from cuedeck.parse.languages import language_of_path
from cuedeck.parse.text_decoding import line_sums

WINDOW = 40
"""Number of commits of a scope that count."""
_LEAST_SHARE = 0.12
"""Minimum share of the commits of a scope."""
_LEAST_COMMITS = 3
"""Minimum number of commits in which both changed."""
_SHRINK = 4
"""Number of commits without the file that are added to every scope."""
_MOST_LINKED = 5
"""Maximum number of linked files whose scopes count."""
_MOST_RANKED = 3
"""Number of best candidates that replace the linked files of a task without any."""
_MOST = 12
"""Maximum number of companions found; a scene names those that it does not show."""
_MOST_TRIED = 10
"""Maximum number of commits whose lines are traced to find the last entry."""
_MEANINGFUL_WORDS = 4
"""Minimum words of a line that is quoted, if an added line has that many."""
_CODE = ""
"""Scope of the commits that changed a file in a programming language."""

_SUFFIXES = re.compile(
    r"""\.(?:md|markdown|mdx|rst|txt|adoc|asciidoc|org
    |toml|ya?ml|jsonc?|json5|cfg|ini|conf|properties|xml|env|mod|ftl|arb|strings)$""",
    re.IGNORECASE | re.VERBOSE,
)
"""Suffixes of documentation, configuration and translations."""
_RELEASE = re.compile(r"\d|unreleased|upcoming|next", re.IGNORECASE)
"""Titles of the releases in a change log."""


class Scope(NamedTuple):
    """Commits on a path."""

    path: str
    """A file, a folder with a final slash, or the empty string for all code."""
    commits: int


@dataclass(frozen=True, slots=True)
class Companion:
    """A file that changed in many of the last commits on a path of the task."""

    path: str
    times: int
    """Number of commits of the scope that changed it."""
    scope: Scope
    line: int
    """Number of a line that is still present and was added by the newest commit with
    such a line, in a change log within the newest section; 0 if there is none.
    """
    newest: Section | None = None
    """Section of the next release, or of the newest one, of a change log."""


def find_companions(context: RankingContext, ranking: Ranking) -> tuple[Companion, ...]:
    """Return files that usually change with the task, the largest share first."""
    linked = _starting_points(context, ranking)
    inputs = (context.history, linked)
    commits = [commit.files for commit in context.history.commits]
    chosen = context.memo.get(
        "companion shares", "", inputs, lambda: shares_of(commits, linked)
    )
    found: list[Companion] = []
    for path, times, scope in chosen:
        file = context.lookup.file(path)
        if file is None or file.kind in ("binary", "card"):
            continue
        if path not in context.query.shown and len(found) < _MOST:
            newest = newest_release(file.sections) if is_changelog(path) else None
            line = _last_line(context, path, newest)
            found.append(Companion(path, times, scope, line, newest))
    return tuple(found)


def newest_release(sections: Sequence[Section]) -> Section | None:
    """Return the first section of a change log that is titled as a release or as
    unreleased changes.
    """
    for section in sections:
        if _RELEASE.search(section.title):
            return section
    return None


def is_companion(path: str) -> bool:
    """Return whether a path is documentation, configuration or a translation that a
    person edits.
    """
    if path.startswith(f"{HOME}/") or is_generated(path) or is_test(path):
        return False
    name = path.rpartition("/")[2]
    if language_of_path(path) is not None:
        return False
    return _SUFFIXES.search(name) is not None or "." not in name.lstrip(".")


def scopes_of(path: str) -> Iterator[str]:
    """Yield the paths on which a commit is like a change of `path`: the file, its
    folders, and all code.
    """
    yield path
    folder = path
    while "/" in folder:
        folder = folder.rpartition("/")[0]
        yield f"{folder}/"
    yield _CODE


def shares_of(
    commits: Sequence[Mapping[str, Touched]], paths: Sequence[str]
) -> Sequence[tuple[str, int, Scope]]:
    """Return (file, commits with it, scope) for the companions of some paths, the
    largest share first.

    `commits` has the files of each commit, newest first. A file counts in the scope in
    which its share is largest.
    """
    best: dict[str, tuple[float, int, Scope]] = {}
    for name in dict.fromkeys(scope for path in paths for scope in scopes_of(path)):
        having = (files for files in commits if _is_within(name, files))
        members = list(islice(having, WINDOW))
        scope = Scope(name, len(members))
        times = Counter(path for files in members for path in files)
        for path, number in times.items():
            if number >= max(_LEAST_COMMITS, _LEAST_SHARE * scope.commits):
                share = round(number / (scope.commits + _SHRINK), 4)
                if share > best.get(path, (0.0,))[0]:
                    best[path] = share, number, scope
    ordered = sorted(best, key=lambda path: (-best[path][0], path))
    return [
        (path, *best[path][1:])
        for path in ordered
        if path not in paths and is_companion(path)
    ]


def _is_within(scope: str, files: Collection[str]) -> bool:
    """Return whether a commit of these files counts in a scope."""
    if scope == _CODE:
        return any(language_of_path(path) is not None for path in files)
    if scope.endswith("/"):
        return any(path.startswith(scope) for path in files)
    return scope in files


def _starting_points(context: RankingContext, ranking: Ranking) -> tuple[str, ...]:
    """Return the nearest linked files, or the best candidates if nothing is linked."""
    sources = context.query.sources
    nearest = min((source.depth for source in sources), default=0)
    linked = dict.fromkeys(source.path for source in sources if source.depth == nearest)
    ranked = [each.path for each in ranking.candidates[:_MOST_RANKED]]
    return tuple(linked)[:_MOST_LINKED] or tuple(ranked)


def _last_line(context: RankingContext, path: str, newest: Section | None) -> int:
    """Return a surviving line of the newest commit that added an entry to a file, in
    the section of the newest release if there is one; 0 if there is none.
    """

    def find() -> int:
        text = context.texts.text(path)
        rows = text.split("\n")
        present = PresentLines(line_sums(text))
        added = (
            commit.files[path].added
            for commit in context.history.commits
            if path in commit.files and len(commit.files[path].added)
        )
        first = 0
        for sums in islice(added, _MOST_TRIED):
            lines = _inside(present.trace(sums), newest)
            # The entry is more informative than a heading or a label above it.
            for line in lines:
                if len(rows[line - 1].split()) >= _MEANINGFUL_WORDS:
                    return line
            first = first or next(iter(lines), 0)
        return first

    inputs = (context.history, context.lookup.hash(path))
    return context.memo.get("last entry", path, inputs, find)


def _inside(lines: Sequence[int], section: Section | None) -> Sequence[int]:
    """Return the lines that are in a section; all lines without one."""
    if section is None:
        return lines
    return [line for line in lines if section.start <= line <= section.end]
