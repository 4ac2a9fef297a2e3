"""Bash: functions, and variables that are written like constants."""

from __future__ import annotations

from cuedeck.parse.code.rules import UPPER, Rule, Scope, compose

_PLAIN = Scope()

BASH = compose(
    definitions={
        "function_definition": Rule("function"),
        "variable_assignment": Rule("constant", body="", only=UPPER),
    },
    scopes={
        "declaration_command": Scope(wraps=True),
        "if_statement": _PLAIN,
        "elif_clause": _PLAIN,
        "else_clause": _PLAIN,
        "list": _PLAIN,
    },
    imports=("command",),
    comments=("#",),
)
