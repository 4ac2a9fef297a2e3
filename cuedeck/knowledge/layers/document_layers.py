"""Layers of a document: its title, lead sentence and headings, then its key lines; and
of a source file: its path, module doc and definitions, and its keywords.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from cuedeck.text.keywords import content_terms, keyword_line
from cuedeck.text.line_budget import LineBudget, add_names, cut_text
from cuedeck.text.sentences import first_sentence, split_sentences
from cuedeck.text.term_coverage import Candidate, choose
from cuedeck.text.words import read_terms

_TITLE_TOKENS = 24
_LEAD_TOKENS = 60
_SHORT_LEAD_WORDS = 8
"""A shorter first sentence is followed by the second one."""
_HEADING_ROUND = 10
_REST_ROUND = 99


class Document(NamedTuple):
    """A document whose layers are computed; its texts are masked."""

    title: str
    """Title of the front matter or of the first heading, else a readable file name."""
    body: str
    """Markdown without front matter."""
    note: str = ""
    """Facts to show after the title, such as the status of a card."""


def document_layers(document: Document, count: Count) -> LayerPair:
    """Return the layers of a document. A body that fits the overview is shown whole."""
    blocks = _without_title(read_prose(document.body), document.title)
    headline = cut_text(document.title, count, _TITLE_TOKENS) + document.note
    whole = document.body.strip()
    abstract = _abstract(headline, whole, blocks, count)
    if whole and count.count(whole) <= OVERVIEW_TOKENS:
        return LayerPair(abstract, whole, is_whole=True)
    return LayerPair(abstract, _overview(headline, blocks, count))


def _without_title(blocks: Sequence[ProseBlock], title: str) -> Sequence[ProseBlock]:
    """Return the blocks without the heading that is the title."""
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
    """Return the first sentence of the first paragraph, with the second one if the
    first is short; without a paragraph, the first list item. A sentence that introduces
    something which is left out is skipped.
    """
    for kind in ("paragraph", "item"):
        for block in blocks:
            if block.kind != kind:
                continue
            sentences = split_sentences(block.text)
            while sentences and sentences[0].endswith(":"):
                del sentences[0]
            if not sentences:
                continue
            lead = sentences[0]
            if len(lead.split()) < _SHORT_LEAD_WORDS and len(sentences) > 1:
                lead = f"{lead} {sentences[1]}"
            return lead
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


class _Line(NamedTuple):
    """A line of the overview that may be shown."""

    position: int
    text: str
    round: int
    """Lines of an earlier round are added first."""
    heading: int
    """Position of the heading above it; -1 for none."""


def _overview(headline: str, blocks: Sequence[ProseBlock], count: Count) -> str:
    budget = LineBudget(count, OVERVIEW_TOKENS)
    budget.add(-1, f"# {headline}")
    rest: dict[int, str] = {}
    for line in sorted(_lines_of(blocks), key=lambda each: (each.round, each.position)):
        is_open = line.heading < 0 or line.heading in budget
        if is_open and line.round == _REST_ROUND:
            rest[line.position] = line.text
        elif is_open:
            budget.add(line.position, line.text)
    add_best_lines(budget, rest, budget.left)
    return budget.text()


def _lines_of(blocks: Sequence[ProseBlock]) -> Iterator[_Line]:
    """Yield the lines of a document with their rounds.

    The headings of a level come first, then the lead sentence of each of them, then the
    next level, and at last everything else.
    """
    heading, level = -1, 1
    has_lead, is_below_heading = False, True
    for position, (block, text) in enumerate(_rows_of(blocks)):
        if block.kind == "heading":
            heading, level = position, block.level
            has_lead, is_below_heading = False, True
            title = f"{'#' * level} {text}"
            yield _Line(position, title, _HEADING_ROUND * level, -1)
            continue
        round_ = _REST_ROUND
        if not has_lead and (block.kind == "paragraph" or is_below_heading):
            # A section may begin with a list.
            round_ = _HEADING_ROUND * level + 1
            has_lead = True
        if block.kind == "paragraph" and not is_below_heading:
            # Without a bullet, the sentence would continue the line above it.
            text = f"- {text}"
        is_below_heading = False
        yield _Line(position, text, round_, heading)


def _rows_of(blocks: Sequence[ProseBlock]) -> Iterator[tuple[ProseBlock, str]]:
    """Yield the rows of each block: its sentences, or the whole block."""
    for block in blocks:
        if block.kind == "item":
            yield block, f"{'  ' * (block.level - 1)}- {block.text}"
        elif block.kind == "table":
            yield block, f"- Table: {block.text}"
        elif block.kind == "heading":
            yield block, block.text
        else:
            for sentence in split_sentences(block.text):
                yield block, sentence


def add_best_lines(budget: LineBudget, lines: Mapping[int, str], limit: int) -> None:
    """Add the lines, by position, that cover most of the terms in `limit` tokens."""
    candidates = [
        Candidate(content_terms(line), budget.cost(line)) for line in lines.values()
    ]
    positions = list(lines)
    for at in choose(candidates, {}, limit):
        budget.add(positions[at], lines[positions[at]])


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
    overview = _source_overview(source, count)
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
    names = _names(source.symbols)
    label = "Defines" if names else "Keys"
    listed = add_names(
        f"{text}\n{label}: ", names or source.keys, count, ABSTRACT_TOKENS
    )
    if listed or lead:
        return listed or text
    head = " ".join(" ".join(source.text.split("\n", _HEAD_ROWS)[:_HEAD_ROWS]).split())
    return cut_text(f"{text}\n{head}", count, ABSTRACT_TOKENS)


def _names(symbols: Sequence[Symbol]) -> list[str]:
    """Return the names of definitions in file order: public ones of the top level,
    public methods, public constants, then private ones; each once, without the names
    of the classes of methods.
    """
    found: dict[str, None] = {}
    for is_wanted in (_is_public_callable, _is_inner, _is_outer, _is_private):
        for symbol in symbols:
            if is_wanted(symbol):
                found[symbol.name.rpartition(".")[2] or symbol.name] = None
    return list(found)


def _is_private(symbol: Symbol) -> bool:
    return any(part.startswith(("_", "#")) for part in symbol.name.split("."))


def _is_outer(symbol: Symbol) -> bool:
    return "." not in symbol.name and not _is_private(symbol)


def _is_public_callable(symbol: Symbol) -> bool:
    return _is_outer(symbol) and symbol.kind != "constant"


def _is_inner(symbol: Symbol) -> bool:
    return "." in symbol.name and not _is_private(symbol)


_ROUNDS: Sequence[Callable[[Symbol], bool]] = (_is_outer, _is_inner, _is_private)


def _source_overview(source: SourceText, count: Count) -> str:
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
    return f"{top}\n\n{keywords}" if keywords else top


def _outline(source: SourceText, count: Count, room: int) -> str:
    """Return the signatures with the first sentences of their docs, as many as fit.

    The signatures of public definitions are added first, then their docs, then private
    definitions.
    """
    budget = LineBudget(count, room)
    rows = list(zip(source.symbols, source.signatures, strict=True))
    left_out = 0
    for is_wanted in _ROUNDS:
        for at, (symbol, signature) in enumerate(rows):
            if is_wanted(symbol) and not budget.add(at, signature):
                left_out += 1
        for at, (symbol, signature) in enumerate(rows):
            sentence = first_sentence(symbol.doc)
            if sentence and at in budget and is_wanted(symbol):
                budget.add(at, f"{signature}  {source.comment} {sentence}")
    text = budget.text()
    if left_out:
        return f"{text}\n⋮ {counted(left_out, 'definition')}"
    return text
