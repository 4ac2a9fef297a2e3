"""PHP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.languages.base import (
    CLASS,
    FUNCTION,
    Language,
    Rule,
    Rules,
    Scope,
    alike,
    keywords,
    line_of,
    packed_of,
    reach,
    static_constant,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_REQUIRES = frozenset(
    {
        "require_expression",
        "require_once_expression",
        "include_expression",
        "include_once_expression",
    }
)
_RELATIVE = r"(?:__DIR__|dirname\(__FILE__\))\s*\.\s*[\"']/?([^\"'$]+)[\"']"
_LITERAL = r"\(?\s*[\"']([^\"'$]+)[\"']\s*\)?"


_CLASSES = """
    class_declaration
    interface_declaration
    trait_declaration
    enum_declaration
"""
_CONDITIONS = """
    if_statement
    else_clause
    else_if_clause
    colon_block
    compound_statement
"""
"""Definitions under conditions count: the conditions are guards against a second
definition.
"""
_RULES = Rules(
    definitions={
        **alike(_CLASSES, CLASS),
        **alike("function_definition method_declaration", FUNCTION),
        "const_element": Rule("constant", body=""),
        "property_element": static_constant(rb"\bstatic\b"),
    },
    scopes={
        **alike("const_declaration property_declaration", Scope(wraps=True)),
        "namespace_definition": Scope("body"),
        **alike(_CONDITIONS, Scope()),
    },
    imports=("namespace_use_declaration", "expression_statement"),
    marks=("attribute_list",),
    sign=b"#[",
    comments=("//", "#"),
)


def _read(node: Node) -> Iterator[Import]:
    """Yield the classes of a `use`, or the file of a `require`: `./` if it is relative
    to the folder of the file.
    """
    if node.type != "namespace_use_declaration":
        for inner in (node, *node.named_children):
            if inner.type in _REQUIRES:
                yield from _required_file(inner)
                return
        return
    head = packed_of(reach(node, "namespace_name"))
    group = reach(node, "body|namespace_use_group")
    for clause in group.named_children if group is not None else node.named_children:
        if clause.type == "namespace_use_clause":
            name = packed_of(
                reach(clause, "qualified_name|namespace_name|name")
            ).lstrip("\\")
            spec = f"{head}\\{name}" if head else name
            yield Import(spec, (), line_of(clause))


def _required_file(node: Node) -> Iterator[Import]:
    text = text_of(node.named_child(0))
    relative = re.fullmatch(_RELATIVE, text)
    literal = re.fullmatch(_LITERAL, text)
    if relative:
        yield Import(f"./{relative[1]}", (), line_of(node))
    elif literal:
        yield Import(literal[1], (), line_of(node))


LANGUAGES = (
    Language(
        name="php",
        title="PHP",
        suffixes=(".php",),
        grammar="tree_sitter_php:language_php",
        rules=_RULES,
        read=_read,
        find_nested=keywords((b"require", b"include")),
        nested_nodes=_REQUIRES,
        resolver="php",
    ),
)
