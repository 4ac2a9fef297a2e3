"""C and C++."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.languages.base import (
    UPPER,
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

_NAME = "declarator*"
"""Declarators wrap the name."""
_CPP_HEADER = r"(?m)^[ \t]*(?:class \w|namespace\b|template *<|using \w+ *=|(?:public|private|protected):)"


# Without a body, a record only announces a type.
_RECORD = Rule(
    "class",
    name="",
    choose="body",
    choices={
        "field_declaration_list": Rule("class", members="body"),
        "enumerator_list": Rule("class"),
    },
)
# The name of a pointer to a function is in parentheses, so its type is none of these.
_NAMES = """
    identifier
    field_identifier
    qualified_identifier
    destructor_name
    operator_name
"""
_DECLARATION = Rule(
    "constant",
    name=_NAME,
    body="",
    only=UPPER,
    given=re.compile(rb"\b(?:static|const|constexpr|constinit)\b"),
    choose="declarator>function_declarator.declarator",
    choices=alike(_NAMES, Rule("function", name=_NAME, body="")),
)
_ENUM = Rule("class", name=_NAME, body="type.body")
_TYPEDEF = Rule(
    "type",
    name=_NAME,
    body="",
    choose="type.body",
    choices={
        "field_declaration_list": _ENUM._replace(members="type.body"),
        "enumerator_list": _ENUM,
    },
)
_MACRO = {"preproc_arg": Rule("constant", body="")}
_DEFINITIONS = {
    "function_definition": Rule("function", name=_NAME),
    "declaration": _DECLARATION,
    **alike("struct_specifier union_specifier enum_specifier", _RECORD),
    "type_definition": _TYPEDEF,
    "preproc_def": Rule("constant", name="", choose="value", choices=_MACRO),
    "preproc_function_def": Rule("function", body="value"),
}
_PLACES = """
    declaration
    declaration_list
    linkage_specification
    preproc_if
    preproc_ifdef
    preproc_elif
    preproc_elifdef
    preproc_else
"""
_SCOPES = alike(_PLACES, Scope())
_RULES = Rules(_DEFINITIONS, _SCOPES, ("preproc_include",))
_CPP_RULES = Rules(
    {
        **_DEFINITIONS,
        "function_definition": Rule(
            "function", name=_NAME, body="field_initializer_list|body"
        ),
        "class_specifier": _RECORD,
        "field_declaration": _DECLARATION,
        **alike("alias_declaration concept_definition", Rule("type", body="")),
    },
    {
        **_SCOPES,
        **alike("field_declaration namespace_definition", Scope()),
        "template_declaration": Scope(wraps=True),
    },
    ("preproc_include",),
)


def _read(node: Node) -> Iterator[Import]:
    place = node.child_by_field_name("path")
    if place is not None and place.type in ("string_literal", "system_lib_string"):
        yield Import(text_of(place), (), line_of(node))


def _dialect(path: str, text: str) -> str:
    """Return `cpp` for a header with declarations of C++: both languages use `.h`."""
    if path.endswith(".h") and re.search(_CPP_HEADER, text):
        return "cpp"
    return "c"


_C = Language(
    name="c",
    title="C",
    suffixes=(".c", ".h"),
    grammar="tree_sitter_c",
    rules=_RULES,
    read=_read,
    resolver="c",
    dialect=_dialect,
    reports_syntax_errors=False,
)
_CPP = _C._replace(
    name="cpp",
    title="C++",
    suffixes=(".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"),
    grammar="tree_sitter_cpp",
    rules=_CPP_RULES,
    dialect=None,
)
LANGUAGES = (_C, _CPP)
