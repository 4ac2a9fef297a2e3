"""Go: specs stand alone or in groups, methods outside of their type."""

from __future__ import annotations

from cuedeck.parse.code.rules import Rule, Scope, compose

_SPEC = Rule("constant", body="", many=True)
_TYPES = {
    "struct_type": Rule("class", body="type.field_declaration_list"),
    "interface_type": Rule("class", body="type.{", members="type"),
}

GO = compose(
    definitions={
        "function_declaration": Rule("function"),
        "method_declaration": Rule("function", owner="receiver"),
        "method_elem": Rule("function", body=""),
        "const_spec": _SPEC,
        "var_spec": _SPEC,
        "type_spec": Rule("type", body="", choose="type", choices=_TYPES),
        "type_alias": Rule("type", body=""),
    },
    scopes={
        "const_declaration": Scope(wraps=True),
        "var_declaration": Scope(wraps=True),
        "var_spec_list": Scope(),
        "type_declaration": Scope(wraps=True),
    },
    imports=("import_declaration",),
)
