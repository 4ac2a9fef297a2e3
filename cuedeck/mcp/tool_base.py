"""Tool definitions: name, arguments, and the function of `app` that runs it."""

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
"""Internal key in the arguments of a call: the maximum characters of a long result for this client."""
ALWAYS_LOADED = "anthropic/alwaysLoad"
"""Meta key; asks a client that loads tools on demand to load this one at once."""
SEARCHED = "anthropic/searchHint"
"""Meta key; search words for clients that load tools on demand."""
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
"""Output schema of search tools."""


class ResultPage(NamedTuple):
    """A text result with metadata."""

    text: str
    info: Mapping[str, Any] | None = None


Arguments = Mapping[str, Any]
Run = Callable[["LiveWorkspace", Arguments], "Mapping[str, Any] | ResultPage"]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool with its listing and its implementation."""

    name: str
    title: str
    about: str
    """Description; it contains the words that clients search for."""
    fields: tuple[Field, ...]
    run: Run
    writes: bool = False
    reading: tuple[str, ...] = ()
    """For a tool that writes: its actions that only read."""
    destroys: bool = False
    repeats: bool = False
    """True if the tool is idempotent."""
    output: Mapping[str, Any] | None = None
    meta: Mapping[str, Any] | None = None
    """Client-specific keys, sent as `_meta` of the tool."""
    is_seed: bool = False
    """True for a tool name of the original CueDeck documents, listed only on request."""

    def read_only(self) -> Tool | None:
        """Return the tool without its writing actions; None if none is left."""
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
        """Return the validated arguments of a call. Raises: Invalid, which names the field."""
        return read_arguments(self.fields, given)

    def listed(self) -> Listed:
        """Return the tool as an SDK value."""
        from mcp_types import Tool as Made

        return Made.model_validate(self.described())

    def described(self) -> dict[str, Any]:
        """Return the tool as JSON, as it is listed."""
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
