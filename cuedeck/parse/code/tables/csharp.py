"""C#: namespaces do not show in names, as they do not in Java."""

from __future__ import annotations

import re

from cuedeck.parse.code.rules import UPPER, Rule, Scope, compose

_CLASS = Rule("class", members="body")
_METHOD = Rule("function")

CSHARP = compose(
    definitions={
        "class_declaration": _CLASS,
        "interface_declaration": _CLASS,
        "struct_declaration": _CLASS,
        "record_declaration": _CLASS,
        "record_struct_declaration": _CLASS,
        "enum_declaration": Rule("class"),
        "delegate_declaration": Rule("type", body=""),
        "method_declaration": _METHOD,
        "constructor_declaration": _METHOD,
        "local_function_statement": _METHOD,
        "variable_declarator": Rule("constant", body="", only=UPPER, given=re.compile(rb"\b(?:const|static)\b")),
    },
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
