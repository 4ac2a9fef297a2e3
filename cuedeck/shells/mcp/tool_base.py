"""Tools, made of the operations that they run: a field is a parameter of an operation
under the name that agents give it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from cuedeck.model.errors import Invalid
from cuedeck.model.ports import JsonView
from cuedeck.shells.call import Call
from cuedeck.shells.mcp.tool_result import ResultPage, page
from cuedeck.shells.operation import OPERATIONS, Given, Operation, load
from cuedeck.shells.tool_fields import Field, field_of, read_arguments

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace
    from cuedeck.model.ports import Json, Progress

ACTION = "action"
ROOM = "room"
"""Internal key in the arguments of a call: the maximum characters of a long result for
this client.
"""
ALWAYS_LOADED = "anthropic/alwaysLoad"
"""Meta key; asks a client that loads tools on demand to load this one at once."""
LIMIT_KEY = "anthropic/maxResultSizeChars"
"""Meta key; the maximum characters of a result of this tool."""
SEARCHED = "anthropic/searchHint"
"""Meta key; search words for clients that load tools on demand."""

Arguments = JsonView
Result = JsonView | ResultPage
Run = Callable[[Call, Arguments], Result]
TAKEN = re.compile(r"([\w.]+)(!?)((?:\|\w+)*)(?:=(\w+))?")


@dataclass(frozen=True, slots=True)
class Action:
    """What a tool, or one of its actions, runs: an operation."""

    operation: str
    names: Mapping[str, str] = field(default_factory=dict)
    """Parameters of the operation by the names of arguments, if these differ."""
    pages: str = ""
    """List of the answer that is given in pages."""
    shape: Callable[[JsonView], JsonView] | None = None
    """Returns the result for the answer of the operation."""
    run: Run | None = None
    """Runs in place of the operation, which declares the arguments alone."""
    takes: str = ""
    """Arguments of `run`."""

    @property
    def declared(self) -> Operation:
        """The operation, after its module is imported."""
        load(self.operation)
        return OPERATIONS[self.operation]

    def params(self) -> Iterator[tuple[str, Given]]:
        """Yield the parameters with the names of their arguments."""
        arguments = {param: name for name, param in self.names.items()}
        for each in self.declared.params():
            yield arguments.get(each.name, each.name), each

    def taken(self) -> list[str]:
        """Return the names of the arguments that it uses."""
        if self.takes:
            return self.takes.split()
        paging = ["limit", "cursor"] if self.pages else []
        return [*(name for name, _ in self.params()), *paging]

    def __call__(self, call: Call, given: Arguments) -> Result:
        """Return the result. Raises: Invalid if a required argument is missing."""
        if self.run is not None:
            return self.run(call, given)
        arguments = {}
        missing = []
        for name, param in self.params():
            if param.is_required and not given.get(name):
                missing.append(f"`{name}`")
            if name in given:
                arguments[param.name] = given[name]
        if missing:
            verb = "is" if len(missing) == 1 else "are"
            message = f"{' and '.join(missing)} {verb} missing"
            hint = (
                f"`{given.get(ACTION, self.operation)}` needs {' and '.join(missing)}"
            )
            raise Invalid(message, hint=hint)
        found = run_operation(self.declared, call, arguments)
        if self.pages:
            size = given["limit"]
            found = {
                **found,
                **page(self.pages, found[self.pages], given["cursor"], size),
            }
        return found if self.shape is None else self.shape(found)


class ToolCall(Call):
    """The call of a tool by a client."""

    def __init__(self, workspace: LiveWorkspace) -> None:
        super().__init__()
        self.opened: LiveWorkspace = workspace
        self.json = True

    def progress(self, label: str) -> AbstractContextManager[Progress | None]:
        """Return a context with the callback that reports progress to the client."""
        return nullcontext(self.opened.progress)


def run_operation(operation: Operation, call: Call, arguments: Arguments) -> JsonView:
    """Return the value that an operation answers to a client."""
    answer = operation.answer(call, arguments)
    value: JsonView = {} if isinstance(answer, int) else answer.value
    return value


@dataclass(frozen=True)
class Tool:
    """Declaration of a tool: its listing, and the operations that its actions run."""

    name: str
    title: str
    about: str
    """Description; it contains the words that clients search for."""
    takes: tuple[str | Field, ...]
    """The arguments. A text names parameters of the operations: `name`, with `!` if it
    is required, then its aliases, `|alias`."""
    actions: Mapping[str, Action | Run]
    """What each action runs; the only one of a tool without actions has no name."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Descriptions of arguments whose names alone are not clear."""
    writes: bool = False
    reading: tuple[str, ...] = ()
    """For a tool that writes: its actions that only read."""
    offered: tuple[str, ...] = ()
    """Actions that a client may choose; by default all."""
    destroys: bool = False
    repeats: bool = False
    """True if the tool is idempotent."""
    is_strict: bool = False
    """True if an action refuses the arguments that it does not use."""
    output: JsonView | None = None
    meta: JsonView | None = None
    """Client-specific keys, sent as `_meta` of the tool."""
    is_general: bool = False
    """True if the tool also works in a folder without `.cuedeck/`."""
    is_seed: bool = False
    """True for a name of the seed documents, listed only on request."""

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The arguments."""
        params: dict[str, Given] = {}
        for action in self.actions.values():
            if isinstance(action, Action):
                for name, given in action.params():
                    params.setdefault(name, given)
        found = []
        names = self.offered or tuple(self.actions)
        if names != ("",):
            found.append(Field(ACTION, choices=names, default=names[0]))
        for each in self.takes:
            if isinstance(each, Field):
                found.append(each)
                continue
            for name, required, also, _ in TAKEN.findall(each):
                made = field_of(name, params[name], self.notes.get(name, ""))
                aliases = tuple(also.split("|")[1:])
                found.append(made._replace(required=bool(required), also=aliases))
        return tuple(found)

    def run(self, workspace: LiveWorkspace, given: Arguments) -> Result:
        """Return the result of a call with validated arguments."""
        name = given.get(ACTION, "")
        action = self.actions[name if name in self.actions else ""]
        if self.is_strict and isinstance(action, Action):
            self._refuse_others(name, action.taken(), given)
        return action(ToolCall(workspace), given)

    def _refuse_others(self, name: str, taken: list[str], given: Arguments) -> None:
        for each in self.fields:
            if each.name in (ACTION, *taken) or given[each.name] == each.empty:
                continue
            others = []
            for other, action in self.actions.items():
                if isinstance(action, Action) and each.name in action.taken():
                    others.append(f"`{other}`")
            raise Invalid(
                f"`{name}` takes no `{each.name}`, so nothing was done",
                hint=f"omit it; it belongs to {', '.join(others)}; `{name}` takes {', '.join(taken)}",
            )

    def read_only(self) -> Tool | None:
        """Return the tool without its writing actions; None if none is left."""
        if not self.writes:
            return self
        if not self.reading:
            return None
        return replace(self, offered=self.reading, writes=False, repeats=True)

    def read(self, given: JsonView) -> Json:
        """Return the validated arguments of a call. Raises: Invalid, which names the
        field.
        """
        return read_arguments(self.fields, given)

    def described(self) -> Json:
        """Return the tool as JSON, as it is listed."""
        schema: Json = {"type": "object"}
        if self.fields:
            schema["properties"] = {field.name: field.schema() for field in self.fields}
        required = [field.name for field in self.fields if field.required]
        if required:
            schema["required"] = required
        described: Json = {
            "name": self.name,
            "description": self.about,
            "inputSchema": schema,
        }
        if self.output:
            described["outputSchema"] = dict(self.output)
        described["annotations"] = {
            "title": self.title,
            "readOnlyHint": not self.writes,
            "destructiveHint": self.destroys,
            "idempotentHint": self.repeats or not self.writes,
            "openWorldHint": False,
        }
        if self.meta:
            described["_meta"] = dict(self.meta)
        return described
