"""Python: definitions under conditions count as if they stood outside."""

from __future__ import annotations

from cuedeck.parse.code.rules import UPPER, Rule, Scope, compose

_PLAIN = Scope()

PYTHON = compose(
    definitions={
        "function_definition": Rule("function"),
        "class_definition": Rule("class", members="body"),
        "expression_statement": Rule("constant", chain="assignment", body="", only=UPPER),
        "type_alias_statement": Rule("type", name="left", body=""),
    },
    scopes={
        "decorated_definition": Scope(wraps=True),
        "if_statement": _PLAIN,
        "elif_clause": _PLAIN,
        "else_clause": _PLAIN,
        "try_statement": _PLAIN,
        "except_clause": _PLAIN,
        "except_group_clause": _PLAIN,
        "finally_clause": _PLAIN,
        "with_statement": _PLAIN,
        "block": _PLAIN,
    },
    imports=(
        "import_statement",
        "import_from_statement",
    ),
    marks=("decorator",),
    comments=("#",),
    docstrings=True,
)
