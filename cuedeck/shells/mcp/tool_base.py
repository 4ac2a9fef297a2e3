"""Tool definitions: name, arguments, output schema, and the operation that runs
the tool.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cuedeck.shells.tool_fields import Field, read_arguments

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace
    from cuedeck.shells.mcp.tool_result import ResultPage


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
_STRING = {"type": "string"}
_HIT = {
    "address": _STRING,
    "path": _STRING,
    "kind": _STRING,
    "title": _STRING,
    "lines": {"type": "array", "items": {"type": "integer"}},
    "score": {"type": "number"},
    "why": _STRING,
    "snippet": _STRING,
}
HITS: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "hits": {"type": "array", "items": {"type": "object", "properties": _HIT}},
        "total": {"type": "integer"},
        "next": _STRING,
    },
    "required": ["hits"],
}
"""Output schema of search tools."""


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
    is_general: bool = False
    """True if the tool also works in a folder without `.cuedeck/`."""
    is_seed: bool = False
    """True for a tool name of the original CueDeck documents, listed only on request.
    """

    def read_only(self) -> Tool | None:
        """Return the tool without its writing actions; None if none is left."""
        if not self.writes:
            return self
        if not self.reading:
            return None
        action = Field(ACTION, choices=self.reading, default=self.reading[0])
        fields = tuple(
            action if field.name == ACTION else field for field in self.fields
        )
        return replace(self, fields=fields, writes=False, repeats=True)

    def read(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the validated arguments of a call. Raises: Invalid, which names the
        field.
        """
        return read_arguments(self.fields, given)

    def described(self) -> dict[str, Any]:
        """Return the tool as JSON, as it is listed."""
        schema: dict[str, Any] = {"type": "object"}
        if self.fields:
            schema["properties"] = {field.name: field.schema() for field in self.fields}
        required = [field.name for field in self.fields if field.required]
        if required:
            schema["required"] = required
        described: dict[str, Any] = {
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
