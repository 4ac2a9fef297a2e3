"""C#."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import, ImportStrategy
from cuedeck.parse.languages.base import (
    CLASS,
    CLASSES_AND_METHODS,
    FUNCTION,
    Grammar,
    ImportReader,
    Language,
    Rule,
    Rules,
    Scope,
    line_of,
    packed_of,
    static_constant,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_STATIC = r"(?:global\s+using|using)\s+static\b"


def _definitions() -> Rules:
    return Rules(
        definitions={
            **CLASSES_AND_METHODS,
            "struct_declaration": CLASS,
            "record_struct_declaration": CLASS,
            "enum_declaration": Rule("class"),
            "delegate_declaration": Rule("type", body=""),
            "local_function_statement": FUNCTION,
            "variable_declarator": static_constant(rb"\b(?:const|static)\b"),
        },
        # Namespaces do not qualify names, as packages of Java do not.
        scopes={
            "namespace_declaration": Scope("body"),
            "global_statement": Scope(),
            "field_declaration": Scope(wraps=True),
            "variable_declaration": Scope(wraps=True),
            "preproc_if": Scope(),
            "preproc_else": Scope(),
            "preproc_elif": Scope(),
        },
        imports=("using_directive",),
        marks=("attribute_list",),
        sign=b"[",
    )


def _read(node: Node) -> Iterator[Import]:
    """Yield a namespace or a type, or all members of a type that is imported with
    `using static`.
    """
    names = [
        child
        for child in node.named_children
        if child.type.endswith(("identifier", "_name"))
    ]
    if not names:
        return
    is_static = re.match(_STATIC, text_of(node)) is not None
    # The last name is the imported one: an alias precedes it.
    spec = packed_of(names[-1])
    yield Import(spec, ("*",) if is_static else (), line_of(node))


LANGUAGES = (
    Language(
        name="csharp",
        title="C#",
        suffixes=(".cs",),
        grammar=Grammar("tree_sitter_c_sharp"),
        definitions=_definitions,
        imports=ImportReader(_read),
        resolver=ImportStrategy("csharp", (".cs",)),
    ),
)
