"""Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.languages.base import (
    CLASS,
    FUNCTION,
    UPPER,
    Language,
    Rule,
    Rules,
    Scope,
    alike,
    keywords,
    line_of,
    packed_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_IMPORTS = ("import_statement", "import_from_statement")
_CONSTANT = Rule("constant", chain="assignment", body="", only=UPPER)
_CONDITIONS = """
    if_statement
    elif_clause
    else_clause
    try_statement
    except_clause
    except_group_clause
    finally_clause
    with_statement
    block
"""
"""Definitions under conditions count like those at the top."""
_RULES = Rules(
    definitions={
        "function_definition": FUNCTION,
        "class_definition": CLASS,
        "expression_statement": _CONSTANT,
        "type_alias_statement": Rule("type", name="left", body=""),
    },
    scopes={
        "decorated_definition": Scope(wraps=True),
        **alike(_CONDITIONS, Scope()),
    },
    imports=_IMPORTS,
    marks=("decorator",),
    comments=("#",),
    docstrings=True,
)


def _read(node: Node) -> Iterator[Import]:
    line = line_of(node)
    names = tuple(map(_name, node.children_by_field_name("name")))
    if node.type == "import_statement":
        for name in names:
            yield Import(name, (), line)
        return
    module = node.child_by_field_name("module_name")
    if module is None:
        return
    if any(child.type == "wildcard_import" for child in node.named_children):
        names = ("*",)
    yield Import(packed_of(module), names, line)


def _name(node: Node) -> str:
    if node.type == "aliased_import":
        node = node.child_by_field_name("name") or node
    return packed_of(node)


LANGUAGES = (
    Language(
        name="python",
        title="Python",
        # The Python cells of a notebook import like a module in its folder.
        suffixes=(".py", ".pyi", ".ipynb"),
        grammar="tree_sitter_python",
        rules=_RULES,
        read=_read,
        find_nested=keywords((b"import",)),
        nested_nodes=frozenset(_IMPORTS),
        resolver="python",
    ),
)
