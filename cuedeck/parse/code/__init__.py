"""Source files read with tree-sitter: their definitions and their imports.

This package walks the syntax trees of all languages; `languages` contains the rules of
each language. A text in another language can occupy a parser for minutes. The work is
counted, not timed, so that the result depends on the text alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import install_hint
from cuedeck.model.file import Import, Symbol
from cuedeck.parse.code.definitions import Definitions
from cuedeck.parse.code.source_text import Text
from cuedeck.parse.languages import language_of_text
from cuedeck.parse.languages.base import Language

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_WORK = 1_000_000
"""Units of about a microsecond. 512 kB of hand-written source takes up to 700,000."""
MIN_BYTES = 16_000
"""Shorter texts are parsed without a limit."""
_CHUNK = 1_024
_NAME_CHUNK = 64
"""Size of a chunk once the tree is complete: such chunks are texts of nodes, mostly
names.
"""
_CHUNK_WORK = 20
_STEP_WORK = 50
_LOST_WORK = 800
"""Units of a step that begins in an error state: it may take a thousand times as
long as another.
"""


@cache
def parser_of(grammar: str) -> Parser | None:
    """Return a parser for a grammar, or None if no compatible version of it is
    installed.
    """
    try:
        from tree_sitter import Language, Parser

        module, _, function = grammar.partition(":")
        load = getattr(import_module(module), function or "language")
        return Parser(Language(load()))
    except (ImportError, AttributeError, ValueError):
        # An old wheel may lack the function; another version may have an incompatible
        # binary interface.
        return None


def read_tree(parser: Parser, data: bytes) -> Node | None:
    """Return the root of the syntax tree of a text, or None if the work exceeds the
    limit.
    """
    # The nodes keep the tree alive.
    if len(data) < MIN_BYTES:
        return parser.parse(data).root_node
    left = MAX_WORK
    chunk = _CHUNK

    def read(at: int, _: object) -> bytes:
        # The text must not change later: parsers crash if a known part is gone.
        nonlocal left
        left -= _CHUNK_WORK
        return data[at : at + chunk]

    def is_exceeded(_: int, lost: bool) -> bool:
        # A step is a hundred operations.
        nonlocal left
        left -= _LOST_WORK if lost else _STEP_WORK
        return left < 0

    try:
        root = parser.parse(read, progress_callback=is_exceeded).root_node
    except ValueError:
        parser.reset()
        return None
    # From now on, the nodes of the tree read small chunks.
    chunk = _NAME_CHUNK
    return root


MAX_BYTES = 512_000
MAX_ROW = 5_000
MAX_MEAN_ROW = 300
MAX_NESTING = 500
MIN_REPEATED_ROWS = 1_000
MAX_REPEATS = 20
MAX_COMMENT_WORK = 4_000_000
"""Unclosed comments times bytes: the parser searches the end of each up to the end of
the file.
"""

_OPENING = b"([{"
_CLOSING = b")]}"
_OTHERS = bytes(byte for byte in range(256) if byte not in _OPENING + _CLOSING)
_SAME = bytes.maketrans(_OPENING + _CLOSING, b"((()))")


def rejection_reason(data: bytes, rows: Sequence[str], block_comments: bool) -> str:
    """Return why a text cannot be hand-written source, or an empty string if it can
    be.
    """
    if len(data) > MAX_BYTES:
        return f"larger than {MAX_BYTES:,} bytes"
    longest = max(map(len, rows))
    if longest > MAX_ROW:
        return f"a line of {longest:,} characters"
    if len(data) > max(MAX_ROW, MAX_MEAN_ROW * len(rows)):
        return f"lines of {len(data) // len(rows):,} characters on average"
    if len(rows) >= MIN_REPEATED_ROWS and len(set(rows)) * MAX_REPEATS < len(rows):
        return "the same lines repeated many times"
    if block_comments and _unclosed_comments(data) * len(data) > MAX_COMMENT_WORK:
        return "comments without an end"
    if not _is_deep(data):
        return ""
    return f"brackets nested more than {MAX_NESTING} deep"


def _unclosed_comments(data: bytes) -> int:
    openings = data.count(b"/*")
    return openings and max(
        openings - data.count(b"*/"), data.count(b"/*", data.rfind(b"*/") + 1)
    )


def _is_deep(data: bytes) -> bool:
    # Each round removes all innermost pairs, so the number of rounds is the depth.
    brackets = data.translate(_SAME, _OTHERS)
    for _ in range(MAX_NESTING):
        rest = brackets.replace(b"()", b"")
        if len(rest) == len(brackets):
            return rest.count(b"(") > MAX_NESTING
        brackets = rest
    return True


__all__ = ["Code", "read_code"]

MAX_IMPORTS = 5_000
_MAX_ANCESTORS = 4
"""Nodes from a keyword upwards that are checked for the statement it belongs to."""


class Code(NamedTuple):
    """The definitions and imports of a source file."""

    symbols: tuple[Symbol, ...]
    """Sorted by first line, then longest first, then by name."""
    imports: tuple[Import, ...]
    """In the order of the text."""
    diagnostics: tuple[Diagnostic, ...]


def read_code(path: str, text: str, language: Language | None = None) -> Code | None:
    """Return the definitions and imports of a source file, or None if its language is
    not known; by default, its path and text tell its language.

    No text raises: a file that cannot be read has no symbols and no imports, and a
    diagnostic.
    """
    language = language or language_of_text(path, text)
    if language is None:
        return None
    parser = parser_of(language.grammar)
    if parser is None:
        message = f"no grammar for {language.title} is installed; the file has an outline of lines"
        return _unread(path, "no-grammar", message, install_hint("languages"))
    data, rows = text.encode(errors="replace"), text.split("\n")
    rules = language.rules
    reason = rejection_reason(data, rows, "//" in rules.comments)
    if reason:
        message = f"{reason}: symbols and imports are not read"
        hint = "exclude generated files from the workspace"
        return _unread(path, "minified", message, hint)
    root = read_tree(parser, data)
    if root is None:
        message = f"most of it is not valid {language.title}: symbols and imports are not read"
        hint = "rename it to the suffix of its language, or exclude it"
        return _unread(path, "syntax", message, hint)
    definitions = Definitions(Text(data, rows, rules))
    symbols = tuple(definitions.read(root))
    imports = _read_imports(language, data, root, definitions.imports)
    line = definitions.fault
    if not line or not language.reports_syntax_errors:
        return Code(symbols, imports, ())
    message = f"line {line} does not parse as {language.title}; definitions around it may be missing"
    hint = "correct the syntax, or ignore this if the file is being edited"
    found = Diagnostic(
        path=path,
        line=line,
        level="info",
        code="syntax",
        message=message,
        hint=hint,
    )
    return Code(symbols, imports, (found,))


def _unread(path: str, code: str, message: str, hint: str) -> Code:
    return Code(
        (),
        (),
        (
            Diagnostic(
                path=path,
                line=0,
                level="info",
                code=code,
                message=message,
                hint=hint,
            ),
        ),
    )


def _read_imports(
    reader: Language, data: bytes, root: Node, statements: Sequence[Node]
) -> tuple[Import, ...]:
    """Return the imports of a file in the order of its text.

    `statements` are the import nodes that the walk over the definitions met. Imports in
    function bodies are found by their keywords.
    """
    nodes = {node.start_byte: node for node in statements}
    for start, end in reader.find_nested(data) if reader.find_nested else ():
        if len(nodes) >= MAX_IMPORTS:
            break
        node = _statement_at(root, start, end, reader.nested_nodes)
        if node is not None:
            nodes.setdefault(node.start_byte, node)
    places = sorted(nodes)[:MAX_IMPORTS]
    found = (each for place in places for each in reader.read(nodes[place]))
    # A broken statement may have an empty name, or one that extends over the rest of
    # the file.
    return tuple(
        each
        for each in found
        if each.spec and "\n" not in each.spec and all(each.names)
    )


def _statement_at(
    root: Node, start: int, end: int, kinds: frozenset[str]
) -> Node | None:
    node = root.descendant_for_byte_range(start, end)
    for _ in range(_MAX_ANCESTORS):
        if node is None or node.type in kinds:
            return node
        node = node.parent
    return None
