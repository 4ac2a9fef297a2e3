"""The cases: commits with given title, message and one changed file; the other files
must be found.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

_PLACE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases.jsonl")


class Definition(NamedTuple):
    """A definition that the commit changed."""

    signature: str
    """The line with its name, without outer blanks."""
    name: str


class Case(NamedTuple):
    """One commit. Lines are those of the tree before it, 1-based and inclusive."""

    id: str
    repo: str
    """Owner and name joined by `+`, which is the name of the clone's folder."""
    parent: str
    """The commit whose tree and history a system may see."""
    title: str
    body: str
    entry: str
    """The touched file that the card refers to."""
    targets: tuple[str, ...]
    """The other touched files."""
    hunks: Mapping[str, Sequence[tuple[int, int]]]
    """Changed lines of every touched file."""
    definitions: Mapping[str, tuple[Definition, ...]]
    """Changed definitions of every touched file."""


def load_cases(most: int | None = None, place: str = _PLACE) -> list[Case]:
    """Read the cases; with `most`, at most that number per repository. Order: as in the
    file.
    """
    with open(place, encoding="utf-8") as file:
        cases = [_case(json.loads(line)) for line in file if line.strip()]
    seen: Counter[str] = Counter()
    taken = []
    for case in cases:
        seen[case.repo] += 1
        if most is None or seen[case.repo] <= most:
            taken.append(case)
    return taken


def _case(row: Mapping[str, Any]) -> Case:
    entry = row["entry"]
    names = {
        **row["symbol_names"],
        entry: [_name(signature) for signature in row["entry_symbols"]],
    }
    signatures = {**row["symbols"], entry: row["entry_symbols"]}
    hunks = {**row["hunks"], entry: row["entry_hunks"]}
    return Case(
        id=row["id"],
        repo=row["repo"],
        parent=row["parent"],
        title=row["title"],
        body=row["body"],
        entry=entry,
        targets=tuple(row["targets"]),
        hunks={
            path: [(start, end) for start, end in spans]
            for path, spans in hunks.items()
        },
        definitions={
            path: tuple(
                Definition(*pair) for pair in zip(rows, names[path], strict=True)
            )
            for path, rows in signatures.items()
        },
    )


def _name(signature: str) -> str:
    """Return the last word before the parameters."""
    words = signature.partition("(")[0].split()
    return words[-1] if words else ""
