"""A scripted model server on loopback that stores every request in memory."""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from conformance.hosts.formats import FORMATS, Answer, Format, OfferedTool

_SCRIPT = re.compile(r"@play=([\w-]+)(?![\w”-])")
"""A mark of a prompt; not in quotation marks, as a brief repeats earlier prompts."""
_SEARCHES = ("tool_search", "ToolSearch")
_BRIDGE = "tool_call"
"""The tool of Qwen Code that calls a tool found by a search."""
_SUMMARY = "The work on the card goes on."
_FEW_TOKENS = 1_000
_MOST_REQUESTS = 60
"""Maximum number of requests of one host process; later requests get a final answer, in
case the host loops.
"""


class Call(NamedTuple):
    """A step of a script: call an MCP tool of CueDeck, or one of the host."""

    tool: str
    arguments: Mapping[str, Any]
    tokens: int = _FEW_TOKENS
    """Tokens of input that the model claims to have read."""
    text: str = ""
    """Words before the call."""
    is_own: bool = False
    """Whether it is a tool of the host."""


class Say(NamedTuple):
    """A step of a script: a text answer, which ends the turn."""

    text: str


Step = Call | Say


class Request(NamedTuple):
    """A request that a host sent."""

    format: str
    body: Mapping[str, Any]
    answer: Answer

    @property
    def text(self) -> str:
        """Return the request as JSON with every text escaped."""
        return json.dumps(self.body, ensure_ascii=False)


class Model:
    """The server; `with` starts and stops it."""

    def __init__(
        self, scripts: Mapping[str, Sequence[Step]], *, is_long_summary: bool = False
    ) -> None:
        self.scripts = scripts
        self.requests: list[Request] = []
        self._claimed = 0
        self._is_long_summary = is_long_summary
        self._lock = threading.Lock()
        model = self

        class Handler(_Handler):
            def answer(self, name: str, body: Mapping[str, Any]) -> Answer:
                return model._answer(name, body)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Return the address of the server, without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Model:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def take(self) -> list[Request]:
        """Return the requests since the last call, in order."""
        with self._lock:
            taken, self.requests = self.requests, []
        return taken

    def _answer(self, name: str, body: Mapping[str, Any]) -> Answer:
        with self._lock:
            count = len(self.requests)
        answer = (
            Answer("The script went in a circle.")
            if count > _MOST_REQUESTS
            else self._play(FORMATS[name], body)
        )
        with self._lock:
            self.requests.append(Request(name, body, answer))
        return answer

    def _play(self, spoken: Format, body: Mapping[str, Any]) -> Answer:
        """Return the next step of the script that the last prompt names; the request
        alone determines the step.
        """
        turns, offered = spoken.turns(body), spoken.offered(body)
        named = [
            at
            for at, turn in enumerate(turns)
            if turn.kind == "user" and _SCRIPT.search(turn.text)
        ]
        if not offered or not named:
            return Answer(
                _SUMMARY,
                tokens=max(self._claimed, _FEW_TOKENS)
                if self._is_long_summary and not offered
                else _FEW_TOKENS,
            )
        script = self.scripts.get(_SCRIPT.findall(turns[named[-1]].text)[-1], ())
        done = [turn.text for turn in turns[named[-1] + 1 :] if turn.kind == "call"]
        searched = sum(each.startswith(_SEARCHES) for each in done)
        step = (
            script[len(done) - searched]
            if len(done) - searched < len(script)
            else Say("Done.")
        )
        if isinstance(step, Say):
            return Answer(step.text)
        tool = find_tool(offered, step.tool, is_own=step.is_own)
        if (
            tool and _FEW_TOKENS < step.tokens <= self._claimed
        ):  # a compaction took the call out of the conversation
            return Answer(_SUMMARY)
        if tool:
            self._claimed = step.tokens
            return Answer(step.text, tool, step.arguments, step.tokens)
        bridge = next((each for each in offered if each.name == _BRIDGE), None)
        if bridge and searched:
            self._claimed = step.tokens
            name = f"mcp__cuedeck__{step.tool}"
            called = {"name": name, "arguments": dict(step.arguments)}
            return Answer(tool=bridge, arguments=called, tokens=step.tokens)
        search = next((each for each in offered if each.name in _SEARCHES), None)
        if search and not (done and done[-1].startswith(_SEARCHES)):
            return Answer(tool=search, arguments={"query": f"cuedeck {step.tool}"})
        return Answer(f"The tool {step.tool} is not offered.")


def find_tool(
    offered: Sequence[OfferedTool], name: str, *, is_own: bool = False
) -> OfferedTool | None:
    """Return the CueDeck tool with a name, whatever prefix the host adds; the tool of
    the host itself with `is_own`.
    """
    for tool in offered:
        if is_own and tool.name == name:
            return tool
        whole = f"{tool.namespace}{tool.name}"
        if (
            not is_own
            and "cuedeck" in whole
            and re.search(rf"(?:^|[_.:-]){name}$", tool.name)
        ):
            return tool
    return None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, name: str, body: Mapping[str, Any]) -> Answer:
        raise NotImplementedError

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        if self.path.partition("?")[0].endswith("/models"):
            rows = [{"id": "mock", "object": "model", "created": 0, "owned_by": "mock"}]
            self._send(
                "application/json",
                json.dumps({"object": "list", "data": rows, "models": []}).encode(),
            )
        else:
            self._send("application/json", b"{}", 404)

    def do_POST(self) -> None:
        raw = self._read()
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            body = {}
        path = self.path.partition("?")[0]
        name = _format_of(path)
        if path.endswith("/count_tokens") or ":countTokens" in path:
            self._send(
                "application/json",
                json.dumps({"input_tokens": len(raw) // 4, "totalTokens": 1}).encode(),
            )
        elif not name:
            self._send("application/json", b"{}", 404)
        else:
            stream = bool(body.get("stream")) or ":streamGenerateContent" in path
            self._send(*FORMATS[name].write(body, self.answer(name, body), stream))

    def _read(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            raw = b""
            while size := int(self.rfile.readline().strip() or b"0", 16):
                raw += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        return (
            gzip.decompress(raw)
            if self.headers.get("Content-Encoding") == "gzip"
            else raw
        )

    def _send(self, media: str, data: bytes, code: int = 200) -> None:
        self.send_response(code)
        self.send_header("Content-Type", media)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _format_of(path: str) -> str:
    endings = {
        "/messages": "anthropic",
        "/responses": "responses",
        "/chat/completions": "chat",
    }
    found = next(
        (name for ending, name in endings.items() if path.endswith(ending)), ""
    )
    return found or ("gemini" if "enerateContent" in path else "")
