"""JavaScript and TypeScript, whose grammars use the same node types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.languages.base import (
    CLASS,
    FUNCTION,
    MAX_KEYWORDS,
    Language,
    Rule,
    Rules,
    Scope,
    alike,
    line_of,
    reach,
    static_constant,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_CALLS = (rb"import\s*\(", rb"require\s*\(")
_CALL_LENGTH = 6
"""Bytes from the start of a call that lie within its name."""


_EXPORTS = r"(?:module\.)?exports"
_OWNER = rf"(?:{_EXPORTS}\.)?(?!this\b)([\w$.]+?)"
_FUNCTION_VALUES = alike(
    "arrow_function function_expression generator_function",
    Rule("function", body="value.body"),
)
_VALUES = {
    **_FUNCTION_VALUES,
    "class": Rule("class", body="value.body", members="value.body"),
}
"""The values that make a variable, a property or an export a definition."""


def _named(rules: dict[str, Rule], name: str) -> Rule:
    named = {kind: rule._replace(name=name) for kind, rule in rules.items()}
    return Rule("function", name="", choose="value", choices=named)


def _assignment() -> Rule:
    target = re.compile(
        rf"{_EXPORTS}(?:\.([\w$]+))?|{_OWNER}(?:\.prototype)?\.((?!prototype$)[\w$]+)"
    )
    body = "right*.body"
    choices = {}
    for kind, rule in _VALUES.items():
        members = body if rule.members else ""
        choices[kind] = rule._replace(
            name="left", body=body, members=members, target=target, own="right*.name"
        )
    return Rule("function", name="", choose="right*", choices=choices)


_FUNCTIONS = """
    function_declaration
    generator_function_declaration
    function_signature
    method_definition
    method_signature
    abstract_method_signature
"""
_CLASSES = """
    class_declaration
    abstract_class_declaration
    interface_declaration
"""
_WRAPPERS = """
    export_statement
    ambient_declaration
    lexical_declaration
    variable_declaration
"""
_PROPERTY = "name|property"
_FIELD = static_constant(rb"\bstatic\b")._replace(
    name=_PROPERTY, choose="value", choices=_named(_FUNCTION_VALUES, _PROPERTY).choices
)
_VARIABLE = Rule(
    "constant",
    body="",
    patterns=True,
    # `const a = require("a")` is an import.
    unless=re.compile(rb"[^=\n]*=\s*(?:await\s+)?(?:require|import)\s*\("),
    choose="value",
    choices=_VALUES,
)
_PROTOTYPE = re.compile(rf"{_EXPORTS}|{_OWNER}\.prototype")
_RULES = Rules(
    definitions={
        **alike(_FUNCTIONS, FUNCTION),
        **alike("field_definition public_field_definition", _FIELD),
        **alike(_CLASSES, CLASS),
        "enum_declaration": Rule("class"),
        "type_alias_declaration": Rule("type", body=""),
        "variable_declarator": _VARIABLE,
        "assignment_expression": _assignment(),
        "pair": _named(_VALUES, "key"),
        "export_statement": _named(_VALUES, "=default"),
    },
    scopes={
        **alike(_WRAPPERS, Scope(wraps=True)),
        **alike("expression_statement statement_block", Scope()),
        "assignment_expression": Scope("right>object", "left", target=_PROTOTYPE),
        **alike("internal_module module", Scope("body", "name")),
    },
    imports=("import_statement", "export_statement"),
    marks=("decorator",),
)


def _find_nested(data: bytes) -> Iterator[tuple[int, int]]:
    for call in _CALLS:
        for found in islice(re.finditer(call, data), MAX_KEYWORDS):
            yield found.start(), found.start() + _CALL_LENGTH


def _read(node: Node) -> Iterator[Import]:
    line = line_of(node)
    if node.type == "call_expression":
        yield from _read_call(node, line)
        return
    source = node.child_by_field_name("source")
    if source is None:
        clause = reach(node, "import_require_clause")
        source = clause.child_by_field_name("source") if clause is not None else None
    if source is None:
        return
    names = tuple(_names(node))
    if node.type == "export_statement" and not names:
        names = ("*",)
    yield Import(_literal(source), names, line)


def _read_call(node: Node, line: int) -> Iterator[Import]:
    arguments = node.child_by_field_name("arguments")
    called = text_of(node.child_by_field_name("function"))
    if arguments is None or called not in ("require", "import"):
        return
    first = arguments.named_child(0)
    if first is None or first.type not in ("string", "template_string"):
        return
    if first.named_child_count <= 1:
        yield Import(_literal(first), (), line)


def _names(node: Node) -> Iterator[str]:
    for child in node.named_children:
        kind = child.type
        if kind in ("import_clause", "named_imports", "export_clause"):
            for part in child.named_children:
                if part.type == "identifier":
                    yield "default"
                elif part.type == "namespace_import":
                    yield "*"
                elif part.type == "named_imports":
                    yield from _specifiers(part)
            yield from _specifiers(child)
        elif kind == "namespace_export":
            yield "*"


def _specifiers(node: Node) -> Iterator[str]:
    for part in node.named_children:
        if part.type in ("import_specifier", "export_specifier"):
            name = part.child_by_field_name("name")
            if name is not None:
                yield _literal(name)


def _literal(node: Node) -> str:
    return text_of(node).strip("\"'`")


_JAVASCRIPT = Language(
    name="javascript",
    title="JavaScript",
    suffixes=(".js", ".jsx", ".mjs", ".cjs"),
    grammar="tree_sitter_javascript",
    rules=_RULES,
    read=_read,
    find_nested=_find_nested,
    nested_nodes=frozenset({"import_statement", "export_statement", "call_expression"}),
    resolver="javascript",
)
_TYPESCRIPT = _JAVASCRIPT._replace(
    name="typescript",
    title="TypeScript",
    suffixes=(".ts", ".mts", ".cts"),
    grammar="tree_sitter_typescript:language_typescript",
)
_TSX = _TYPESCRIPT._replace(
    name="tsx", suffixes=(".tsx",), grammar="tree_sitter_typescript:language_tsx"
)
LANGUAGES = (_JAVASCRIPT, _TYPESCRIPT, _TSX)
