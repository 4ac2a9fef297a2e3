"""Responses to the first requests of a client, given before the SDK is loaded.

Loading the SDK takes most of the time from the start of the process to the first response, and a client waits for the
list of tools before its first request to a model. `initialize`, `tools/list` and `ping` do not need the SDK. All other
requests, and unusual forms of these, are left to it. The SDK also receives the `initialize` request, because it stores
the client's capabilities; its response to that one is dropped.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cuedeck import __version__
from cuedeck.mcp.server_instructions import CAPABILITIES, INSTRUCTIONS, NAME, TITLE
from cuedeck.mcp.tools import listed_tools

if TYPE_CHECKING:
    from cuedeck.mcp.start_options import Start

VERSIONS = ("2025-06-18", "2025-11-25")
"""Protocol revisions with identical responses; earlier ones have fewer fields, later ones no `initialize`."""
_INITIALIZED = "notifications/initialized"
_LONGEST_LINE = 100_000
"""Bytes; requests of a connecting client are shorter."""


class EarlyAnswers:
    """Answers lines until one arrives that requires the SDK."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self.lines: list[bytes] = []
        """Lines that the SDK must also receive, in order."""
        self.answered: Any = None
        """Id of the answered `initialize` request; None before it."""

    def answer(self, line: bytes) -> bytes | None:
        """Return the response to a line, empty for a notification; None if the SDK must answer."""
        message = _parse(line)
        method = message.get("method")
        if method == "initialize" and self.answered is None:
            result = _greet(message)
        elif method == _INITIALIZED and self.answered is not None and "id" not in message:
            self.lines.append(line)
            return b""
        else:
            result = self._result(message) if self.answered is not None else None
        identity = message.get("id")
        if result is None or isinstance(identity, bool) or not isinstance(identity, str | int):
            return None
        if method == "initialize":
            self.lines.append(line)
            self.answered = identity
        answer = {"jsonrpc": "2.0", "id": identity, "result": result}
        return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()

    def _result(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Return the result of a request without arguments; None for any other."""
        if message.get("params", {}).keys() - {"_meta"}:
            return None
        if message.get("method") == "tools/list":
            return {"tools": [tool.described() for tool in listed_tools(self._start)]}
        return {} if message.get("method") == "ping" else None


def _parse(line: bytes) -> dict[str, Any]:
    """Return the message of a line; empty if it is unusual."""
    try:
        message = json.loads(line) if len(line) <= _LONGEST_LINE else None
    except (ValueError, RecursionError):
        return {}
    if not isinstance(message, dict) or message.keys() - {"jsonrpc", "id", "method", "params"}:
        return {}
    if message.get("jsonrpc") != "2.0" or not isinstance(message.get("params", {}), dict):
        return {}
    return message


def _greet(message: dict[str, Any]) -> dict[str, Any] | None:
    """Return the result of an `initialize` request; None if it is unusual."""
    params = message.get("params", {})
    version, capabilities, client = (params.get(key) for key in ("protocolVersion", "capabilities", "clientInfo"))
    if version not in VERSIONS or not isinstance(capabilities, dict) or not isinstance(client, dict):
        return None
    if not all(isinstance(each, dict) for each in capabilities.values()):
        return None
    if not all(isinstance(client.get(key), str) for key in ("name", "version")):
        return None
    server = {"name": NAME, "title": TITLE, "version": __version__}
    return {
        "protocolVersion": version,
        "capabilities": CAPABILITIES,
        "serverInfo": server,
        "instructions": INSTRUCTIONS,
    }
