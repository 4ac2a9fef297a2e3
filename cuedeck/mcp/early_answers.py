"""Answers to the requests with which a client connects, given before the SDK is loaded.

Loading the SDK takes most of the time from the start of the process to the first answer, and a client waits for the
list of tools before its first request to a model. `initialize`, `tools/list` and `ping` depend on nothing that the SDK
knows. Whatever else arrives, and whatever is unusual in these, is left to it; so is the `initialize` request a second
time, because the SDK keeps what the client said of itself. The answer it gives then is dropped.
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
"""Revisions in which these answers are the same; earlier ones know fewer fields, later ones have no `initialize`."""
_INITIALIZED = "notifications/initialized"
_LONGEST_LINE = 100_000
"""Bytes; a client that connects says no more than that."""


class EarlyAnswers:
    """Answers lines until one arrives that the SDK has to answer."""

    def __init__(self, start: Start) -> None:
        self._start = start
        self.lines: list[bytes] = []
        """Lines that the SDK has to see as well, in order."""
        self.answered: Any = None
        """The id of the `initialize` request that was answered; None before."""

    def answer(self, line: bytes) -> bytes | None:
        """Return the answer to a line, empty for a notification; None when the line is left to the SDK."""
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
    """Return the message of a line; empty where it is unusual."""
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
    """Return the result of an `initialize` request; None where it is unusual."""
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
