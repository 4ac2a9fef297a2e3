"""Ruby."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import, ImportStrategy
from cuedeck.parse.languages.base import (
    Grammar,
    ImportReader,
    Language,
    Rule,
    Rules,
    Scope,
    keywords,
    line_of,
    reach,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_CALLS = ("require", "require_relative", "load", "autoload")


def _definitions() -> Rules:
    plain = Scope()
    # A signature ends with its line: no token of the grammar ends it.
    method = Rule("function", tail="parameters|name")
    return Rules(
        definitions={
            "class": Rule("class", tail="superclass|name", members="body"),
            "module": Rule("class", tail="name", members="body"),
            "method": method,
            "singleton_method": method,
            "assignment": Rule(
                "constant", name="left", body="", only=re.compile(r"[A-Z]\w*")
            ),
        },
        scopes={
            "singleton_class": Scope("body", methods=True),
            "call": Scope("arguments", wraps=True),
            "if": plain,
            "unless": plain,
            "elsif": plain,
            "else": plain,
            "then": plain,
            "begin": plain,
        },
        imports=("call",),
        comments=("#",),
    )


def _read(node: Node) -> Iterator[Import]:
    method = text_of(node.child_by_field_name("method"))
    arguments = node.child_by_field_name("arguments")
    if (
        method not in _CALLS
        or arguments is None
        or node.child_by_field_name("receiver") is not None
    ):
        return
    literal = next(
        (child for child in arguments.named_children if child.type == "string"), None
    )
    content = (
        reach(literal, "string_content")
        if literal is not None and literal.named_child_count == 1
        else None
    )
    if content is not None:
        text = text_of(content)
        spec = f"./{text}" if method == "require_relative" else text
        yield Import(spec, (), line_of(node))


LANGUAGES = (
    Language(
        name="ruby",
        title="Ruby",
        suffixes=(".rb", ".rake", ".gemspec"),
        file_names=("Rakefile", "Gemfile", "Guardfile", "Vagrantfile"),
        grammar=Grammar("tree_sitter_ruby"),
        definitions=_definitions,
        imports=ImportReader(_read, keywords((b"require",)), frozenset({"call"})),
        resolver=ImportStrategy("ruby"),
    ),
)
