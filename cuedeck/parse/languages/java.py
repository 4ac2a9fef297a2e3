"""Java."""

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
    reach,
    static_constant,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_STATIC = r"import\s+static\b"


_RULES = Rules(
    definitions={
        **CLASSES_AND_METHODS,
        **alike("enum_declaration annotation_type_declaration", CLASS),
        "compact_constructor_declaration": FUNCTION,
        "annotation_type_element_declaration": Rule("function", body=""),
        "variable_declarator": static_constant(rb"\bstatic\b"),
    },
    scopes={
        **alike("field_declaration constant_declaration", Scope(wraps=True)),
        "enum_body_declarations": Scope(),
    },
    imports=("import_declaration",),
    marks=("annotation", "marker_annotation"),
)


def _read(node: Node) -> Iterator[Import]:
    name = packed_of(reach(node, "scoped_identifier|identifier"))
    if not name:
        return
    if reach(node, "asterisk") is not None:
        yield Import(name, ("*",), line_of(node))
    elif re.match(_STATIC, text_of(node)):
        head, _, last = name.rpartition(".")
        yield Import(head, (last,), line_of(node))
    else:
        yield Import(name, (), line_of(node))


LANGUAGES = (
    Language(
        name="java",
        title="Java",
        suffixes=(".java",),
        grammar="tree_sitter_java",
        rules=_RULES,
        read=_read,
        # A Java file may import a class that is written in Kotlin.
        resolver="java",
    ),
)
