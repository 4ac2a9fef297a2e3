"""Imports of languages where one statement names one thing: Java, C#, C, C++ and PHP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.code.keyword_scan import find_words
from cuedeck.parse.code.node_path import line_of, packed_of, reach, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_PHP_WORDS = (b"require", b"include")
PHP_NODES = frozenset(
    {"require_expression", "require_once_expression", "include_expression", "include_once_expression"}
)
_STATIC = re.compile(r"(?:import|global\s+using|using)\s+static\b")
_FOLDER = re.compile(r"(?:__DIR__|dirname\(__FILE__\))\s*\.\s*[\"']/?([^\"'$]+)[\"']")
_LITERAL = re.compile(r"\(?\s*[\"']([^\"'$]+)[\"']\s*\)?")


def read_java(node: Node, path: str) -> Iterator[Import]:
    """Yield one class, the members of one class, or `*` of a package."""
    name = packed_of(reach(node, "scoped_identifier|identifier"))
    if not name:
        return
    if reach(node, "asterisk") is not None:
        yield Import(name, ("*",), line_of(node), False)
    elif _STATIC.match(text_of(node)):
        head, _, last = name.rpartition(".")
        yield Import(head, (last,), line_of(node), False)
    else:
        yield Import(name, (), line_of(node), False)


def read_csharp(node: Node, path: str) -> Iterator[Import]:
    """Yield one namespace or type; of a type imported with `using static` all members."""
    names = [child for child in node.named_children if child.type.endswith(("identifier", "_name"))]
    if names:
        # An alias stands before what it is for.
        static = _STATIC.match(text_of(node)) is not None
        yield Import(packed_of(names[-1]), ("*",) if static else (), line_of(node), text_of(node).startswith("global"))


def read_c(node: Node, path: str) -> Iterator[Import]:
    """Yield one include, in its quotes or angle brackets."""
    place = node.child_by_field_name("path")
    if place is not None and place.type in ("string_literal", "system_lib_string"):
        yield Import(text_of(place), (), line_of(node), False)


def nested_php(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where a file may be required in the body of a function."""
    return find_words(data, _PHP_WORDS)


def read_php(node: Node, path: str) -> Iterator[Import]:
    """Yield the classes of a `use`, or the file of a `require`: `./` when it is named from the folder of this one."""
    if node.type != "namespace_use_declaration":
        inner = next((child for child in (node, *node.named_children) if child.type in PHP_NODES), None)
        if inner is not None:
            yield from _required(inner)
        return
    head = packed_of(reach(node, "namespace_name"))
    group = reach(node, "body|namespace_use_group")
    for clause in group.named_children if group is not None else node.named_children:
        if clause.type == "namespace_use_clause":
            name = packed_of(reach(clause, "qualified_name|namespace_name|name")).lstrip("\\")
            yield Import(f"{head}\\{name}" if head else name, (), line_of(clause), False)


def _required(node: Node) -> Iterator[Import]:
    text = text_of(node.named_child(0))
    beside, plain = _FOLDER.fullmatch(text), _LITERAL.fullmatch(text)
    if beside:
        yield Import(f"./{beside[1]}", (), line_of(node), False)
    elif plain:
        yield Import(plain[1], (), line_of(node), False)
