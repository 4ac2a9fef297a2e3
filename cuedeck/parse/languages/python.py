"""Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import, ImportStrategy
from cuedeck.parse.languages.base import (
    UPPER,
    Grammar,
    ImportReader,
    Language,
    Rule,
    Rules,
    Scope,
    keywords,
    line_of,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_IMPORTS = ("import_statement", "import_from_statement")


def _definitions() -> Rules:
    plain = Scope()
    return Rules(
        definitions={
            "function_definition": Rule("function"),
            "class_definition": Rule("class", members="body"),
            "expression_statement": Rule(
                "constant", chain="assignment", body="", only=UPPER
            ),
            "type_alias_statement": Rule("type", name="left", body=""),
        },
        # Definitions under conditions count like those at the top.
        scopes={
            "decorated_definition": Scope(wraps=True),
            "if_statement": plain,
            "elif_clause": plain,
            "else_clause": plain,
            "try_statement": plain,
            "except_clause": plain,
            "except_group_clause": plain,
            "finally_clause": plain,
            "with_statement": plain,
            "block": plain,
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
    yield Import("".join(text_of(module).split()), names, line)


def _name(node: Node) -> str:
    if node.type == "aliased_import":
        node = node.child_by_field_name("name") or node
    return "".join(text_of(node).split())


LANGUAGES = (
    Language(
        name="python",
        title="Python",
        # The Python cells of a notebook import like a module in its folder.
        suffixes=(".py", ".pyi", ".ipynb"),
        grammar=Grammar("tree_sitter_python"),
        definitions=_definitions,
        imports=ImportReader(_read, keywords((b"import",)), frozenset(_IMPORTS)),
        resolver=ImportStrategy("python"),
    ),
)
