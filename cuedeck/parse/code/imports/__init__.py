"""What a file takes from elsewhere: one module a family of languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.file import Import
from cuedeck.parse.code.imports import classic, go, javascript, python, ruby, rust, shell

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_IMPORTS = 5_000
_CLIMB = 4
"""Nodes above a word in which the statement it belongs to is looked for."""


def _nowhere(data: bytes) -> Iterable[tuple[int, int]]:
    return ()


class _Way(NamedTuple):
    """How the imports of a language are read."""

    read: Callable[[Node, str], Iterator[Import]]
    """From a node and the path of the file."""
    nested: Callable[[bytes], Iterable[tuple[int, int]]] = _nowhere
    """Where words stand that a walk over the definitions may have missed: in the bodies of functions."""
    nodes: frozenset[str] = frozenset()
    """The nodes such a word belongs to."""


_JAVASCRIPT = _Way(javascript.read, javascript.nested, javascript.NODES)
_IMPORT_READERS: Mapping[str, _Way] = {
    "python": _Way(python.read, python.nested, python.NODES),
    "javascript": _JAVASCRIPT,
    "typescript": _JAVASCRIPT,
    "tsx": _JAVASCRIPT,
    "go": _Way(go.read),
    "rust": _Way(rust.read, rust.nested, rust.NODES),
    "java": _Way(classic.read_java),
    "csharp": _Way(classic.read_csharp),
    "c": _Way(classic.read_c),
    "cpp": _Way(classic.read_c),
    "php": _Way(classic.read_php, classic.nested_php, classic.PHP_NODES),
    "ruby": _Way(ruby.read, ruby.nested, ruby.NODES),
    "bash": _Way(shell.read, shell.nested, shell.NODES),
}


def read_imports(path: str, language: str, data: bytes, root: Node, met: Sequence[Node]) -> tuple[Import, ...]:
    """Return the imports in the order of their places; `met` are the nodes a walk over the definitions met."""
    way = _IMPORT_READERS[language]
    nodes = {node.start_byte: node for node in met}
    for start, end in way.nested(data):
        if len(nodes) >= MAX_IMPORTS:
            break
        node = root.descendant_for_byte_range(start, end)
        for _ in range(_CLIMB):
            if node is None or node.type in way.nodes:
                break
            node = node.parent
        if node is not None and node.type in way.nodes:
            nodes.setdefault(node.start_byte, node)
    places = sorted(nodes)[:MAX_IMPORTS]
    found = (each for place in places for each in way.read(nodes[place], path))
    # Half a statement may have a name that is missing, or one that is the rest of the file.
    return tuple(each for each in found if each.spec and "\n" not in each.spec and all(each.names))
