"""Rust: methods are named by the type of their impl block, definitions in modules by the module."""

from __future__ import annotations

from cuedeck.parse.code.rules import Rule, Scope, compose

_TUPLE = {"ordered_field_declaration_list": Rule("class", body="")}

RUST = compose(
    definitions={
        "function_item": Rule("function"),
        "function_signature_item": Rule("function"),
        "struct_item": Rule("class", choose="body", choices=_TUPLE),
        "union_item": Rule("class"),
        "enum_item": Rule("class"),
        "trait_item": Rule("class", members="body"),
        "type_item": Rule("type", body=""),
        "associated_type": Rule("type", body=""),
        "const_item": Rule("constant", body=""),
        "static_item": Rule("constant", body=""),
        "macro_definition": Rule("function", body="{|(|["),
    },
    scopes={
        "impl_item": Scope("body", "type", methods=True),
        "mod_item": Scope("body", "name"),
        "foreign_mod_item": Scope("body"),
    },
    imports=(
        "use_declaration",
        "mod_item",
        "extern_crate_declaration",
    ),
    marks=("attribute_item",),
    sign=b"#[",
    lifetimes=True,
)
