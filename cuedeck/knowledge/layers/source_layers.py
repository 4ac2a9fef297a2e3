"""Layers of a source file: its path, module doc and definitions, and its keywords."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from cuedeck.knowledge.layers.layer_file import (
    ABSTRACT_TOKENS,
    OVERVIEW_TOKENS,
    LayerPair,
)
from cuedeck.model.file import Symbol
from cuedeck.model.formatting import counted
from cuedeck.model.ports import Count
from cuedeck.text.keywords import keyword_line
from cuedeck.text.line_budget import LineBudget, add_names, cut_text
from cuedeck.text.sentences import first_sentence
from cuedeck.text.words import read_terms

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
    abstract = _abstract(source, count)
    overview = _overview(source, count)
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


def _abstract(source: SourceText, count: Count) -> str:
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


def _overview(source: SourceText, count: Count) -> str:
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
