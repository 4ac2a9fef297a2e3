"""A tool: its name, its arguments, and the function of app that answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.mcp.tool_arguments import Field, read_arguments

if TYPE_CHECKING:
    from mcp_types import Tool as Listed

    from cuedeck.app.server.live_workspace import LiveWorkspace

ACTION = "action"
ROOM = "room"
"""Beside the arguments of a call: how many characters the client takes when it asks for a long result."""
ALWAYS_LOADED = "anthropic/alwaysLoad"
"""Asks a client that loads tools when they are searched for to have this one ready."""
SEARCHED = "anthropic/searchHint"
"""Words by which such a client finds a tool."""
_TEXTS = {"type": "string"}
_HIT = {
    "address": _TEXTS,
    "path": _TEXTS,
    "kind": _TEXTS,
    "title": _TEXTS,
    "lines": {"type": "array", "items": {"type": "integer"}},
    "score": {"type": "number"},
    "why": _TEXTS,
    "snippet": _TEXTS,
}
HITS: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "hits": {"type": "array", "items": {"type": "object", "properties": _HIT}},
        "total": {"type": "integer"},
        "next": _TEXTS,
    },
    "required": ["hits"],
}
"""What tools that search answer."""


class ResultPage(NamedTuple):
    """A long text, and what a client may want to know of it."""

    text: str
    info: Mapping[str, Any] | None = None


Arguments = Mapping[str, Any]
Run = Callable[["LiveWorkspace", Arguments], "Mapping[str, Any] | ResultPage"]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as it is listed and called."""

    name: str
    title: str
    about: str
    """Its description; with the words by which it is searched for."""
    fields: tuple[Field, ...]
    run: Run
    writes: bool = False
    reading: tuple[str, ...] = ()
    """Of a tool that writes: the actions that do not."""
    destroys: bool = False
    repeats: bool = False
    """True when calling it twice does what calling it once does."""
    output: Mapping[str, Any] | None = None
    meta: Mapping[str, Any] | None = None
    """Keys of certain clients, as `_meta` of the tool."""
    is_seed: bool = False
    """True for a name of the documents CueDeck comes from, which is listed only when asked for."""

    def read_only(self) -> Tool | None:
        """Return the tool without what writes; None when nothing is left."""
        if not self.writes:
            return self
        if not self.reading:
            return None
        fields = tuple(
            field._replace(choices=self.reading, default=self.reading[0]) if field.name == ACTION else field
            for field in self.fields
        )
        return replace(self, fields=fields, writes=False, repeats=True)

    def read(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of a call. Raises: Invalid, which names the field."""
        return read_arguments(self.fields, given)

    def listed(self) -> Listed:
        """Return the tool as the SDK lists it."""
        from mcp_types import Tool as Made

        return Made.model_validate(self.described())

    def described(self) -> dict[str, Any]:
        """Return the tool as a client sees it, as JSON."""
        schema: dict[str, Any] = {"type": "object"}
        if self.fields:
            schema["properties"] = {field.name: field.schema() for field in self.fields}
        required = [field.name for field in self.fields if field.required]
        if required:
            schema["required"] = required
        described: dict[str, Any] = {"name": self.name, "description": self.about, "inputSchema": schema}
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
