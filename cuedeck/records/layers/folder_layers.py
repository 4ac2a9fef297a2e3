"""Layers of a folder, made of the layers of its files and folders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cuedeck.model.formatting import counted
from cuedeck.model.ports import Count
from cuedeck.parse.prose import read_prose
from cuedeck.records.layers.document_layers import TABLE
from cuedeck.records.layers.keyword_line import KEYWORDS
from cuedeck.records.layers.layer_terms import Vocabulary
from cuedeck.records.layers.layer_values import (
    ABSTRACT_TOKENS,
    OVERVIEW_TOKENS,
    LayerPair,
)
from cuedeck.records.layers.line_budget import LineBudget, cut_text
from cuedeck.records.layers.sentences import first_sentence, split_sentences
from cuedeck.records.layers.term_coverage import Candidate, choose

MOST_CHILDREN = 400
"""Children of which a line can be shown; further ones are counted."""
_DASH = " — "
_BULLET = "- "
_FOLDER_LINE = re.compile(rf"{_BULLET}(\S+/){_DASH}")
"""The line about a folder in the overview of the folder above it."""
_NAMED_LINE = re.compile(rf"\S+\.\w+{_DASH}")
"""Begins the line about a file."""
_INDEX_NAMES = (
    "README.md",
    "readme.md",
    "index.md",
    "__init__.py",
    "mod.rs",
    "lib.rs",
    "doc.go",
    "index.ts",
    "index.js",
)
"""Files that describe their folder, the best first."""
_CITATION = re.compile(r" \[([\w./-]+)\]$")
_LINE_TOKENS = 40
_ABSTRACT_LINE_TOKENS = 24
_LEAST_LINE_TOKENS = 8
_LINES_SHARE = 0.6
"""Part of the overview that one line for each child may use."""
_SPREAD = 1_000
"""Positions of the overview that a child has."""


class FolderChild(NamedTuple):
    """A file or folder with its layers."""

    name: str
    """With a slash at the end for a folder."""
    layers: LayerPair

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.name.endswith("/")


def folder_layers(
    title: str, children: Sequence[FolderChild], count: Count
) -> LayerPair:
    """Return the layers of a folder; its children are in the order of their names."""
    head = _head(title, children)
    return LayerPair(_abstract(head, children, count), _overview(head, children, count))


def _head(title: str, children: Sequence[FolderChild]) -> str:
    folders = sum(child.is_folder for child in children)
    files = len(children) - folders
    parts = []
    if folders:
        parts.append(counted(folders, "folder"))
    if files or not folders:
        parts.append(counted(files, "file"))
    head = f"{title}: {', '.join(parts)}"
    description = _description(children)
    if description:
        return f"{head}{_DASH}{description}"
    return head


def _description(children: Sequence[FolderChild]) -> str:
    """Return the first line about the file that describes the folder; empty if there is
    none.
    """
    by_name = {child.name: child for child in children}
    for name in _INDEX_NAMES:
        if name in by_name:
            return first_sentence(_lead(by_name[name]))
    return ""


def _lead(child: FolderChild) -> str:
    """Return the lead sentence in the abstract of a file; empty if it has none."""
    return child.layers.abstract.partition("\n")[0].partition(_DASH)[2]


def _abstract(head: str, children: Sequence[FolderChild], count: Count) -> str:
    """Return the head, then the lines below it that cover most of the terms."""
    top = cut_text(head, count, ABSTRACT_TOKENS // 4)
    known = children[:MOST_CHILDREN]
    lines = []
    owners = []
    for at, child in enumerate(known):
        below = list(_abstract_lines(child))
        lines += below
        owners += [at] * len(below)
    more = f"+{len(children)} more"
    room = ABSTRACT_TOKENS - count.count(f"{top}\n") - count.count(f"{more}\n")
    width = max(room // max(len(lines), 1) - 1, _ABSTRACT_LINE_TOKENS)
    lines = [cut_text(line, count, width) for line in lines]
    vocabulary = Vocabulary(lines)
    candidates = [
        Candidate(vocabulary.terms(line), count.count(f"{line}\n")) for line in lines
    ]
    chosen = choose(candidates, {}, room)
    shown = [top, *(lines[at] for at in chosen)]
    left_out = len(children) - len({owners[at] for at in chosen})
    if left_out and chosen:
        shown.append(f"+{left_out} more")
    elif left_out:
        names = ", ".join(child.name for child in known)
        shown.append(cut_text(names, count, room))
    return "\n".join(shown)


def _abstract_lines(child: FolderChild) -> Iterator[str]:
    """Yield the line about a file, or those about the content of a folder."""
    head, _, rest = child.layers.abstract.partition("\n")
    description = head.partition(_DASH)[2]
    if child.is_folder and description:
        yield f"{_BULLET}{child.name}{_DASH}{description}"
        return
    lines = rest.split("\n") if child.is_folder and rest else []
    below = [line for line in lines if line.startswith(_BULLET)]
    for line in below:
        yield f"{_BULLET}{child.name}{line.removeprefix(_BULLET)}"
    if lines and not below:
        yield f"{_BULLET}{child.name}{_DASH}{lines[0]}"
    if not lines:
        yield f"{_BULLET}{child.name}{_DASH}{_first_line(child)}"


def _first_line(child: FolderChild) -> str:
    """Return the first line of the abstract of a child, without a path or a title that
    repeats the name of the child.
    """
    first, _, rest = child.layers.abstract.partition("\n")
    label, dash, lead = first.partition(_DASH)
    if label.rpartition("/")[2] == child.name:
        return lead if dash else rest.partition("\n")[0]
    stem = child.name.rpartition(".")[0]
    if dash and _letters(label) == _letters(stem):
        return lead
    return first


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _overview(head: str, children: Sequence[FolderChild], count: Count) -> str:
    """Return one line for each child, each followed by key lines of its overview."""
    budget = LineBudget(count, OVERVIEW_TOKENS)
    budget.add(0, f"# {head}\n")
    reserve = budget.cost(f"+{len(children)} more")
    budget.left -= reserve
    known = children[:MOST_CHILDREN]
    share = int(budget.left * _LINES_SHARE) // max(len(known), 1)
    width = min(max(share, _LEAST_LINE_TOKENS), _LINE_TOKENS)
    shown: dict[int, FolderChild] = {}
    for at, child in enumerate(known, 1):
        line = f"{_BULLET}{child.name}{_DASH}{_first_line(child)}"
        if budget.add(at * _SPREAD, cut_text(line, count, width)):
            shown[at * _SPREAD] = child
    _add_key_lines(budget, shown, count)
    budget.left += reserve
    if len(shown) < len(children):
        end = (len(known) + 1) * _SPREAD
        budget.add(end, f"+{len(children) - len(shown)} more")
    return budget.text()


def _add_key_lines(
    budget: LineBudget, children: dict[int, FolderChild], count: Count
) -> None:
    """Add key lines of the shown children below their lines.

    Each child gets an equal part of the room; what remains goes to the lines that cover
    most of the remaining terms.
    """
    by_child: dict[int, dict[int, str]] = {}
    for position, child in children.items():
        lines = [f"  {_BULLET}{line}" for line in _key_lines(child)]
        places = range(position + 1, position + _SPREAD)
        by_child[position] = dict(zip(places, lines, strict=False))
    every = {at: line for found in by_child.values() for at, line in found.items()}
    vocabulary = Vocabulary(every.values())
    candidates = {
        at: Candidate(vocabulary.terms(line), count.count(f"{line}\n"))
        for at, line in every.items()
    }
    fair = budget.left // max(sum(map(bool, by_child.values())), 1)
    for found in by_child.values():
        _add_chosen(budget, found, candidates, min(fair, budget.left))
    rest = {at: line for at, line in every.items() if at not in budget}
    _add_chosen(budget, rest, candidates, budget.left)


def _add_chosen(
    budget: LineBudget,
    lines: dict[int, str],
    candidates: dict[int, Candidate],
    limit: int,
) -> None:
    places = list(lines)
    for at in choose([candidates[place] for place in places], {}, limit):
        budget.add(places[at], lines[places[at]])


def _key_lines(child: FolderChild) -> list[str]:
    """Return the key lines of the overview of a child, without the one that its own
    line shows.
    """
    read = _lines_of_folder if child.is_folder else _lines_of_file
    head = child.layers.abstract.partition("\n")[0]
    found = []
    for line in read(child):
        statement = line.partition(_DASH)[2] or line
        if statement not in head and not _announces(line):
            found.append(line)
    return found


def _lines_of_file(child: FolderChild) -> Iterator[str]:
    """Yield the sentences and list items of the overview of a file."""
    for block in read_prose(child.layers.overview):
        if block.kind == "item":
            yield block.text
        elif block.kind == "paragraph" and not block.text.startswith(KEYWORDS):
            yield from split_sentences(block.text)


def _lines_of_folder(child: FolderChild) -> Iterator[str]:
    """Yield the lines about files and messages in the overview of a folder.

    Names and citations are relative to the folder of which `child` is a part:
    `[22/09_15_00_1a2b3c4d]`.
    """
    inside = ""
    for row in child.layers.overview.split("\n"):
        folder = _FOLDER_LINE.match(row)
        if folder is not None:
            inside = folder[1]
            continue
        if row.startswith(_BULLET):
            inside = ""
        text = row.strip().removeprefix(_BULLET)
        if _CITATION.search(text):
            yield _CITATION.sub(_prefixed(child.name), text)
        elif _NAMED_LINE.match(text):
            yield f"{inside}{text}"


def _announces(line: str) -> bool:
    """Return whether a line only introduces something that is not shown."""
    return line.endswith(":") or line.startswith(TABLE)


def _prefixed(name: str) -> str:
    """Return the replacement of a citation with the name of a folder before it."""
    escaped = name.replace("\\", r"\\")
    return rf" [{escaped}\1]"
