"""Layers of a document: its title, lead sentence and headings, then its key lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cuedeck.knowledge.layers.layer_file import (
    ABSTRACT_TOKENS,
    OVERVIEW_TOKENS,
    LayerPair,
)
from cuedeck.model.formatting import counted
from cuedeck.model.ports import Count
from cuedeck.parse.prose import ProseBlock, read_prose
from cuedeck.text.keywords import content_terms
from cuedeck.text.line_budget import LineBudget, add_names, cut_text
from cuedeck.text.sentences import split_sentences
from cuedeck.text.term_coverage import Candidate, choose

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
