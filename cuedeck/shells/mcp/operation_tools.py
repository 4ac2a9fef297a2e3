"""Tools of declared operations: one operation, or one for each action."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, get_origin

from cuedeck.shells.call import Call
from cuedeck.shells.mcp.tool_base import Arguments, Tool
from cuedeck.shells.operation import OPERATIONS, Given, Operation
from cuedeck.shells.tool_fields import Field, Kind

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace

_KINDS: Mapping[Any, Kind] = {int: "number", float: "share", bool: "flag"}


@dataclass(frozen=True, slots=True)
class Action:
    """An action of a tool: the operation that it runs."""

    module: str
    """Module of the operation, which is imported by the first call."""
    operation: str
    names: Mapping[str, str] = field(default_factory=dict)
    """Parameters of the operation by the names of other arguments."""


def tool_of(operation: Operation) -> Tool:
    """Return the tool of an operation that declares one."""
    declared = operation.tool
    assert declared is not None
    return Tool(
        declared.name,
        declared.title,
        declared.about,
        declared.fields or tuple(map(_field, operation.params())),
        partial(run_operation, operation),
        writes=declared.writes,
        destroys=declared.destroys,
        repeats=declared.repeats,
    )


def _field(given: Given) -> Field:
    kind = _KINDS.get(given.type, "text")
    if get_origin(given.type) is tuple:
        kind = "texts"
    return Field(
        given.name,
        kind,
        given.help,
        tuple(given.about.choices),
        None if given.is_required else given.default,
        given.about.least or 0,
        given.about.most or 0,
        given.is_required,
    )


def run_operation(
    operation: Operation, workspace: LiveWorkspace, given: Arguments
) -> Mapping[str, Any]:
    """Return the value that an operation answers to a client."""
    call = Call()
    call.opened = workspace
    call.json = True
    names = {each.name for each in operation.params()}
    answer = operation.answer(
        call, {name: given[name] for name in names & given.keys()}
    )
    value: Mapping[str, Any] = {} if answer is None else answer.value
    return value


def run_action(
    action: Action, workspace: LiveWorkspace, given: Arguments
) -> Mapping[str, Any]:
    """Return the value of the operation of an action."""
    importlib.import_module(f"cuedeck.shells.operations.{action.module}")
    arguments = {**given}
    for argument, parameter in action.names.items():
        arguments[parameter] = arguments.pop(argument)
    return run_operation(OPERATIONS[action.operation], workspace, arguments)
