"""Layers of a folder, made of the layers of its files and folders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.model.formatting import counted
from cuedeck.model.ports import Count
from cuedeck.parse.prose import read_prose
from cuedeck.records.layers.keyword_line import KEYWORDS
from cuedeck.records.layers.layer_terms import Vocabulary
from cuedeck.records.layers.layer_values import (
    ABSTRACT_TOKENS,
    OVERVIEW_TOKENS,
    LayerPair,
)
from cuedeck.records.layers.line_budget import LineBudget, cut_text
from cuedeck.records.layers.sentences import split_sentences
from cuedeck.records.layers.term_coverage import Candidate, choose

MOST_CHILDREN = 400
"""Children of which a line can be shown; further ones are counted."""
_DASH = " — "
_FOLDER_LINE = re.compile(rf"\S+/{_DASH}")
"""Begins the line about a folder in an overview."""
_CITATION = re.compile(r" \[([\w./-]+)\]$")
_LINE_TOKENS = 40
_ABSTRACT_LINE_TOKENS = 22
_LEAST_LINE_TOKENS = 8
_LINES_SHARE = 0.6
"""Part of the overview that one line for each child may use."""


class FolderChild(NamedTuple):
    """A file or folder with its layers."""

    name: str
    """With a slash at the end for a folder."""
    layers: LayerPair

    @property
    def is_folder(self) -> bool:
        return self.name.endswith("/")


def folder_layers(
    title: str, children: Sequence[FolderChild], count: Count
) -> LayerPair:
    """Return the layers of a folder; its children are in the order of their names."""
    head = _head(title, children)
    heads = [_first_line(child) for child in children[:MOST_CHILDREN]]
    return LayerPair(
        _abstract(head, children, heads, count), _overview(head, children, heads, count)
    )


def _head(title: str, children: Sequence[FolderChild]) -> str:
    folders = sum(child.is_folder for child in children)
    files = len(children) - folders
    parts = []
    if folders:
        parts.append(counted(folders, "folder"))
    if files or not folders:
        parts.append(counted(files, "file"))
    return f"{title}: {', '.join(parts)}"


def _first_line(child: FolderChild) -> str:
    """Return the first line of the abstract of a child, without a path that repeats the
    name of the child.
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


def _abstract(
    head: str, children: Sequence[FolderChild], heads: Sequence[str], count: Count
) -> str:
    """Return the head, then the lines of the children that cover most of the terms."""
    top = cut_text(head, count, ABSTRACT_TOKENS // 4)
    more = f"+{len(children)} more"
    room = ABSTRACT_TOKENS - count.count(f"{top}\n") - count.count(f"{more}\n")
    lines = [
        cut_text(f"- {child.name}{_DASH}{line}", count, _ABSTRACT_LINE_TOKENS)
        for child, line in zip(children, heads, strict=False)
    ]
    vocabulary = Vocabulary(lines)
    candidates = [
        Candidate(vocabulary.terms(line), count.count(f"{line}\n")) for line in lines
    ]
    chosen = choose(candidates, {}, room)
    shown = [top, *(lines[at] for at in chosen)]
    left_out = len(children) - len(chosen)
    if left_out and chosen:
        shown.append(f"+{left_out} more")
    elif left_out:
        names = ", ".join(child.name for child in children[:MOST_CHILDREN])
        shown.append(cut_text(names, count, room))
    return "\n".join(shown)


def _overview(
    head: str, children: Sequence[FolderChild], heads: Sequence[str], count: Count
) -> str:
    """Return one line for each child, each followed by key lines of its overview."""
    budget = LineBudget(count, OVERVIEW_TOKENS)
    budget.add(0, f"# {head}\n")
    reserve = budget.cost(f"+{len(children)} more")
    budget.left -= reserve
    share = int(budget.left * _LINES_SHARE) // max(len(heads), 1)
    width = min(max(share, _LEAST_LINE_TOKENS), _LINE_TOKENS)
    left_out = len(children) - len(heads)
    spread = 1_000
    for at, (child, line) in enumerate(zip(children, heads, strict=False)):
        text = cut_text(f"- {child.name}{_DASH}{line}", count, width)
        if not budget.add((at + 1) * spread, text):
            left_out += 1
    _add_key_lines(budget, children[: len(heads)], heads, spread, count)
    budget.left += reserve
    if left_out:
        budget.add((len(heads) + 1) * spread, f"+{left_out} more")
    return budget.text()


def _add_key_lines(
    budget: LineBudget,
    children: Sequence[FolderChild],
    heads: Sequence[str],
    spread: int,
    count: Count,
) -> None:
    """Add sentences of the overviews of shown children below their lines."""
    places: list[int] = []
    lines: list[str] = []
    for at, child in enumerate(children):
        position = (at + 1) * spread
        if position not in budget:
            continue
        for number, line in enumerate(_key_lines(child, heads[at])[: spread - 1], 1):
            places.append(position + number)
            lines.append(f"  - {line}")
    vocabulary = Vocabulary(lines)
    candidates = [
        Candidate(vocabulary.terms(line), count.count(f"{line}\n")) for line in lines
    ]
    for at in choose(candidates, {}, budget.left):
        budget.add(places[at], lines[at])


def _key_lines(child: FolderChild, head: str) -> list[str]:
    """Return the sentences and list items of the overview of a child, without those
    that its line shows and without the lines about folders in it.

    A citation is relative to the described folder: `[22/09_15_00_1a2b3c4d]`.
    """
    found = []
    for block in read_prose(child.layers.overview):
        if block.kind == "item":
            if not _FOLDER_LINE.match(block.text):
                found.append(block.text)
        elif block.kind == "paragraph" and not block.text.startswith(KEYWORDS):
            found += split_sentences(block.text)
    if child.is_folder:
        found = [_CITATION.sub(rf" [{_escaped(child.name)}\1]", line) for line in found]
    return [line for line in found if line not in head]


def _escaped(name: str) -> str:
    """Return a name for the replacement of a regular expression."""
    return name.replace("\\", r"\\")
