"""Java: everything is a member of something."""

from __future__ import annotations

import re

from cuedeck.parse.code.rules import UPPER, Rule, Scope, compose

_CLASS = Rule("class", members="body")
_METHOD = Rule("function")

JAVA = compose(
    definitions={
        "class_declaration": _CLASS,
        "interface_declaration": _CLASS,
        "enum_declaration": _CLASS,
        "record_declaration": _CLASS,
        "annotation_type_declaration": _CLASS,
        "method_declaration": _METHOD,
        "constructor_declaration": _METHOD,
        "compact_constructor_declaration": _METHOD,
        "annotation_type_element_declaration": Rule("function", body=""),
        "variable_declarator": Rule("constant", body="", only=UPPER, given=re.compile(rb"\bstatic\b")),
    },
    scopes={
        "field_declaration": Scope(wraps=True),
        "constant_declaration": Scope(wraps=True),
        "enum_body_declarations": Scope(),
    },
    imports=("import_declaration",),
    marks=(
        "annotation",
        "marker_annotation",
    ),
)
