"""`python -m benchmarks.companions CLONE ...`: whether companions include the docs and
settings that commits changed.

A commit is replayed if it changed code and an existing changelog, docs page or settings
file. The companions are those of its parent, for one of the changed code files, chosen
by hash. The exit code is 1 if the bar is missed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha1
from typing import NamedTuple

from benchmarks.scenes.repository import git
from cuedeck.context.ranking.companions import is_companion, shares_of
from cuedeck.model.commit import Commit, Touched, named_now
from cuedeck.parse.languages import language_of_path

BAR = 0.7
NAMES = 3
"""Maximum number of companions that a scene names."""
COMMITS = 300
_DEPTH = 2_000
"""Number of earlier commits that a scene reads."""
_MOST_FILES = 30
"""Maximum number of files of a commit; larger ones are bulk changes."""


class Replayed(NamedTuple):
    """Companions of one commit compared with the files that it changed."""

    commit: str
    linked: str
    changed: frozenset[str]
    named: tuple[str, ...]

    @property
    def right(self) -> int:
        """Number of named files that the commit changed."""
        return len(self.changed.intersection(self.named))


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay the newest commits of each clone and print one row for each."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.companions", description=__doc__
    )
    parser.add_argument(
        "clones", nargs="+", metavar="CLONE", help="full clone of a repository"
    )
    parser.add_argument(
        "--commits",
        type=int,
        default=COMMITS,
        help="newest commits that are considered (300)",
    )
    parser.add_argument(
        "--misses",
        action="store_true",
        help="list the commits without a correctly named file",
    )
    asked = parser.parse_args(arguments)
    print("| repository | commits | any named | files named | right | names |")
    print("|---|---:|---:|---:|---:|---:|")
    whole: list[Replayed] = []
    for clone in asked.clones:
        found = list(replay(clone, asked.commits))
        whole += found
        print(_row(os.path.basename(os.path.abspath(clone)), found), flush=True)
        for each in found if asked.misses else ():
            if not each.right:
                print(
                    f"  {each.commit[:9]} {each.linked}: {sorted(each.changed)} not in {list(each.named)}"
                )
    print(_row("all", whole))
    return int(share_named(whole) < BAR)


def share_named(replayed: Sequence[Replayed]) -> float:
    """Return the share of the commits with at least one correctly named file."""
    return sum(each.right > 0 for each in replayed) / max(1, len(replayed))


def replay(clone: str, commits: int) -> Iterator[Replayed]:
    """Yield the newest commits that changed code and a possible companion, each with
    the companions at its parent.
    """
    history = read_history(clone, commits + _DEPTH)
    for at, commit in enumerate(history[:commits]):
        known = _tree(clone, commit)
        before = [touched.before or touched.path for touched in commit.files]
        changed = frozenset(
            path for path in before if path in known and is_companion(path)
        )
        code = sorted(
            (path for path in before if path in known and language_of_path(path)),
            key=_draw(commit.id),
        )
        if changed and code:
            past = list(named_now(history[at + 1 : at + 1 + _DEPTH], known))
            rows = shares_of(past, code[:1])
            named = [path for path, _, _ in rows if path in known]
            yield Replayed(commit.id, code[0], changed, tuple(named[:NAMES]))


def read_history(clone: str, most: int) -> Sequence[Commit]:
    """Return the newest commits without merges and bulk changes, with the files that
    they changed.
    """
    form = "--format=%x01%H%x00%ct%x00%s%x00"
    log = git(
        clone,
        "log",
        "--no-merges",
        "--topo-order",
        "-M",
        "--name-status",
        "-z",
        form,
        f"-n{most}",
        "HEAD",
    )
    found: list[Commit] = []
    for row in log.split("\x01")[1:]:
        identity, seconds, subject, *names = row.split("\0")
        files = tuple(_files([name.strip("\n") for name in names]))
        found.append(
            Commit(
                identity,
                int(seconds),
                subject,
                "",
                files if len(files) <= _MOST_FILES else (),
            )
        )
    return found


def _files(words: Sequence[str]) -> Iterator[Touched]:
    rest = iter(word for word in words if word)
    for status in rest:
        before = next(rest) if status.startswith(("R", "C")) else ""
        path = next(rest)
        yield Touched(path, before if status.startswith("R") else "", ())


def _draw(commit: str) -> Callable[[str], str]:
    """Return a sort key of paths that depends on the commit."""
    return lambda path: sha1(f"{commit}{path}".encode("utf-8", "replace")).hexdigest()


def _tree(clone: str, commit: Commit) -> frozenset[str]:
    """Return the paths of the files before a commit; empty before the first one."""
    parent = git(clone, "rev-list", "--parents", "-n1", commit.id).split()[1:2]
    return (
        frozenset(git(clone, "ls-tree", "-r", "--name-only", "-z", *parent).split("\0"))
        if parent
        else frozenset()
    )


def _row(name: str, found: Sequence[Replayed]) -> str:
    changed = sum(len(each.changed) for each in found)
    named = sum(len(each.named) for each in found)
    right = sum(each.right for each in found)
    cells = [
        name,
        str(len(found)),
        f"{share_named(found):.2f}",
        f"{right / max(1, changed):.2f}",
        f"{right / max(1, named):.2f}",
        f"{named / max(1, len(found)):.1f}",
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
