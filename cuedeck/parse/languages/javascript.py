"""JavaScript and TypeScript, whose grammars use the same node types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from cuedeck.model.file import Import, ImportStrategy
from cuedeck.parse.languages.base import (
    CLASS,
    FUNCTION,
    MAX_KEYWORDS,
    Grammar,
    ImportReader,
    Language,
    Rule,
    Rules,
    Scope,
    line_of,
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
_FUNCTION_VALUE = Rule("function", body="value.body")
_FUNCTION_VALUES = {
    "arrow_function": _FUNCTION_VALUE,
    "function_expression": _FUNCTION_VALUE,
    "generator_function": _FUNCTION_VALUE,
}
_VALUES = {
    **_FUNCTION_VALUES,
    "class": Rule("class", body="value.body", members="value.body"),
}
"""The values that make a variable, a property or an export a definition."""


def _definitions() -> Rules:
    field = _field()
    prototype = re.compile(rf"{_EXPORTS}|{_OWNER}\.prototype")
    return Rules(
        definitions={
            "function_declaration": FUNCTION,
            "generator_function_declaration": FUNCTION,
            "function_signature": FUNCTION,
            "method_definition": FUNCTION,
            "method_signature": FUNCTION,
            "abstract_method_signature": FUNCTION,
            "field_definition": field,
            "public_field_definition": field,
            "class_declaration": CLASS,
            "abstract_class_declaration": CLASS,
            "interface_declaration": CLASS,
            "enum_declaration": Rule("class"),
            "type_alias_declaration": Rule("type", body=""),
            "variable_declarator": _variable(),
            "assignment_expression": _assignment(),
            "pair": Rule(
                "function", name="", choose="value", choices=_named(_VALUES, "key")
            ),
            "export_statement": Rule(
                "function", name="", choose="value", choices=_named(_VALUES, "=default")
            ),
        },
        scopes={
            "export_statement": Scope(wraps=True),
            "ambient_declaration": Scope(wraps=True),
            "lexical_declaration": Scope(wraps=True),
            "variable_declaration": Scope(wraps=True),
            "expression_statement": Scope(),
            "assignment_expression": Scope("right>object", "left", target=prototype),
            "statement_block": Scope(),
            "internal_module": Scope("body", "name"),
            "module": Scope("body", "name"),
        },
        imports=("import_statement", "export_statement"),
        marks=("decorator",),
    )


def _field() -> Rule:
    name = "name|property"
    methods = _named(_FUNCTION_VALUES, name)
    return static_constant(rb"\bstatic\b")._replace(
        name=name, choose="value", choices=methods
    )


def _variable() -> Rule:
    # `const a = require("a")` is an import.
    loads = re.compile(rb"[^=\n]*=\s*(?:await\s+)?(?:require|import)\s*\(")
    return Rule(
        "constant",
        body="",
        patterns=True,
        unless=loads,
        choose="value",
        choices=_VALUES,
    )


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


def _named(rules: dict[str, Rule], name: str) -> dict[str, Rule]:
    return {kind: rule._replace(name=name) for kind, rule in rules.items()}


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
        clause = next(
            (
                child
                for child in node.named_children
                if child.type == "import_require_clause"
            ),
            None,
        )
        source = None
        if clause is not None:
            source = clause.child_by_field_name("source")
    if source is None:
        return
    names = tuple(_names(node))
    if node.type == "export_statement" and not names:
        names = ("*",)
    yield Import(_literal(source), names, line)


def _read_call(node: Node, line: int) -> Iterator[Import]:
    function, arguments = (
        node.child_by_field_name("function"),
        node.child_by_field_name("arguments"),
    )
    if (
        function is None
        or arguments is None
        or function.text not in (b"require", b"import")
    ):
        return
    first = arguments.named_child(0)
    if (
        first is not None
        and first.type in ("string", "template_string")
        and first.named_child_count <= 1
    ):
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


_IMPORTS = ImportReader(
    _read,
    _find_nested,
    frozenset({"import_statement", "export_statement", "call_expression"}),
)
_RESOLVER = ImportStrategy("javascript")
LANGUAGES = (
    Language(
        name="javascript",
        title="JavaScript",
        suffixes=(".js", ".jsx", ".mjs", ".cjs"),
        grammar=Grammar("tree_sitter_javascript"),
        definitions=_definitions,
        imports=_IMPORTS,
        resolver=_RESOLVER,
    ),
    Language(
        name="typescript",
        title="TypeScript",
        suffixes=(".ts", ".mts", ".cts"),
        grammar=Grammar("tree_sitter_typescript", "language_typescript"),
        definitions=_definitions,
        imports=_IMPORTS,
        resolver=_RESOLVER,
    ),
    Language(
        name="tsx",
        title="TypeScript",
        suffixes=(".tsx",),
        grammar=Grammar("tree_sitter_typescript", "language_tsx"),
        definitions=_definitions,
        imports=_IMPORTS,
        resolver=_RESOLVER,
    ),
)
