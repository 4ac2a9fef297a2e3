"""Rust."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.languages.base import (
    CLASS,
    FUNCTION,
    Language,
    Rule,
    Rules,
    Scope,
    alike,
    keywords,
    line_of,
    packed_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_LEAD = rb"[ \t]*(?:pub\b.*)?"
_MAX_ANCESTORS = 100


_TUPLE_STRUCT = {"ordered_field_declaration_list": Rule("class", body="")}
_RULES = Rules(
    definitions={
        **alike("function_item function_signature_item", FUNCTION),
        "struct_item": Rule("class", choose="body", choices=_TUPLE_STRUCT),
        **alike("union_item enum_item", Rule("class")),
        "trait_item": CLASS,
        **alike("type_item associated_type", Rule("type", body="")),
        **alike("const_item static_item", Rule("constant", body="")),
        "macro_definition": Rule("function", body="{|(|["),
    },
    scopes={
        "impl_item": Scope("body", "type", methods=True),
        "mod_item": Scope("body", "name"),
        "foreign_mod_item": Scope("body"),
    },
    imports=("use_declaration", "mod_item", "extern_crate_declaration"),
    marks=("attribute_item",),
    sign=b"#[",
    lifetimes=True,
)


def _read(node: Node) -> Iterator[Import]:
    line = line_of(node)
    found: list[str] = []
    above = node.parent
    for _ in range(_MAX_ANCESTORS):
        if above is None:
            break
        if above.type == "mod_item":
            found.append(packed_of(above.child_by_field_name("name")))
        above = above.parent
    modules = found[::-1]
    if node.type != "use_declaration":
        name = packed_of(node.child_by_field_name("name"))
        if name and node.child_by_field_name("body") is None:
            spec = "::".join((*modules, name))
            yield Import(f"mod:{spec}" if node.type == "mod_item" else name, (), line)
        return
    merged: dict[str, dict[str, None]] = {}
    for start, name in _use_leaves(node.child_by_field_name("argument")):
        names = merged.setdefault(_from_file(start, modules) if modules else start, {})
        if name:
            names[name] = None
    for spec, names in merged.items():
        yield Import(spec, tuple(names), line)


def _from_file(path: str, modules: Sequence[str]) -> str:
    """Return a path in inline modules as the module of the file would write it."""
    parts = path.split("::")
    if parts[0] == "self":
        return "::".join(("self", *modules, *parts[1:]))
    rest = list(dropwhile(lambda part: part == "super", parts))
    ups = len(parts) - len(rest)
    if not ups:
        return path
    above = ups - len(modules)
    if above > 0:
        return "::".join((*parts[:above], *rest))
    inside = modules[: len(modules) - ups]
    return "::".join(("self", *inside, *rest))


def _use_leaves(tree: Node | None) -> Iterator[tuple[str, str]]:
    stack: list[tuple[Node | None, str]] = [(tree, "")]
    while stack:
        node, prefix = stack.pop()
        if node is None:
            continue
        kind = node.type
        if kind == "scoped_use_list":
            start = packed_of(node.child_by_field_name("path"))
            stack.append((node.child_by_field_name("list"), _join(prefix, start)))
        elif kind == "use_list":
            inner = [child for child in node.named_children if not child.is_extra]
            stack += [(child, prefix) for child in reversed(inner)]
        elif kind == "use_as_clause":
            stack.append((node.child_by_field_name("path"), prefix))
        elif kind == "use_wildcard":
            path = packed_of(node).rstrip("*").removesuffix("::")
            yield _join(prefix, path), "*"
        else:
            path = prefix if kind == "self" else _join(prefix, packed_of(node))
            head, _, last = path.rpartition("::")
            yield (head, last) if head else (last, "")


def _join(prefix: str, text: str) -> str:
    if prefix and text:
        return f"{prefix}::{text}"
    return prefix or text


LANGUAGES = (
    Language(
        name="rust",
        title="Rust",
        suffixes=(".rs",),
        grammar="tree_sitter_rust",
        rules=_RULES,
        read=_read,
        find_nested=keywords((b"use ",), _LEAD),
        nested_nodes=frozenset({"use_declaration"}),
        resolver="rust",
    ),
)
