"""Go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import, ImportStrategy
from cuedeck.parse.languages.base import (
    Grammar,
    ImportReader,
    Language,
    Rule,
    Rules,
    Scope,
    line_of,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node


def _definitions() -> Rules:
    spec = Rule("constant", body="", many=True)
    types = {
        "struct_type": Rule("class", body="type.field_declaration_list"),
        "interface_type": Rule("class", body="type.{", members="type"),
    }
    return Rules(
        definitions={
            "function_declaration": Rule("function"),
            "method_declaration": Rule("function", owner="receiver"),
            "method_elem": Rule("function", body=""),
            "const_spec": spec,
            "var_spec": spec,
            "type_spec": Rule("type", body="", choose="type", choices=types),
            "type_alias": Rule("type", body=""),
        },
        scopes={
            "const_declaration": Scope(wraps=True),
            "var_declaration": Scope(wraps=True),
            "var_spec_list": Scope(),
            "type_declaration": Scope(wraps=True),
        },
        imports=("import_declaration",),
    )


def _read(node: Node) -> Iterator[Import]:
    for child in node.named_children:
        specs = child.named_children if child.type == "import_spec_list" else [child]
        for spec in specs:
            target = (
                spec.child_by_field_name("path") if spec.type == "import_spec" else None
            )
            if target is None:
                continue
            name = spec.child_by_field_name("name")
            names = ("*",) if name is not None and name.type == "dot" else ()
            yield Import(text_of(target).strip('"`'), names, line_of(spec))


LANGUAGES = (
    Language(
        name="go",
        title="Go",
        suffixes=(".go",),
        grammar=Grammar("tree_sitter_go"),
        definitions=_definitions,
        imports=ImportReader(_read),
        resolver=ImportStrategy("go"),
    ),
)
