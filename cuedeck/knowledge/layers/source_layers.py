"""Layers of a source file: its path, module doc and definitions, and its keywords."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cuedeck.knowledge.layers.layer_values import (
    ABSTRACT_TOKENS,
    OVERVIEW_TOKENS,
    LayerPair,
)
from cuedeck.model.file import Symbol
from cuedeck.model.formatting import counted
from cuedeck.model.ports import Count
from cuedeck.text.keywords import keyword_line
from cuedeck.text.line_budget import LineBudget, cut_text
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
_IMPORT = re.compile(
    r"^import\b[^'\";]*?\bfrom\s*['\"].*$"
    r"|^(?:import|from\b[^\n(]*\bimport)\s*\([^)]*\)|^use\b[^;{]*\{[^;]*;"
    r"|^(?:import|from|use|using|package|require|mod|#include)\b.*$"
    r"|^(?:/[/*]|#|--|\*).*$",
    re.MULTILINE,
)
"""An import, which may have several lines, or a comment."""
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
    is_cut: bool = False
    """Whether `text` is only the beginning of the file."""
    keys: Sequence[str] = ()
    """Top-level keys of a data file."""
    origin: str = ""
    """`minified` or `generated` for a text that nobody wrote by hand."""


def source_layers(source: SourceText, count: Count) -> LayerPair:
    """Return the layers of a source file."""
    if source.origin:
        fact = _fact(source, count)
        return LayerPair(fact, fact)
    return LayerPair(_abstract(source, count), *_overview_or_text(source, count))


def _fact(source: SourceText, count: Count) -> str:
    """Return the size of a text that nobody wrote by hand, and its top-level keys."""
    if source.is_cut:
        size = f"more than {counted(len(source.text), 'character')}"
    else:
        lines = counted(source.text.count("\n") + 1, "line")
        octets = len(source.text.encode("utf-8", "replace"))
        size = f"{lines}, {counted(octets, 'byte')}"
    head = f"{source.path} — {source.origin} text: {size}"
    return _listed(cut_text(head, count, ABSTRACT_TOKENS), "Keys", source.keys, count)


def _listed(text: str, label: str, names: Sequence[str], count: Count) -> str:
    """Return the text with a line of names, as many as fit."""
    shown = ""
    for at, name in enumerate(names):
        rest = len(names) - at - 1
        longer = f"{shown}, {name}" if shown else f"{text}\n{label}: {name}"
        more = f", +{rest} more" if rest else ""
        if count.count(longer + more) > ABSTRACT_TOKENS:
            more = f", +{rest + 1} more"
            return shown + more if shown else text
        shown = longer
    return shown or text


def _overview_or_text(source: SourceText, count: Count) -> tuple[str, bool]:
    """Return the overview, or the text with its path if that is shorter, and whether it
    is the text.

    A file without definitions, such as a table of settings, is shown as text if it
    fits.
    """
    overview = _overview(source, count)
    limit = count.count(overview) if source.symbols else OVERVIEW_TOKENS
    text = source.text.strip("\n")
    if not text.strip() or len(text) > _LONGEST_TOKEN * limit:
        return overview, False
    whole = f"# {source.path}\n\n{_fenced(text, source.language)}"
    if count.count(whole) <= limit:
        return whole, True
    return overview, False


def _fenced(text: str, language: str) -> str:
    longest = max(map(len, _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _abstract(source: SourceText, count: Count) -> str:
    paragraph = source.doc.strip().partition("\n\n")[0]
    lead = first_sentence(" ".join(paragraph.split()))
    first = (
        f"{source.path} — {cut_text(lead, count, _DOC_TOKENS)}" if lead else source.path
    )
    text = cut_text(first, count, ABSTRACT_TOKENS)
    names = [*_names(source.symbols)]
    if names:
        return _listed(text, "Defines", names, count)
    if source.keys:
        return _listed(text, "Keys", source.keys, count)
    if lead:
        return text
    return cut_text(f"{text}\n{_first_lines(source)}", count, ABSTRACT_TOKENS)


def _first_lines(source: SourceText) -> str:
    """Return the beginning of a text on one line, without imports and comments."""
    rows = source.text.split("\n", _HEAD_ROWS)[:_HEAD_ROWS]
    if rows[0].startswith("#!"):
        del rows[0]
    head = "\n".join(row.strip() for row in rows)
    code = _IMPORT.sub("", head) if source.language else head
    return " ".join((code if code.strip() else head).split())


def _names(symbols: Sequence[Symbol]) -> Iterator[str]:
    """Yield the names of definitions in file order: public ones of the top level,
    public methods, public constants, then private ones; each once, without the names
    of the classes of methods.
    """
    seen: set[str] = set()
    for is_wanted in (
        _is_public_callable,
        _is_public_inner,
        _is_public_outer,
        _is_private,
    ):
        for symbol in symbols:
            name = symbol.name.rpartition(".")[2] or symbol.name
            if is_wanted(symbol) and name not in seen:
                seen.add(name)
                yield name


def _is_private_name(name: str) -> bool:
    return any(part.startswith(("_", "#")) for part in name.split("."))


def _is_private(symbol: Symbol) -> bool:
    return _is_private_name(symbol.name)


def _is_public_outer(symbol: Symbol) -> bool:
    return "." not in symbol.name and not _is_private_name(symbol.name)


def _is_public_callable(symbol: Symbol) -> bool:
    return _is_public_outer(symbol) and symbol.kind != "constant"


def _is_public_inner(symbol: Symbol) -> bool:
    return "." in symbol.name and not _is_private_name(symbol.name)


def _overview(source: SourceText, count: Count) -> str:
    head = f"# {source.path}"
    doc = cut_text(" ".join(source.doc.split()), count, 3 * _DOC_TOKENS)
    parts = [head]
    if doc:
        parts.append(doc)
    top = "\n\n".join(parts)
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
    for is_wanted in (_is_public_outer, _is_public_inner, _is_private):
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
