"""Division of a message into passages of at most 300 characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cuedeck.model.statement import LONGEST
from cuedeck.text.sentences import split_sentences

_FENCE = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1`*[ \t]*$|\Z)", re.M | re.S)
_BLOCK = re.compile(
    r"(?:\A|\n)[ \t]*(?:[-=_*]{3,}[ \t]*)?(?=\n|\Z)|\n(?=[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t])|\n(?=#{1,6} )"
)
_MARK = re.compile(
    r"\A[ \t]*(?:#{1,6}|>|(?:[-*+•]|\d{1,2}[.)])(?:[ \t]*\[([^\]\n])\](?![(\[]))?)[ \t]+"
)
_HEADING = re.compile(r"^[ \t]*#{1,6} .*$", re.M)
_OUTPUT_LINE = re.compile(
    r"(?:at |File \"|\^|\$ |> |\d+[:|]\d+|Traceback|[│┌└├|]|</?\w|"
    r"(?:could not|cannot|unable to|failed to) [^\n']*'[^'\n]*[/\\]|"
    r"(?:severity|sqlstate|messagetext|exception data):|npm (?:warn|err)|\[…|[✔✘✗] |"
    r"\S+ git:\(|(?:\S+@\S+ )?MINGW\d+ |\w+:error |error run |failed to \w+ \w+: |"
    r"[➜❯λ] |PS [A-Z]:\\|\[\w+(?: \d+)?\] \S|\(node:\d|@?[\w./-]+[:#]\w+:(?:\s|$)|"
    r"[^\s:]+\.\w{1,5}:\d+(?::\d+\b|\s*$)|\.{0,2}/[\w@.-]+/[\w@./-]+\s*$)",
    re.I,
)
"""The beginning of a line of a stack trace, a shell, a log, a compiler, a table or
markup, or of a message with a quoted path.
"""
_MARKUP = re.compile(r"</?\w[^<>]*>|\*{4}")
_MOST_MARKUP = 2
_LONG_LINE = 20
_LEAST_LETTERS = 0.6
"""Share of letters and blanks in a longer line of prose."""
LEAST_WORDS = 3


class Block(NamedTuple):
    """A paragraph, heading or list item of a message."""

    text: str
    is_item: bool
    """Whether it is an item of a list that is not checked off."""
    has_box: bool
    """Whether it is an item with a check box."""
    is_heading: bool


def split_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a message without code and output."""
    spaced = _HEADING.sub("\\g<0>\n", _FENCE.sub("\n\n", text))
    for block in _BLOCK.split(spaced):
        prose = " ".join(filter(_is_prose, map(str.strip, block.split("\n"))))
        mark = _MARK.match(prose)
        is_heading = mark is not None and mark[0].strip()[:1] == "#"
        is_item = mark is not None and mark[0].strip()[:1] not in "#>"
        box = mark[1] if mark is not None else None
        is_open = is_item and box in (None, " ")
        text = " ".join(_MARK.sub("", prose).split())
        yield Block(text, is_open, box is not None, is_heading)


def split_passages(text: str) -> Iterator[str]:
    """Yield the paragraphs and list items of a message without code and output.

    A longer block is divided between sentences, an endless sentence between words.
    Passages of fewer than three words are left out.
    """
    for block in split_blocks(text):
        yield from divide_block(block)


def divide_block(block: Block) -> Iterator[str]:
    """Yield the passages of a block: runs of sentences, each as long as possible."""
    passage = ""
    for sentence in split_sentences(block.text, longest=LONGEST):
        if passage and len(passage) + len(sentence) + 1 > LONGEST:
            if len(passage.split()) >= LEAST_WORDS:
                yield passage
            passage = ""
        passage = f"{passage} {sentence}".lstrip()
    if len(passage.split()) >= LEAST_WORDS:
        yield passage


def _is_prose(line: str) -> bool:
    if _OUTPUT_LINE.match(line) or len(_MARKUP.findall(line)) > _MOST_MARKUP:
        return False
    if len(line) <= _LONG_LINE:
        return True
    letters = sum(each.isalpha() or each == " " for each in line)
    return letters >= _LEAST_LETTERS * len(line)
