"""C and C++."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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
    line_of,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_NAME = "declarator*"
"""Declarators wrap the name."""
_CPP_HEADER = r"(?m)^[ \t]*(?:class \w|namespace\b|template *<|using \w+ *=|(?:public|private|protected):)"


def _c_rules() -> Rules:
    return Rules(_definitions(), _scopes(), ("preproc_include",))


def _cpp_rules() -> Rules:
    definitions = _definitions()
    plain = Scope()
    return Rules(
        {
            **definitions,
            "function_definition": Rule(
                "function", name=_NAME, body="field_initializer_list|body"
            ),
            "class_specifier": definitions["struct_specifier"],
            "field_declaration": definitions["declaration"],
            "alias_declaration": Rule("type", body=""),
            "concept_definition": Rule("type", body=""),
        },
        {
            **_scopes(),
            "field_declaration": plain,
            "namespace_definition": plain,
            "template_declaration": Scope(wraps=True),
        },
        ("preproc_include",),
    )


def _definitions() -> Mapping[str, Rule]:
    # Without a body, a record only announces a type.
    record = Rule(
        "class",
        name="",
        choose="body",
        choices={
            "field_declaration_list": Rule("class", members="body"),
            "enumerator_list": Rule("class"),
        },
    )
    # The name of a pointer to a function is in parentheses, so its type is none of
    # these.
    names = (
        "identifier",
        "field_identifier",
        "qualified_identifier",
        "destructor_name",
        "operator_name",
    )
    prototype = Rule("function", name=_NAME, body="")
    declaration = Rule(
        "constant",
        name=_NAME,
        body="",
        only=UPPER,
        given=re.compile(rb"\b(?:static|const|constexpr|constinit)\b"),
        choose="declarator>function_declarator.declarator",
        choices=dict.fromkeys(names, prototype),
    )
    typedef = Rule(
        "type",
        name=_NAME,
        body="",
        choose="type.body",
        choices={
            "field_declaration_list": Rule(
                "class", name=_NAME, body="type.body", members="type.body"
            ),
            "enumerator_list": Rule("class", name=_NAME, body="type.body"),
        },
    )
    return {
        "function_definition": Rule("function", name=_NAME),
        "declaration": declaration,
        "struct_specifier": record,
        "union_specifier": record,
        "enum_specifier": record,
        "type_definition": typedef,
        "preproc_def": Rule(
            "constant",
            name="",
            choose="value",
            choices={"preproc_arg": Rule("constant", body="")},
        ),
        "preproc_function_def": Rule("function", body="value"),
    }


def _scopes() -> Mapping[str, Scope]:
    kinds = (
        *("declaration", "declaration_list", "linkage_specification"),
        *(
            "preproc_if",
            "preproc_ifdef",
            "preproc_elif",
            "preproc_elifdef",
            "preproc_else",
        ),
    )
    return dict.fromkeys(kinds, Scope())


def _read(node: Node) -> Iterator[Import]:
    place = node.child_by_field_name("path")
    if place is not None and place.type in ("string_literal", "system_lib_string"):
        yield Import(text_of(place), (), line_of(node))


def _dialect(path: str, text: str) -> str:
    """Return `cpp` for a header with declarations of C++: both languages use `.h`."""
    if path.endswith(".h") and re.search(_CPP_HEADER, text):
        return "cpp"
    return "c"


LANGUAGES = (
    Language(
        name="c",
        title="C",
        suffixes=(".c", ".h"),
        grammar=Grammar("tree_sitter_c"),
        definitions=_c_rules,
        imports=ImportReader(_read),
        resolver=ImportStrategy("c"),
        dialect=_dialect,
        reports_syntax_errors=False,
    ),
    Language(
        name="cpp",
        title="C++",
        suffixes=(".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"),
        grammar=Grammar("tree_sitter_cpp"),
        definitions=_cpp_rules,
        imports=ImportReader(_read),
        resolver=ImportStrategy("c"),
        reports_syntax_errors=False,
    ),
)
