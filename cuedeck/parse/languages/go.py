"""Go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.languages.base import (
    FUNCTION,
    Language,
    Rule,
    Rules,
    Scope,
    alike,
    line_of,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node


_TYPES = {
    "struct_type": Rule("class", body="type.field_declaration_list"),
    "interface_type": Rule("class", body="type.{", members="type"),
}
_RULES = Rules(
    definitions={
        "function_declaration": FUNCTION,
        "method_declaration": Rule("function", owner="receiver"),
        "method_elem": Rule("function", body=""),
        **alike("const_spec var_spec", Rule("constant", body="", many=True)),
        "type_spec": Rule("type", body="", choose="type", choices=_TYPES),
        "type_alias": Rule("type", body=""),
    },
    scopes={
        **alike(
            "const_declaration var_declaration type_declaration", Scope(wraps=True)
        ),
        "var_spec_list": Scope(),
    },
    imports=("import_declaration",),
)


def _read(node: Node) -> Iterator[Import]:
    for child in node.named_children:
        specs = child.named_children if child.type == "import_spec_list" else [child]
        for spec in specs:
            target = spec.child_by_field_name("path")
            if spec.type != "import_spec" or target is None:
                continue
            name = spec.child_by_field_name("name")
            names = ("*",) if name is not None and name.type == "dot" else ()
            yield Import(text_of(target).strip('"`'), names, line_of(spec))


LANGUAGES = (
    Language(
        name="go",
        title="Go",
        suffixes=(".go",),
        grammar="tree_sitter_go",
        rules=_RULES,
        read=_read,
        resolver="go",
    ),
)
