"""C and C++: the name of a thing lies inside of its declarators."""

from __future__ import annotations

import re

from cuedeck.parse.code.rules import UPPER, Rule, Scope, compose

_NAME = "declarator*"
_PLAIN = Scope()
# Without a body it only announces a type.
_RECORD = Rule(
    "class",
    name="",
    choose="body",
    choices={
        "field_declaration_list": Rule("class", members="body"),
        "enumerator_list": Rule("class"),
    },
)
_PROTOTYPE = Rule("function", name=_NAME, body="")
# A pointer to a function has its name in brackets, so its type is none of these.
_NAMES = ("identifier", "field_identifier", "qualified_identifier", "destructor_name", "operator_name")
_DECLARATION = Rule(
    "constant",
    name=_NAME,
    body="",
    only=UPPER,
    given=re.compile(rb"\b(?:static|const|constexpr|constinit)\b"),
    choose="declarator>function_declarator.declarator",
    choices=dict.fromkeys(_NAMES, _PROTOTYPE),
)
_TYPEDEF = Rule(
    "type",
    name=_NAME,
    body="",
    choose="type.body",
    choices={
        "field_declaration_list": Rule("class", name=_NAME, body="type.body", members="type.body"),
        "enumerator_list": Rule("class", name=_NAME, body="type.body"),
    },
)

_DEFINITIONS = {
    "function_definition": Rule("function", name=_NAME),
    "declaration": _DECLARATION,
    "struct_specifier": _RECORD,
    "union_specifier": _RECORD,
    "enum_specifier": _RECORD,
    "type_definition": _TYPEDEF,
    "preproc_def": Rule("constant", name="", choose="value", choices={"preproc_arg": Rule("constant", body="")}),
    "preproc_function_def": Rule("function", body="value"),
}
_SCOPES = {
    "declaration": _PLAIN,
    "declaration_list": _PLAIN,
    "linkage_specification": _PLAIN,
    "preproc_if": _PLAIN,
    "preproc_ifdef": _PLAIN,
    "preproc_elif": _PLAIN,
    "preproc_elifdef": _PLAIN,
    "preproc_else": _PLAIN,
}
_IMPORTS = ("preproc_include",)

C = compose(_DEFINITIONS, _SCOPES, _IMPORTS)
CPP = compose(
    _DEFINITIONS
    | {
        "function_definition": Rule("function", name=_NAME, body="field_initializer_list|body"),
        "class_specifier": _RECORD,
        "field_declaration": _DECLARATION,
        "alias_declaration": Rule("type", body=""),
        "concept_definition": Rule("type", body=""),
    },
    _SCOPES
    | {
        "field_declaration": _PLAIN,
        "namespace_definition": _PLAIN,
        "template_declaration": Scope(wraps=True),
    },
    _IMPORTS,
)
