"""Reader of the conversation transcripts that agent hosts write: who says what.

A transcript is JSON Lines, or one JSON object with a list of messages. `read_rows` is
the only place that decides on the speaker of a text. A row counts as one of the user or
of the agent only if nothing speaks against it: a row of an unknown type, of a subagent,
of a tool or of the host is never one of the user, and of the user's rows only the
passages with own words are (`own_words`).
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from cuedeck.model.ports import Json, JsonView
from cuedeck.parse.own_words import divide

Speaker = Literal["user", "agent", "tool", "subagent", "host"]
RowKind = Literal["words", "pasted", "marker", "call", "result"]

_PARTS = frozenset(["text", "output_text", "input_text"])
_LISTS = ("messages", "history")
_ENVELOPES = frozenset(["", "message", "response_item", "event_msg"])
"""Types of rows that only enclose a message with a role or type of its own."""
_CALL_KINDS = """
    tool_use function_call custom_tool_call local_shell_call tool.execution_start
    functionCall toolCalls
"""
_RESULT_KINDS = """
    tool_result function_call_output custom_tool_call_output tool.execution_complete
    functionResponse toolCalls
"""
_CALLS = frozenset(_CALL_KINDS.split())
_RESULTS = frozenset(_RESULT_KINDS.split())
_CALL_IDS = ("tool_use_id", "call_id", "toolCallId", "id")
_NAMES = ("name", "toolName", "type")
_INPUTS = ("input", "arguments", "args", "action")
_OUTPUTS = ("content", "output", "result", "response", "error")
_EXIT_CODE = re.compile(r"(?:exit(?:ed with)?[ _]code|exit status)\W{1,4}(\d+)", re.I)
"""The exit code near the beginning or the end of the output of a shell."""
_NEAR = 300
_SYNTHETIC = "<synthetic>"
"""Model of the messages that a host writes in the name of the agent."""
_SUBAGENT = ("isSidechain", "parentToolCallId", "parent_tool_use_id")
"""Flags of messages that belong to a subagent."""
_SESSION = ("sessionId", "session_id")
_HUMAN_ORIGINS = frozenset(["", "human", "user", "plain", "text"])
"""Values of `source`, `origin` and `kind` in messages that the user typed."""
_MOST_OF_CALL = 4_000
"""Characters of the input of a tool that are returned."""
_MOST_OF_RESULT = 20_000
"""Characters at the end of a result that are returned."""


class TranscriptFormat(NamedTuple):
    """Names in the transcripts of one host or of several."""

    agent: frozenset[str]
    """Values of `role` or `type` in messages of the agent."""
    user: frozenset[str]
    """Values of `role` or `type` in messages of the user."""
    containers: tuple[str, ...]
    """Members of a row that may contain the message."""
    skipped: tuple[str, ...]
    """Flags of rows that the host wrote: metadata, API errors, compaction summaries."""
    shells: frozenset[str] = frozenset()
    """Tools that run a command line."""
    writes: frozenset[str] = frozenset()
    """Tools that write files."""


class ToolUse(NamedTuple):
    """A call of a tool, or its result."""

    id: str
    """Id of the call, also in its result; empty if the host writes none."""
    name: str = ""
    """Name of the tool; empty in a result."""
    given: Mapping[str, Any] = {}
    """Input of a call; a text is the value of `input`."""
    is_failed: bool = False
    """Whether the result is an error or the exit code of a command is not 0."""


class Row(NamedTuple):
    """A text of one speaker in a transcript."""

    speaker: Speaker
    kind: RowKind
    text: str
    time: str = ""
    """As the host wrote it; empty if it writes none."""
    session: str = ""
    """Id that the host gave the session."""
    cwd: str = ""
    """Working folder of the agent."""
    tool: ToolUse | None = None
    """The tool of a row of the kinds `call` and `result`."""


def read_rows(lines: Iterable[bytes], form: TranscriptFormat) -> Iterator[Row]:
    """Yield the rows of a transcript in order, from its lines, without those that are
    not JSON objects, such as a line that is cut.
    """
    place: Json = {}
    is_of_subagent = False
    for line in lines:
        row = parse_row(line)
        place.update(_place_of(row, form))
        is_of_subagent = is_of_subagent or _is_of_subagent(row)
        for found in _rows_of(row, form):
            if is_of_subagent and found.speaker in ("user", "agent"):
                found = found._replace(speaker="subagent")
            yield found._replace(**place)


def last_agent_text(data: bytes, form: TranscriptFormat) -> str:
    """Return the last message of a transcript if it is from the agent, else an empty
    string.

    `data` may be the tail of a transcript, so its first line may be incomplete.
    """
    lines = reversed(data.split(b"\n"))
    newest: list[JsonView] = list(map(parse_row, lines))
    whole = parse_row(data)
    for name in _LISTS:
        newest += reversed(_objects(whole.get(name)))
    for row in newest:
        said = [each for each in _rows_of(row, form) if each.kind == "words"]
        speakers = [each.speaker for each in said]
        if "user" in speakers or "agent" in speakers:
            texts = [each.text for each in said if each.speaker == "agent"]
            return "\n".join(texts).strip()
    return ""


def _rows_of(row: JsonView, form: TranscriptFormat) -> Iterator[Row]:
    if not row:
        return
    levels = (*_contained(row, form), row)
    speaker = _speaker(row, levels, form)
    content = next(filter(None, map(_content, reversed(levels))), "")
    is_main = not any(_has_flag(each, _SUBAGENT) for each in levels)
    tools = _tool_rows(levels, content) if is_main else ()
    if not speaker:
        yield from tools
        return
    has_result = "toolUseResult" in row or any(
        str(part.get("type")) in _RESULTS or "functionResponse" in part
        for part in _objects(content)
    )
    if has_result and speaker == "user":
        # The host writes results of tools in the name of the user.
        speaker = "host"
    for text in _texts(content):
        if speaker != "user":
            yield Row(speaker, "marker" if speaker == "host" else "words", text)
            continue
        for passage in divide(text):
            by: Speaker = "host" if passage.kind == "marker" else "user"
            yield Row(by, passage.kind, passage.text.strip("\n"))
    yield from tools


def _speaker(
    row: JsonView, levels: Sequence[JsonView], form: TranscriptFormat
) -> Speaker | Literal[""]:
    """Return the speaker of the text of a row; empty if it is neither a message of the
    user nor one of the agent.
    """
    known = form.agent | form.user
    outer = str(row.get("type", ""))
    if outer not in known and outer not in _ENVELOPES:
        return ""
    if any(_has_flag(each, _SUBAGENT) for each in levels):
        return "subagent"
    if any(_is_of_host(each, form) for each in levels):
        return "host"
    named = [str(each.get(name)) for each in levels for name in ("role", "type")]
    author = next((each for each in named if each in known), "")
    if author in form.user:
        return "user"
    return "agent" if author else ""


def _is_of_subagent(row: JsonView) -> bool:
    meta = row.get("payload")
    if row.get("type") != "session_meta" or not isinstance(meta, dict):
        return False
    source = meta.get("source")
    if isinstance(source, dict) and "subagent" in source:
        return True
    return meta.get("thread_source") == "subagent"


def _has_flag(level: JsonView, names: Iterable[str]) -> bool:
    return any(level.get(name) for name in names)


def _is_of_host(level: JsonView, form: TranscriptFormat) -> bool:
    if level.get("model") == _SYNTHETIC:
        return True
    if _has_flag(level, ("subtype", *form.skipped)):
        return True
    for name in ("source", "origin", "kind"):
        value = level.get(name)
        if isinstance(value, dict):
            value = value.get("kind")
        if isinstance(value, str) and value not in _HUMAN_ORIGINS:
            return True
    return False


def _tool_rows(levels: Iterable[JsonView], content: Any) -> Iterator[Row]:
    for kind, part in _tool_parts(levels, content):
        identity = _first_text(map(part.get, _CALL_IDS), "")
        if kind in _CALLS:
            name = _first_text(map(part.get, _NAMES), kind)
            given = _first_value(part, _INPUTS)
            text = given if isinstance(given, str) else json.dumps(given)
            tool = ToolUse(identity, name, _given(given))
            yield Row("tool", "call", f"{name} {text[:_MOST_OF_CALL]}", tool=tool)
        if kind in _RESULTS:
            text = _result_text(_first_value(part, _OUTPUTS))
            tool = ToolUse(identity, is_failed=_is_failed(part, text))
            if identity or text:
                yield Row("tool", "result", text[-_MOST_OF_RESULT:], tool=tool)


def _tool_parts(
    levels: Iterable[JsonView], content: Any
) -> Iterator[tuple[str, JsonView]]:
    for part in (*levels, *_objects(content)):
        data = part.get("data")
        yield str(part.get("type", "")), data if isinstance(data, dict) else part
        for name in ("functionCall", "functionResponse"):
            if isinstance(part.get(name), dict):
                yield name, part[name]
        for each in _objects(part.get("toolCalls")):
            yield "toolCalls", each


def _objects(values: Any) -> list[JsonView]:
    if not isinstance(values, list):
        return []
    return [each for each in values if isinstance(each, dict)]


def _first_value(part: JsonView, names: Iterable[str]) -> Any:
    return next((part[name] for name in names if part.get(name)), "")


def _given(value: Any) -> JsonView:
    if isinstance(value, str):
        return parse_row(value.encode("utf-8", "replace")) or {"input": value}
    return value if isinstance(value, dict) else {}


def _result_text(value: Any) -> str:
    if isinstance(value, dict):
        return _result_text(_first_value(value, _OUTPUTS))
    texts = _texts(value)
    if not texts:
        parts = [each.get("functionResponse", "") for each in _objects(value)]
        texts = list(map(_result_text, parts))
    return "\n".join(texts)


def _is_failed(part: JsonView, text: str) -> bool:
    for each in (part, part.get("response")):
        if not isinstance(each, dict):
            continue
        if each.get("is_error") or each.get("error") or each.get("success") is False:
            return True
        if each.get("is_error") is False or each.get("success"):
            return False
    if part.get("status") in ("error", "failed"):
        return True
    code = _EXIT_CODE.search(f"{text[:_NEAR]}\n{text[-_NEAR:]}")
    return code is not None and int(code[1]) != 0


def _place_of(row: JsonView, form: TranscriptFormat) -> Json:
    """Return time, session and folder of a row, as far as it has them."""
    levels = [row, *_contained(row, form)]
    levels += _objects([each.get("context") for each in levels])
    names = [*_SESSION]
    if row.get("type") == "session_meta":
        names.append("id")
    found = {
        "time": row.get("timestamp"),
        "session": _first_text(
            (each.get(name) for name in names for each in levels), ""
        ),
        "cwd": _first_text((each.get("cwd") for each in levels), ""),
    }
    return {name: value for name, value in found.items() if _is_text(value)}


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _first_text(values: Iterable[Any], default: str) -> str:
    return next(filter(_is_text, values), default)


def text_of_row(row: JsonView, form: TranscriptFormat) -> str:
    """Return the text of a message; empty if the row has none."""
    for each in (row, *_contained(row, form)):
        text = "\n".join(_texts(_content(each))).strip()
        if text:
            return text
    return ""


def _content(level: JsonView) -> Any:
    for name in ("content", "text", "message", "parts"):
        value = level.get(name)
        if isinstance(value, str | list) and value:
            return value
    return ""


def _contained(row: JsonView, form: TranscriptFormat) -> list[JsonView]:
    return _objects([row.get(name) for name in form.containers])


def _texts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content.strip()] if content.strip() else []
    if not isinstance(content, list):
        return []
    texts = []
    for part in content:
        text = part
        if isinstance(part, dict):
            is_text = str(part.get("type", "text")) in _PARTS
            text = part.get("text") if is_text and not part.get("thought") else None
        if isinstance(text, str) and text.strip():
            texts.append(text.strip())
    return texts


def parse_row(data: bytes) -> Json:
    """Return the JSON object of a line, with U+FFFD for invalid UTF-8; empty if it is
    not one.
    """
    data = data.strip().removeprefix(BOM_UTF8)
    if not data.startswith(b"{"):
        return {}
    try:
        value = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
