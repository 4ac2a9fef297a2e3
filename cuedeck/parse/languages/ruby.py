"""Ruby."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.languages.base import (
    Language,
    Rule,
    Rules,
    Scope,
    alike,
    keywords,
    line_of,
    reach,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_CALLS = ("require", "require_relative", "load", "autoload")


# A signature ends with its line: no token of the grammar ends it.
_METHOD = Rule("function", tail="parameters|name")
_CONSTANT = Rule("constant", name="left", body="", only=re.compile(r"[A-Z]\w*"))
_RULES = Rules(
    definitions={
        "class": Rule("class", tail="superclass|name", members="body"),
        "module": Rule("class", tail="name", members="body"),
        **alike("method singleton_method", _METHOD),
        "assignment": _CONSTANT,
    },
    scopes={
        "singleton_class": Scope("body", methods=True),
        "call": Scope("arguments", wraps=True),
        **alike("if unless elsif else then begin", Scope()),
    },
    imports=("call",),
    comments=("#",),
)


def _read(node: Node) -> Iterator[Import]:
    method = text_of(node.child_by_field_name("method"))
    arguments = node.child_by_field_name("arguments")
    if method not in _CALLS or node.child_by_field_name("receiver") is not None:
        return
    literal = reach(arguments, "string") if arguments is not None else None
    if literal is None or literal.named_child_count != 1:
        return
    content = reach(literal, "string_content")
    if content is not None:
        folder = "./" if method == "require_relative" else ""
        yield Import(f"{folder}{text_of(content)}", (), line_of(node))


LANGUAGES = (
    Language(
        name="ruby",
        title="Ruby",
        suffixes=(".rb", ".rake", ".gemspec"),
        file_names=("Rakefile", "Gemfile", "Guardfile", "Vagrantfile"),
        grammar="tree_sitter_ruby",
        rules=_RULES,
        read=_read,
        find_nested=keywords((b"require",)),
        nested_nodes=frozenset({"call"}),
        resolver="ruby",
    ),
)
