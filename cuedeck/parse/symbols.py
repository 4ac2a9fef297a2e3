"""Definitions of a Python file: classes, functions, methods and constants, with lines and signatures."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence

from cuedeck.model.node import Symbol
from cuedeck.parse.lines import LineTable

MAX_CONSTANT = 120

_CONSTANT = re.compile(r"_{0,2}[A-Z][A-Z0-9_]+")
_STRING_OR_COMMENT = re.compile(r"(\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')|#[^\n]*")
_TO_COLON = re.compile(rb"(?:[^:#]|#[^\n]*)*")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def python_symbols(text: str) -> Sequence[Symbol] | None:
    """Return the definitions of a module in the order of their lines; None when it cannot be parsed.

    Definitions under `if`, `try` and `with` count as if they stood outside; those in functions are left out.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(text)
        table = LineTable(text.encode())
        return sorted(_definitions(module.body, "", "function", table), key=lambda symbol: symbol.start)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # ValueError is for null bytes, MemoryError for expressions nested beyond the parser's stack.
        return None


def _definitions(body: Iterable[ast.AST], prefix: str, kind: str, table: LineTable) -> Iterator[Symbol]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield _symbol(node, prefix, "class", table)
            yield from _definitions(node.body, f"{prefix}{node.name}.", "method", table)
        elif isinstance(node, _Function):
            yield _symbol(node, prefix, kind, table)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            if kind == "function":
                yield from _constants(node, table)
        elif isinstance(node, (ast.If, ast.Try, ast.TryStar, ast.With, ast.ExceptHandler)):
            inner = (getattr(node, part, ()) for part in ("body", "handlers", "orelse", "finalbody"))
            for part in inner:
                yield from _definitions(part, prefix, kind, table)


def _symbol(node: ast.ClassDef | _Function, prefix: str, kind: str, table: LineTable) -> Symbol:
    start = min((mark.lineno for mark in node.decorator_list), default=node.lineno)
    head = _slice(table, _offset(table, node.lineno, node.col_offset), _head_end(node, table))
    return Symbol(prefix + node.name, kind, start, node.end_lineno or start, _fold(head))


def _constants(node: ast.Assign | ast.AnnAssign, table: LineTable) -> Iterator[Symbol]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        if isinstance(target, ast.Name) and _CONSTANT.fullmatch(target.id):
            end = _offset(table, node.end_lineno or node.lineno, node.end_col_offset or 0)
            text = _fold(_slice(table, _offset(table, node.lineno, node.col_offset), end))
            if len(text) > MAX_CONSTANT:
                text = text[: MAX_CONSTANT - 1] + "…"
            yield Symbol(target.id, "constant", node.lineno, node.end_lineno or node.lineno, text)


def _head_end(node: ast.ClassDef | _Function, table: LineTable) -> int:
    """Return the offset of the colon that ends the head."""
    parts: list[ast.AST] = list(getattr(node, "type_params", ()))
    if isinstance(node, ast.ClassDef):
        parts += [*node.bases, *node.keywords]
    else:
        given = node.args
        parts += [*given.posonlyargs, *given.args, *given.kwonlyargs, *given.defaults]
        parts += [part for part in (given.vararg, given.kwarg, node.returns, *given.kw_defaults) if part is not None]
    # Colons of annotations, lambdas and slices stand before the end of the last part.
    last = max(
        (_offset(table, part.end_lineno, part.end_col_offset) for part in parts),  # type: ignore[attr-defined]
        default=_offset(table, node.lineno, node.col_offset),
    )
    match = _TO_COLON.match(table.data, last)
    return match.end() if match else last


def _offset(table: LineTable, line: int, column: int) -> int:
    return table.offset(line) + column


def _slice(table: LineTable, start: int, end: int) -> str:
    return table.data[start:end].decode(errors="replace")


def _fold(text: str) -> str:
    """Put a head on one line, without comments and without what line breaks in brackets left behind."""
    if "#" in text:
        text = _STRING_OR_COMMENT.sub(lambda found: found[1] or "", text)
    folded = ""
    for row in text.split("\n"):
        row = " ".join(row.split())
        if row.startswith((")", "]", "}")):
            folded = folded.removesuffix(",") + row
        elif row:
            folded += row if not folded or folded.endswith(("(", "[", "{")) else f" {row}"
    return folded
