"""Ruby: a head ends with its line, not at a mark."""

from __future__ import annotations

import re

from cuedeck.parse.code.rules import Rule, Scope, compose

_PLAIN = Scope()
_METHOD = Rule("function", tail="parameters|name")

RUBY = compose(
    definitions={
        "class": Rule("class", tail="superclass|name", members="body"),
        "module": Rule("class", tail="name", members="body"),
        "method": _METHOD,
        "singleton_method": _METHOD,
        "assignment": Rule("constant", name="left", body="", only=re.compile(r"[A-Z]\w*")),
    },
    scopes={
        "singleton_class": Scope("body", methods=True),
        "call": Scope("arguments", wraps=True),
        "if": _PLAIN,
        "unless": _PLAIN,
        "elsif": _PLAIN,
        "else": _PLAIN,
        "then": _PLAIN,
        "begin": _PLAIN,
    },
    imports=("call",),
    comments=("#",),
)
