"""Lines of the overview of a folder: one for each file, folder and message below it.

A line about a file or folder is `- path — statement`, a line about a message `- time
speaker: text [path]`. Every path is relative to the folder that the overview describes,
so a folder above takes the lines over with longer paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cuedeck.knowledge.layers.document_layers import TABLE
from cuedeck.knowledge.layers.layer_values import LayerPair
from cuedeck.model.formatting import counted
from cuedeck.model.ports import Count
from cuedeck.parse.prose import read_prose
from cuedeck.text.keyword_line import KEYWORDS, keyword_line
from cuedeck.text.sentences import split_sentences

DASH = " — "
BULLET = "- "
GAP = " … "
"""Between the sentences of a file on its line."""
_CUT = "…"
_COUNTS = re.compile(
    r"(?P<folders>[\d,]+ folders?)?(?:, )?(?P<files>[\d,]+ files?)?"
    r"(?:, )?(?:(?P<messages>[\d,]+) messages?(?: by (?P<speakers>.+))?)?$"
)
"""The numbers in the head of a folder."""
_STARTS_WITH_COUNT = re.compile(r"[\d,]+ (?:folder|file|message)s?\b")
_MESSAGE_LINE = re.compile(
    r"- \d\d:\d\d (?P<speaker>\S+: )?(?P<text>.*) \[(?P<name>[\w./-]+)\]$"
)
"""The line about a message; a name of a file contains no colon."""
_COMMENT_MARKS = frozenset(["#", "//", "--", "%", ";"])
_PARAMETERS = re.compile(r"[(<\[]")
_PRIVATE = re.compile(r"(?:^|\s)_")
_TOPIC_TOKENS = 20


class FolderChild(NamedTuple):
    """A file or folder with its layers."""

    name: str
    """With a slash at the end for a folder."""
    layers: LayerPair

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.name.endswith("/")


class FolderEntry(NamedTuple):
    """A line of an overview about a file or a folder."""

    path: str
    """Relative to the folder that the overview describes."""
    statement: str
    """May be empty."""

    @property
    def line(self) -> str:
        """The entry as a line."""
        if self.statement:
            return f"{BULLET}{self.path}{DASH}{self.statement}"
        return f"{BULLET}{self.path}"


def messages_below(children: Sequence[FolderChild]) -> str:
    """Return the number of messages below folders with the speakers; empty if there are
    none.
    """
    total = 0
    speakers: dict[str, None] = {}
    for child in children:
        found = _COUNTS.match(_counts(child)) if child.is_folder else None
        if found and found["messages"]:
            total += int(found["messages"].replace(",", ""))
            names = found["speakers"] or ""
            speakers.update(dict.fromkeys(filter(None, names.split(", "))))
    if not total:
        return ""
    by = f" by {', '.join(speakers)}" if speakers else ""
    return f"{counted(total, 'message')}{by}"


def _overview_head(child: FolderChild) -> tuple[str, str]:
    """Return the head of the overview of a folder, without its description, and the
    description.
    """
    head = child.layers.overview.partition("\n")[0].removeprefix("# ")
    found, _, description = head.partition(DASH)
    return found, description


def _counts(child: FolderChild) -> str:
    """Return the numbers in the head of a folder, without its title."""
    head = _overview_head(child)[0]
    at = head.find(": ")
    while at >= 0:
        if _STARTS_WITH_COUNT.match(head, at + 2):
            return head[at + 2 :]
        at = head.find(": ", at + 1)
    return ""


def _first_line(child: FolderChild) -> str:
    """Return the first line of the abstract of a child, without a path or a title that
    repeats the name of the child.
    """
    first, _, rest = child.layers.abstract.partition("\n")
    label, dash, lead = first.partition(DASH)
    if label.rpartition("/")[2] == child.name:
        return lead if dash else rest.partition("\n")[0]
    stem = child.name.rpartition(".")[0]
    if dash and _letters(label) == _letters(stem):
        return lead
    return first


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def entry_of(child: FolderChild, count: Count) -> FolderEntry:
    """Return the line about a child.

    A folder without a description is described by what it contains: its only folder,
    the topics of its messages, or its first file with a sentence.
    """
    if not child.is_folder:
        return FolderEntry(child.name, _first_line(child))
    description = _overview_head(child)[1]
    if description:
        return FolderEntry(child.name, description)
    counts = _counts(child)
    found = _COUNTS.match(counts)
    below = list(_entries(child))
    if found and found["folders"] == "1 folder" and not found["files"] and below:
        return FolderEntry(f"{child.name}{below[0].path}", below[0].statement)
    if found and found["messages"]:
        topics = _topics(child, count)
        return FolderEntry(child.name, f"{counts}; {topics}" if topics else counts)
    stated = [entry for entry in map(_innermost, below) if entry.statement]
    files = [entry for entry in stated if not entry.path.endswith("/")]
    for entry in files or stated:
        return FolderEntry(child.name, f"{counts}: {entry.path}{DASH}{entry.statement}")
    return FolderEntry(child.name, counts)


def _topics(child: FolderChild, count: Count) -> str:
    """Return the most frequent words of the messages below a folder."""
    rows = map(_MESSAGE_LINE.match, child.layers.overview.split("\n"))
    text = "\n".join(row["text"] for row in rows if row)
    line = keyword_line(text, count, _TOPIC_TOKENS)
    return line.replace(KEYWORDS, "topics: ", 1)


def _entries(child: FolderChild) -> Iterator[FolderEntry]:
    """Yield the lines about files and folders in the overview of a folder, each with
    its first sentence.
    """
    for row in child.layers.overview.split("\n"):
        if not row.startswith(BULLET) or _MESSAGE_LINE.match(row):
            continue
        path, _, text = row.removeprefix(BULLET).partition(DASH)
        if not path.endswith(_CUT):
            yield FolderEntry(path, text.partition(GAP)[0])


def _innermost(entry: FolderEntry) -> FolderEntry:
    """Return the file by which a folder is described, or the entry itself."""
    if not _STARTS_WITH_COUNT.match(entry.statement):
        return entry
    path, dash, statement = entry.statement.partition(": ")[2].partition(DASH)
    if not dash:
        return entry
    return FolderEntry(f"{entry.path}{path}", statement)


def key_lines(child: FolderChild, entry: FolderEntry) -> Iterator[str]:
    """Yield the sentences of the overview of a file, or the lines of that of a folder,
    without the statement of its entry.
    """
    if not child.is_folder:
        if child.layers.overview == child.layers.abstract:
            return
        for sentence in _sentences(child):
            if sentence not in entry.statement and not _announces(sentence):
                yield sentence
        yield from _documented_definitions(child)
        return
    for row in child.layers.overview.split("\n"):
        message = _MESSAGE_LINE.match(row)
        if message:
            yield f"{row[: message.start('name')]}{child.name}{message['name']}]"
    for found in map(_innermost, _entries(child)):
        path = f"{child.name}{found.path}"
        is_shown = path == entry.path or found.statement in entry.statement
        if not is_shown and not _STARTS_WITH_COUNT.match(found.statement):
            yield FolderEntry(path, found.statement).line


def _sentences(child: FolderChild) -> Iterator[str]:
    """Yield the sentences and list items of the overview of a file."""
    for block in read_prose(child.layers.overview):
        if block.kind == "item":
            yield block.text
        elif block.kind == "paragraph" and not block.text.startswith(KEYWORDS):
            yield from split_sentences(block.text)


def _documented_definitions(child: FolderChild) -> Iterator[str]:
    """Yield the outermost public definitions in the overview of a source, each with the
    first sentence of its doc; those without a doc are left out.
    """
    if child.layers.is_whole:
        return
    for row in child.layers.overview.split("\n"):
        # `source_layers` writes such a row as `signature  # doc`.
        signature, _, comment = row.partition("  ")
        mark, _, doc = comment.partition(" ")
        name = _PARAMETERS.split(signature, maxsplit=1)[0].rstrip()
        if name and doc and mark in _COMMENT_MARKS and not _PRIVATE.search(name):
            yield f"{name}: {doc}"


def _announces(line: str) -> bool:
    """Return whether a line only introduces something that is not shown."""
    return line.endswith(":") or line.startswith(TABLE)
