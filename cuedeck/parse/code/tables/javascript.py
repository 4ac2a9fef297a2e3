"""JavaScript and TypeScript: their grammars name nodes alike."""

from __future__ import annotations

import re

from cuedeck.parse.code.rules import UPPER, Rule, Scope, compose

_CLASS = Rule("class", members="body")
_FUNCTION = Rule("function")
_HELD = {
    "arrow_function": Rule("function", body="value.body"),
    "function_expression": Rule("function", body="value.body"),
    "generator_function": Rule("function", body="value.body"),
}
_VALUES = _HELD | {"class": Rule("class", body="value.body", members="value.body")}
_DEFAULT = {kind: rule._replace(name="=default") for kind, rule in _VALUES.items()}
_FIELD = Rule(
    "constant",
    name="name|property",
    body="",
    only=UPPER,
    given=re.compile(rb"\bstatic\b"),
    choose="value",
    choices={kind: rule._replace(name="name|property") for kind, rule in _HELD.items()},
)
_EXPORTS = r"(?:module\.)?exports"
_OWNER = rf"(?:{_EXPORTS}\.)?(?!this\b)([\w$.]+?)"
_TARGET = re.compile(rf"{_EXPORTS}(?:\.([\w$]+))?|{_OWNER}(?:\.prototype)?\.((?!prototype$)[\w$]+)")
_ASSIGNED = {
    kind: rule._replace(
        name="left", body="right*.body", members=rule.members and "right*.body", target=_TARGET, own="right*.name"
    )
    for kind, rule in _VALUES.items()
}
_LOADS = re.compile(rb"[^=\n]*=\s*(?:await\s+)?(?:require|import)\s*\(")

JAVASCRIPT = compose(
    definitions={
        "function_declaration": _FUNCTION,
        "generator_function_declaration": _FUNCTION,
        "function_signature": _FUNCTION,
        "method_definition": _FUNCTION,
        "method_signature": _FUNCTION,
        "abstract_method_signature": _FUNCTION,
        "field_definition": _FIELD,
        "public_field_definition": _FIELD,
        "class_declaration": _CLASS,
        "abstract_class_declaration": _CLASS,
        "interface_declaration": _CLASS,
        "enum_declaration": Rule("class"),
        "type_alias_declaration": Rule("type", body=""),
        "variable_declarator": Rule("constant", body="", patterns=True, unless=_LOADS, choose="value", choices=_VALUES),
        "assignment_expression": Rule("function", name="", choose="right*", choices=_ASSIGNED),
        "pair": Rule(
            "function",
            name="",
            choose="value",
            choices={kind: rule._replace(name="key") for kind, rule in _VALUES.items()},
        ),
        "export_statement": Rule("function", name="", choose="value", choices=_DEFAULT),
    },
    scopes={
        "export_statement": Scope(wraps=True),
        "ambient_declaration": Scope(wraps=True),
        "lexical_declaration": Scope(wraps=True),
        "variable_declaration": Scope(wraps=True),
        "expression_statement": Scope(),
        "assignment_expression": Scope("right>object", "left", target=re.compile(rf"{_EXPORTS}|{_OWNER}\.prototype")),
        "statement_block": Scope(),
        "internal_module": Scope("body", "name"),
        "module": Scope("body", "name"),
    },
    imports=(
        "import_statement",
        "export_statement",
    ),
    marks=("decorator",),
)
