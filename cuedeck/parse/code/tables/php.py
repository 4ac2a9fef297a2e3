"""PHP: definitions under conditions count, because they guard against being made twice."""

from __future__ import annotations

import re

from cuedeck.parse.code.rules import UPPER, Rule, Scope, compose

_PLAIN = Scope()
_CLASS = Rule("class", members="body")

PHP = compose(
    definitions={
        "class_declaration": _CLASS,
        "interface_declaration": _CLASS,
        "trait_declaration": _CLASS,
        "enum_declaration": _CLASS,
        "function_definition": Rule("function"),
        "method_declaration": Rule("function"),
        "const_element": Rule("constant", body=""),
        "property_element": Rule("constant", body="", only=UPPER, given=re.compile(rb"\bstatic\b")),
    },
    scopes={
        "const_declaration": Scope(wraps=True),
        "property_declaration": Scope(wraps=True),
        "namespace_definition": Scope("body"),
        "if_statement": _PLAIN,
        "else_clause": _PLAIN,
        "else_if_clause": _PLAIN,
        "colon_block": _PLAIN,
        "compound_statement": _PLAIN,
    },
    imports=(
        "namespace_use_declaration",
        "expression_statement",
    ),
    marks=("attribute_list",),
    sign=b"#[",
    comments=("//", "#"),
)
