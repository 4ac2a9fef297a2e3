"""Layers of a folder, made of the layers of its files and folders.

A line about a file or folder is `- path — statement`, a line about a message `- time
speaker: text [path]`; a sentence of a file is an indented line below its own. Every
path is relative to the folder that the layer describes, so a folder above takes the
lines over with longer paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from cuedeck.knowledge.layers.document_layers import Line, add_lines
from cuedeck.knowledge.layers.layer_file import (
    ABSTRACT_TOKENS,
    OVERVIEW_TOKENS,
    LayerPair,
)
from cuedeck.model.formatting import counted
from cuedeck.model.ports import Count
from cuedeck.parse.prose import read_prose
from cuedeck.text.keywords import KEYWORDS, Candidate, choose, content_terms
from cuedeck.text.line_budget import LineBudget, add_names, cut_text
from cuedeck.text.sentences import first_sentence, split_sentences

MOST_CHILDREN = 400
"""Children of which a line can be shown; further ones are counted."""
_INDEX_NAMES = "README.md readme.md index.md __init__.py mod.rs lib.rs doc.go index.ts"
"""Files that describe their folder, the best first."""
_DASH = " — "
_BULLET = "- "
_IS_COUNT = re.compile(r"[\d,]+ (?:file|folder|message)s?\b")
"""Begins a statement that says how much a folder contains."""
_MESSAGE_LINE = re.compile(r"- \d\d:\d\d .* \[(?P<name>[\w./-]+)\]$")
"""The line about a message; a name of a file contains no colon."""
_DEFINITION = re.compile(
    r"(?P<name>(?:[^\W_][^\s(<\[]* )*[^\W_][^\s(<\[]*)\s*(?:[(<\[].*?)?"
    r"  (?:#|//|--|%|;) (?P<doc>.+)"
)
"""A row of an outline: `signature  # doc` of an outermost public definition."""
_LINE_TOKENS = 40
_ABSTRACT_LINE_TOKENS = 24
_LEAST_LINE_TOKENS = 8
_DESCRIBED_SHARE = 0.6
"""Part of the abstract that lines about children may use; the rest has the names of
others.
"""
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

    @property
    def line(self) -> str:
        """The line about it in the layers of its folder."""
        return f"{_BULLET}{self.name}{_DASH}{_statement(self)}".removesuffix(_DASH)


def folder_layers(
    title: str,
    children: Sequence[FolderChild],
    count: Count,
    most: int = OVERVIEW_TOKENS,
) -> LayerPair:
    """Return the layers of a folder; its children are in the order of their names. The
    overview has at most `most` tokens.
    """
    head = _head(title, children)
    return LayerPair(
        _abstract(head, children, count), _overview(head, children, count, most)
    )


def _head(title: str, children: Sequence[FolderChild]) -> str:
    """Return the title with the numbers of folders and files, and the first sentence of
    the file that describes the folder.
    """
    folders = sum(child.is_folder for child in children)
    files = len(children) - folders
    parts = []
    if folders:
        parts.append(counted(folders, "folder"))
    if files or not folders:
        parts.append(counted(files, "file"))
    head = f"{title}: {', '.join(parts)}"
    by_name = {child.name: child for child in children}
    for name in _INDEX_NAMES.split():
        if name in by_name:
            first = by_name[name].layers.abstract.partition("\n")[0]
            lead = first_sentence(first.partition(_DASH)[2])
            return f"{head}{_DASH}{lead}" if lead else head
    return head


def _statement(child: FolderChild) -> str:
    """Return the description of a folder, or else its numbers; of a file the first line
    of its abstract, without a path or a title that repeats its name.
    """
    if child.is_folder:
        head = child.layers.overview.partition("\n")[0].removeprefix("# ")
        counts, _, description = head.partition(_DASH)
        return description or counts.rpartition(": ")[2]
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


def _abstract(head: str, children: Sequence[FolderChild], count: Count) -> str:
    """Return the head, then the lines below it that cover most of the terms, and the
    names of children without a line.
    """
    top = cut_text(head, count, ABSTRACT_TOKENS // 4)
    known = children[:MOST_CHILDREN]
    owned = [(child, line) for child in known for line in _abstract_lines(child)]
    room = ABSTRACT_TOKENS - count.count(f"{top}\n")
    width = max(room // max(len(owned), 1) - 1, _ABSTRACT_LINE_TOKENS)
    lines = [_cut_line(line, count, width) for _, line in owned]
    costs = [count.count(f"{line}\n") for line in lines]
    if sum(costs) > room or len(known) < len(children):
        room = int(room * _DESCRIBED_SHARE)
    candidates = [
        Candidate(content_terms(line), cost)
        for line, cost in zip(lines, costs, strict=True)
    ]
    chosen = choose(candidates, {}, room)
    described = {owned[at][0].name for at in chosen}
    names = [child.name for child in children if child.name not in described]
    names.sort(key=lambda name: not name.endswith("/"))
    shown = "\n".join([top, *(lines[at] for at in chosen)])
    label = "also: " if chosen else ""
    return add_names(f"{shown}\n{label}", names, count, ABSTRACT_TOKENS) or shown


def _abstract_lines(child: FolderChild) -> Iterator[str]:
    head, _, rest = child.layers.abstract.partition("\n")
    lines = rest.split("\n") if child.is_folder and rest else []
    if not lines or _DASH in head:
        yield child.line
        return
    below = [line for line in lines if line.startswith(_BULLET)]
    for line in below:
        yield f"{_BULLET}{child.name}{line.removeprefix(_BULLET)}"
    if not below:
        yield f"{_BULLET}{child.name}{_DASH}{lines[0]}"


def _cut_line(line: str, count: Count, width: int) -> str:
    """Return a line cut to `width` tokens, but not within its path: the beginning of a
    path leads nowhere.
    """
    path = line.partition(_DASH)[0]
    cut = cut_text(line, count, width)
    statement = cut.removeprefix(f"{path}{_DASH.rstrip()}")
    if statement not in (cut, "…"):
        return cut
    return cut_text(path, count, max(width, _LINE_TOKENS))


def _overview(
    head: str, children: Sequence[FolderChild], count: Count, most: int
) -> str:
    """Return the names of the children, then their statements, then key sentences of
    files and key lines of folders, as many as fit.
    """
    share = most // (2 * max(len(children), 1))
    width = min(max(share, _LEAST_LINE_TOKENS), _LINE_TOKENS)
    lines = []
    for at, child in enumerate(children[:MOST_CHILDREN]):
        place = at * _SPREAD
        lines.append(Line(place, f"{_BULLET}{child.name}", 0))
        lines.append(Line(place, _cut_line(child.line, count, width), 1, place))
        below = enumerate(islice(_key_lines(child), _SPREAD - 1), place + 1)
        lines += [Line(position, text, parent=place) for position, text in below]
    budget = LineBudget(count, most - count.count(f"+{len(children)} more\n"))
    budget.add(-1, f"# {head}\n")
    add_lines(budget, lines)
    more = sum(at * _SPREAD not in budget for at in range(len(children)))
    return f"{budget.text()}\n+{more} more" if more else budget.text()


def _key_lines(child: FolderChild) -> Iterator[str]:
    """Yield the sentences and documented definitions of the overview of a file, or the
    lines of that of a folder, that its own line does not contain.
    """
    line = child.line
    if not child.is_folder:
        if child.layers.overview == child.layers.abstract:
            return
        for sentence in _sentences(child):
            is_introduction = sentence.endswith(":") or sentence.startswith("Table: ")
            if sentence not in line and not is_introduction:
                yield f"  {sentence}"
        return
    for row in child.layers.overview.split("\n"):
        message = _MESSAGE_LINE.match(row)
        if message:
            yield f"{row[: message.start('name')]}{child.name}{message['name']}]"
        elif row.startswith(_BULLET):
            statement = row.partition(_DASH)[2]
            if statement not in line and not _IS_COUNT.match(statement):
                yield f"{_BULLET}{child.name}{row.removeprefix(_BULLET)}"


def _sentences(child: FolderChild) -> Iterator[str]:
    for block in read_prose(child.layers.overview):
        if block.kind == "item":
            yield block.text
        elif block.kind == "paragraph" and not block.text.startswith(KEYWORDS):
            yield from split_sentences(block.text)
    if child.layers.is_whole:
        return
    for row in child.layers.overview.split("\n"):
        found = _DEFINITION.match(row)
        if found:
            yield f"{found['name']}: {found['doc']}"
