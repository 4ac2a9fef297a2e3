"""Layers of a document: its title, lead sentence and headings, then its key lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import NamedTuple

from cuedeck.knowledge.layers.layer_values import (
    ABSTRACT_TOKENS,
    OVERVIEW_TOKENS,
    LayerPair,
)
from cuedeck.model.formatting import counted
from cuedeck.model.ports import Count
from cuedeck.parse.prose import ProseBlock, read_prose
from cuedeck.text.keywords import content_terms
from cuedeck.text.line_budget import LineBudget, cut_text
from cuedeck.text.sentences import split_sentences
from cuedeck.text.term_coverage import Candidate, choose

_TITLE_TOKENS = 24
_LEAD_TOKENS = 60
_LOG_HEADINGS_TOKENS = 45
"""Tokens of the title and the headings of a change log."""
_NEWEST = 5
"""List items that are read for the abstract of a change log."""
TABLE = "Table: "
"""Begins the header row of a table in an overview."""
_HEADING_LEVELS = range(1, 7)
_LONGEST_REPETITION = 200
"""Characters of a sentence that may only repeat the title."""
_ABOUT = (
    "page document guide section chapter article file covers describes explains"
    " documents introduces contains shows overview documentation"
)
_SHORT_LEAD_WORDS = 8
"""A shorter first sentence is followed by the second one."""


class Document(NamedTuple):
    """A document whose layers are computed; its texts are masked."""

    title: str
    """Title of the front matter or of the first heading, else a readable file name."""
    body: str
    """Markdown without front matter."""
    note: str = ""
    """Facts to show after the title, such as the status of a card."""
    is_log: bool = False
    """Whether it is a change log: its newest entries matter most."""


def document_layers(document: Document, count: Count) -> LayerPair:
    """Return the layers of a document. A body that fits the overview is shown whole."""
    blocks = _without_title(read_prose(document.body), document.title)
    abstract = _abstract(document, blocks, count)
    whole = document.body.strip()
    if whole and count.count(whole) <= OVERVIEW_TOKENS:
        return LayerPair(abstract, whole, is_whole=True)
    return LayerPair(abstract, _overview(document, blocks, count))


def _without_title(blocks: Sequence[ProseBlock], title: str) -> Sequence[ProseBlock]:
    """Return the blocks without the heading that is the title."""
    for at, block in enumerate(blocks):
        if block.kind == "heading":
            if block.text == title:
                return [*blocks[:at], *blocks[at + 1 :]]
            break
    return blocks


def is_late_heading(body: str, title: str) -> bool:
    """Return whether a title is a heading below level 1 that follows a paragraph, so
    that it names a section.
    """
    has_paragraph = False
    for block in read_prose(body):
        if block.kind == "heading":
            return block.text == title and block.level > 1 and has_paragraph
        has_paragraph |= block.kind == "paragraph"
    return False


def headline(document: Document, count: Count) -> str:
    """Return the title of a document with its note, cut to a few tokens."""
    title = cut_text(document.title, count, _TITLE_TOKENS)
    if document.note:
        return f"{title} ({document.note})"
    return title


def _abstract(document: Document, blocks: Sequence[ProseBlock], count: Count) -> str:
    first = headline(document, count)
    entries = _first_items(blocks) if document.is_log else []
    lead = ""
    if not entries:
        lead = cut_text(_lead(blocks, document.title), count, _LEAD_TOKENS)
    if lead:
        first = f"{first} — {lead}"
    limit = _LOG_HEADINGS_TOKENS if entries else ABSTRACT_TOKENS
    lines = [cut_text(first, count, ABSTRACT_TOKENS)]
    lines += _sections_line(lines[0], blocks, count, limit)
    if entries:
        room = ABSTRACT_TOKENS - count.count("\n".join(lines)) - 1
        lines.append(cut_text(f"Newest: {'; '.join(entries)}", count, room))
    elif not lead and len(lines) == 1:
        size = len(document.body.strip().splitlines())
        lines.append(f"{counted(size, 'line')} without prose" if size else "empty")
    return "\n".join(lines)


def _first_items(blocks: Sequence[ProseBlock]) -> list[str]:
    """Return the first list items of a change log."""
    items = (block.text for block in blocks if block.kind == "item")
    return list(islice(items, _NEWEST))


def _sections_line(
    head: str, blocks: Sequence[ProseBlock], count: Count, limit: int
) -> list[str]:
    """Return the line with the main headings that fits below another one, or none."""
    headings = _with_counts(_main_headings(blocks))
    shown = ""
    for at, heading in enumerate(headings):
        rest = len(headings) - at - 1
        longer = f"{shown}; {heading}" if shown else f"Sections: {heading}"
        more = f"; +{rest} more" if rest else ""
        if count.count(f"{head}\n{longer}{more}") > limit:
            more = f"; +{rest + 1} more" if shown else ""
            shown += more
            break
        shown = longer
    if shown and count.count(f"{head}\n{shown}") <= limit:
        return [shown]
    return []


def _with_counts(headings: Sequence[str]) -> list[str]:
    """Return each heading once, with its number if there are several."""
    return [
        f"{heading} ({number})" if number > 1 else heading
        for heading, number in Counter(headings).items()
    ]


def _lead(blocks: Sequence[ProseBlock], title: str) -> str:
    """Return the first sentence of the first paragraph, with the second one if the
    first is short; without a paragraph, the first list item.

    A sentence that only repeats the title, or that introduces something which is left
    out, is skipped, unless there is no other.
    """
    repetition = ""
    for kind in ("paragraph", "item"):
        for block in blocks:
            if block.kind != kind:
                continue
            sentences = split_sentences(block.text)
            while sentences and _says_little(sentences[0], title):
                repetition = repetition or sentences[0]
                del sentences[0]
            if not sentences:
                continue
            lead = sentences[0]
            if len(lead.split()) < _SHORT_LEAD_WORDS and len(sentences) > 1:
                lead = f"{lead} {sentences[1]}"
            return lead
    return repetition


def _says_little(sentence: str, title: str) -> bool:
    return sentence.endswith(":") or _repeats(sentence, title)


def _repeats(sentence: str, title: str) -> bool:
    """Return whether a sentence has no other words than the title and words for a
    document and its purpose; inline code is another word.
    """
    if len(sentence) > _LONGEST_REPETITION or "`" in sentence:
        return False
    words = content_terms(sentence)
    known = content_terms(title)
    return bool(words & known) and words <= known | content_terms(_ABOUT)


def _main_headings(blocks: Sequence[ProseBlock]) -> list[str]:
    """Return the headings of the highest level that occurs more than once, or all if
    there are few.
    """
    headings = [block for block in blocks if block.kind == "heading"]
    for level in _HEADING_LEVELS:
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


_HEADING_ROUND = 10
_REST_ROUND = 99


def _overview(document: Document, blocks: Sequence[ProseBlock], count: Count) -> str:
    budget = LineBudget(count, OVERVIEW_TOKENS)
    budget.add(-1, f"# {headline(document, count)}")
    lines = list(_lines_of(blocks))
    rest: dict[int, str] = {}
    for line in sorted(lines, key=lambda each: (each.round, each.position)):
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
    for block, following in zip_longest(blocks, blocks[1:]):
        if block.kind == "item":
            yield block, f"{'  ' * (block.level - 1)}- {block.text}"
        elif block.kind == "table":
            yield block, f"- {TABLE}{block.text}"
        elif block.kind == "heading":
            yield block, block.text
        else:
            sentences = split_sentences(block.text)
            if sentences and sentences[-1].endswith(":") and not _is_list(following):
                sentences.pop()  # it introduces code, which is left out
            for sentence in sentences:
                yield block, sentence


def _is_list(block: ProseBlock | None) -> bool:
    return block is not None and block.kind in ("item", "table")


def add_best_lines(budget: LineBudget, lines: Mapping[int, str], limit: int) -> None:
    """Add the lines, by position, that cover most of the terms in `limit` tokens."""
    candidates = [
        Candidate(content_terms(line), budget.cost(line)) for line in lines.values()
    ]
    positions = list(lines)
    for at in choose(candidates, {}, limit):
        budget.add(positions[at], lines[positions[at]])
