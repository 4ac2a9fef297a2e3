"""Layers of a document: its title, lead sentence and headings, then its key lines; and
of a source file: its path, module doc and definitions, and its keywords.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cuedeck.knowledge.layers.layer_file import (
    ABSTRACT_TOKENS,
    OVERVIEW_TOKENS,
    LayerPair,
)
from cuedeck.model.file import Symbol
from cuedeck.model.formatting import counted
from cuedeck.model.ports import Count
from cuedeck.parse.prose import ProseBlock, read_prose
from cuedeck.text.keywords import Candidate, choose, content_terms, keyword_line
from cuedeck.text.line_budget import LineBudget, add_names, cut_text
from cuedeck.text.sentences import first_sentence, split_sentences
from cuedeck.text.words import read_terms

_TITLE_TOKENS = 24
_LEAD_TOKENS = 60
_HEADING_ROUND = 10
REST = 99
"""Round of the lines that are chosen by their terms."""


def document_layers(title: str, body: str, count: Count, note: str = "") -> LayerPair:
    """Return the layers of a document; its texts are masked. A body that fits the
    overview is shown whole.

    `title` is that of the front matter or of the first heading, else a readable file
    name; `body` is Markdown without front matter; `note` are facts to show after the
    title, such as the status of a card.
    """
    blocks = _without_title(read_prose(body), title)
    headline = cut_text(title, count, _TITLE_TOKENS) + note
    whole = body.strip()
    abstract = _abstract(headline, whole, blocks, count)
    if whole and count.count(whole) <= OVERVIEW_TOKENS:
        return LayerPair(abstract, whole, is_whole=True)
    budget = LineBudget(count, OVERVIEW_TOKENS)
    budget.add(-1, f"# {headline}")
    add_lines(budget, _lines_of(blocks))
    return LayerPair(abstract, budget.text())


def _without_title(blocks: Sequence[ProseBlock], title: str) -> Sequence[ProseBlock]:
    for at, block in enumerate(blocks):
        if block.kind == "heading":
            if block.text == title:
                return [*blocks[:at], *blocks[at + 1 :]]
            break
    return blocks


def _abstract(
    headline: str, body: str, blocks: Sequence[ProseBlock], count: Count
) -> str:
    lead = cut_text(_lead(blocks), count, _LEAD_TOKENS)
    first = f"{headline} — {lead}" if lead else headline
    first = cut_text(first, count, ABSTRACT_TOKENS)
    headings = list(dict.fromkeys(_main_headings(blocks)))
    text = add_names(f"{first}\nSections: ", headings, count, ABSTRACT_TOKENS, "; ")
    if text or lead:
        return text or first
    size = len(body.splitlines())
    return (
        f"{first}\n{counted(size, 'line')} without prose" if size else f"{first}\nempty"
    )


def _lead(blocks: Sequence[ProseBlock]) -> str:
    """Return the first sentence of the first paragraph; without a paragraph, the first
    list item. A sentence that introduces something which is left out is skipped.
    """
    for kind in ("paragraph", "item"):
        for block in blocks:
            for sentence in split_sentences(block.text):
                if block.kind == kind and not sentence.endswith(":"):
                    return sentence
    return ""


def _main_headings(blocks: Sequence[ProseBlock]) -> list[str]:
    """Return the headings of the highest level that occurs more than once, or all if
    there are few.
    """
    headings = [block for block in blocks if block.kind == "heading"]
    for level in range(1, 7):
        found = [each.text for each in headings if each.level <= level]
        if len(found) > 1:
            return found
    return [each.text for each in headings]


class Line(NamedTuple):
    """A line of an overview that may be shown."""

    position: int
    text: str
    round: int = REST
    """Lines of an earlier round are added first, those of `REST` by their terms."""
    parent: int = -1
    """Position of the line without which it is not shown; -1 for none."""


def add_lines(budget: LineBudget, lines: Iterable[Line]) -> None:
    """Add the lines that fit, round by round; those of the last round are chosen so
    that they cover most of the terms.
    """
    rest: list[Line] = []
    for line in sorted(lines, key=lambda each: (each.round, each.position)):
        if line.parent >= 0 and line.parent not in budget:
            continue
        if line.round == REST:
            rest.append(line)
        else:
            budget.add(line.position, line.text)
    candidates = [
        Candidate(content_terms(line.text), budget.cost(line.text)) for line in rest
    ]
    for at in choose(candidates, {}, budget.left):
        budget.add(rest[at].position, rest[at].text)


def _lines_of(blocks: Sequence[ProseBlock]) -> Iterator[Line]:
    """Yield the lines of a document with their rounds.

    The headings of a level come first, then the first line below each of them, then the
    next level, and at last everything else.
    """
    heading, level, is_first = -1, 1, True
    for position, (block, text) in enumerate(_rows_of(blocks)):
        if block.kind == "heading":
            heading, level, is_first = position, block.level, True
            yield Line(position, f"{'#' * level} {text}", _HEADING_ROUND * level)
            continue
        if block.kind == "paragraph" and not is_first:
            # Without a bullet, the sentence would continue the line above it.
            text = f"- {text}"
        round_ = _HEADING_ROUND * level + 1 if is_first else REST
        yield Line(position, text, round_, heading)
        is_first = False


def _rows_of(blocks: Sequence[ProseBlock]) -> Iterator[tuple[ProseBlock, str]]:
    """Yield the rows of each block: its sentences, or the whole block."""
    for block in blocks:
        if block.kind == "paragraph":
            for sentence in split_sentences(block.text):
                yield block, sentence
            continue
        marks = {"item": f"{'  ' * (block.level - 1)}- ", "table": "- Table: "}
        yield block, marks.get(block.kind, "") + block.text


OUTLINE_TOKENS = 1_200
"""Tokens of the outline at most; the keyword line gets the rest of the overview.
Measured by `python -m benchmarks.layers`.
"""
_DOC_TOKENS = 60
_FENCE_TOKENS = 8
_LONGEST_TOKEN = 128
"""Characters of the longest token; a longer text is not counted."""
_HEAD_ROWS = 60
_BACKTICKS = re.compile(r"`{3,}")


class SourceText(NamedTuple):
    """A source file whose layers are computed; its texts are masked."""

    path: str
    text: str
    doc: str
    """Text of the leading comment or docstring."""
    symbols: Sequence[Symbol]
    signatures: Sequence[str]
    """The signature of each symbol on one line, indented by its nesting."""
    language: str
    """Info string of a fenced code block; empty for an unknown language."""
    comment: str = "#"
    """Mark that begins a comment."""
    keys: Sequence[str] = ()
    """Top-level keys of a data file."""


def source_layers(source: SourceText, count: Count) -> LayerPair:
    """Return the layers of a source file: as overview an outline, or the text with its
    path if that is shorter.

    A file without definitions, such as a table of settings, is shown as text if it
    fits.
    """
    abstract = _source_abstract(source, count)
    top = f"# {source.path}"
    doc = cut_text(" ".join(source.doc.split()), count, 3 * _DOC_TOKENS)
    if doc:
        top = f"{top}\n\n{doc}"
    room = OUTLINE_TOKENS - count.count(top) - _FENCE_TOKENS
    outline = _outline(source, count, room)
    if not outline:
        outline = cut_text(source.text.strip("\n"), count, room)
    if outline:
        top = f"{top}\n\n{_fenced(outline, source.language)}"
    left = OVERVIEW_TOKENS - count.count(f"{top}\n\n")
    keywords = keyword_line(source.text, count, left, frozenset(read_terms(top)))
    overview = f"{top}\n\n{keywords}" if keywords else top
    limit = count.count(overview) if source.symbols else OVERVIEW_TOKENS
    text = source.text.strip("\n")
    if text.strip() and len(text) <= _LONGEST_TOKEN * limit:
        whole = f"# {source.path}\n\n{_fenced(text, source.language)}"
        if count.count(whole) <= limit:
            return LayerPair(abstract, whole, is_whole=True)
    return LayerPair(abstract, overview)


def _fenced(text: str, language: str) -> str:
    longest = max(map(len, _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _source_abstract(source: SourceText, count: Count) -> str:
    paragraph = source.doc.strip().partition("\n\n")[0]
    lead = first_sentence(" ".join(paragraph.split()))
    first = source.path
    if lead:
        first = f"{source.path} — {cut_text(lead, count, _DOC_TOKENS)}"
    text = cut_text(first, count, ABSTRACT_TOKENS)
    names = [each.name for each in sorted(source.symbols, key=_rank)]
    names = list(dict.fromkeys(each.rpartition(".")[2] or each for each in names))
    label = "Defines" if names else "Keys"
    listed = add_names(
        f"{text}\n{label}: ", names or source.keys, count, ABSTRACT_TOKENS
    )
    if listed or lead:
        return listed or text
    head = " ".join(" ".join(source.text.split("\n", _HEAD_ROWS)[:_HEAD_ROWS]).split())
    return cut_text(f"{text}\n{head}", count, ABSTRACT_TOKENS)


def _rank(symbol: Symbol) -> int:
    """Return the place of a definition: public ones of the top level, public members,
    public constants, then private ones.
    """
    if any(part.startswith(("_", "#")) for part in symbol.name.split(".")):
        return 3
    if "." in symbol.name:
        return 1
    return 2 if symbol.kind == "constant" else 0


def _outline(source: SourceText, count: Count, room: int) -> str:
    """Return the signatures with the first sentences of their docs, as many as fit;
    the signatures of a rank are added before their docs.
    """
    budget = LineBudget(count, room)
    lines = []
    for at, symbol in enumerate(source.symbols):
        signature, round_ = source.signatures[at], 2 * _rank(symbol)
        lines.append(Line(at, signature, round_))
        sentence = first_sentence(symbol.doc)
        if sentence:
            text = f"{signature}  {source.comment} {sentence}"
            lines.append(Line(at, text, round_ + 1, at))
    add_lines(budget, lines)
    text = budget.text()
    left_out = sum(at not in budget for at in range(len(source.symbols)))
    return f"{text}\n⋮ {counted(left_out, 'definition')}" if left_out else text
