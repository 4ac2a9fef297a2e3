"""C#."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.languages.base import (
    CLASS,
    CLASSES_AND_METHODS,
    FUNCTION,
    Language,
    Rule,
    Rules,
    Scope,
    alike,
    line_of,
    packed_of,
    static_constant,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_STATIC = r"(?:global\s+using|using)\s+static\b"


_RULES = Rules(
    definitions={
        **CLASSES_AND_METHODS,
        **alike("struct_declaration record_struct_declaration", CLASS),
        "enum_declaration": Rule("class"),
        "delegate_declaration": Rule("type", body=""),
        "local_function_statement": FUNCTION,
        "variable_declarator": static_constant(rb"\b(?:const|static)\b"),
    },
    # Namespaces do not qualify names, as packages of Java do not.
    scopes={
        "namespace_declaration": Scope("body"),
        **alike("field_declaration variable_declaration", Scope(wraps=True)),
        **alike("global_statement preproc_if preproc_else preproc_elif", Scope()),
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
        grammar="tree_sitter_c_sharp",
        rules=_RULES,
        read=_read,
        resolver="csharp",
    ),
)
