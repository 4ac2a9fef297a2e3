"""The four interfaces between hosts and models: parse a conversation, write an
answer.

Source: the requests that the hosts send, and the public references of the interfaces.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Body = Mapping[str, Any]


class Turn(NamedTuple):
    """A piece of a conversation."""

    kind: str
    """`user`, `call`, `result`, or the role of another speaker."""
    text: str


class OfferedTool(NamedTuple):
    """A tool that a host offers to the model."""

    name: str
    namespace: str = ""
    kind: str = "function"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the model: a text, a tool call, or a text and then a call."""

    text: str = ""
    tool: OfferedTool | None = None
    arguments: Mapping[str, Any] | None = None
    tokens: int = 1_000
    """Tokens of input that the model claims to have read."""


class Format(NamedTuple):
    """One interface."""

    turns: Callable[[Body], list[Turn]]
    offered: Callable[[Body], list[OfferedTool]]
    write: Callable[[Body, Answer, bool], tuple[str, bytes]]
    """Return the media type and the bytes of an answer; with True as a stream."""


def flat(value: Any) -> str:
    """Return all text inside a message, whatever its shape."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(flat(each) for each in value)
    if isinstance(value, dict):
        return "\n".join(flat(value[key]) for key in _TEXTS if key in value)
    return ""


_TEXTS = (
    "text",
    "content",
    "parts",
    "output",
    "response",
    "llmContent",
    "result",
    "functionResponse",
)


def _new(prefix: str) -> str:
    return f"{prefix}_{uuid.uuid4().hex[:16]}"


def _stream(events: Sequence[tuple[str, Any]]) -> tuple[str, bytes]:
    rows = [
        f"{f'event: {name}{chr(10)}' if name else ''}data: {_line(data)}\n\n"
        for name, data in events
    ]
    return "text/event-stream", "".join(rows).encode()


def _line(data: Any) -> str:
    return data if isinstance(data, str) else json.dumps(data)


def _whole(data: Any) -> tuple[str, bytes]:
    return "application/json", json.dumps(data).encode()


def _anthropic_turns(body: Body) -> list[Turn]:
    found: list[Turn] = []
    for message in body.get("messages", []):
        content = message["content"]
        for part in (
            [{"type": "text", "text": content}] if isinstance(content, str) else content
        ):
            if part["type"] == "text":
                found.append(Turn(message["role"], part["text"]))
            elif part["type"] == "tool_use":
                found.append(Turn("call", part["name"]))
            elif part["type"] == "tool_result":
                found.append(Turn("result", flat(part.get("content"))))
    return found


def _anthropic_offered(body: Body) -> list[OfferedTool]:
    return [OfferedTool(tool["name"]) for tool in body.get("tools") or []]


def _anthropic_write(body: Body, answer: Answer, stream: bool) -> tuple[str, bytes]:
    usage = {"input_tokens": answer.tokens, "output_tokens": 20}
    usage |= {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    blocks: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = []
    if answer.text or not answer.tool:
        block = {"type": "text", "text": answer.text}
        delta = {"type": "text_delta", "text": answer.text}
        blocks.append((block, {**block, "text": ""}, delta))
    if answer.tool:
        block = {
            "type": "tool_use",
            "id": _new("toolu"),
            "name": answer.tool.name,
            "input": answer.arguments,
        }
        words = json.dumps(answer.arguments)
        delta = {"type": "input_json_delta", "partial_json": words}
        blocks.append((block, {**block, "input": {}}, delta))
    stop = {
        "stop_reason": "tool_use" if answer.tool else "end_turn",
        "stop_sequence": None,
    }
    message = {
        "id": _new("msg"),
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "mock"),
    }
    message |= {"content": [each[0] for each in blocks], "usage": usage, **stop}
    if not stream:
        return _whole(message)
    begun = {**message, "content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": begun}]
    for at, (_, opened, piece) in enumerate(blocks):
        start = {"type": "content_block_start", "index": at, "content_block": opened}
        events.append(start)
        events.append({"type": "content_block_delta", "index": at, "delta": piece})
        events.append({"type": "content_block_stop", "index": at})
    events.append({"type": "message_delta", "delta": stop, "usage": usage})
    events.append({"type": "message_stop"})
    return _stream([(str(each["type"]), each) for each in events])


def _responses_turns(body: Body) -> list[Turn]:
    items = body.get("input", [])
    if isinstance(items, str):
        return [Turn("user", items)]
    found: list[Turn] = []
    for item in items:
        kind = item.get("type", "message")
        if kind == "message":
            found.append(Turn(item.get("role", "user"), flat(item.get("content"))))
        elif kind.endswith("_call"):
            found.append(Turn("call", item.get("name", kind)))
        elif kind.endswith("_output"):
            found.append(Turn("result", flat(item.get("output"))))
    return found


def _responses_offered(body: Body) -> list[OfferedTool]:
    tools = list(body.get("tools") or [])
    items = body.get("input")
    for item in items if isinstance(items, list) else []:
        if item.get("type") == "tool_search_output":
            tools += item.get("tools") or []
    return [each for tool in tools for each in _responses_tool(tool)]


def _responses_tool(tool: Mapping[str, Any]) -> Iterator[OfferedTool]:
    if tool.get("type") == "namespace":
        for each in tool.get("tools", []):
            yield OfferedTool(each["name"], tool["name"], each.get("type", "function"))
        return
    kind = str(tool.get("type", "function"))
    yield OfferedTool(str(tool.get("name", kind)), "", kind)


def _responses_write(body: Body, answer: Answer, stream: bool) -> tuple[str, bytes]:
    items: list[dict[str, Any]] = []
    if answer.text or not answer.tool:
        item: dict[str, Any] = {"type": "message", "id": _new("msg")}
        item |= {"role": "assistant", "status": "completed"}
        words = {"type": "output_text", "text": answer.text, "annotations": []}
        items.append({**item, "content": [words]})
    if answer.tool and answer.tool.kind == "tool_search":
        item = {"type": "tool_search_call", "id": _new("tsc"), "call_id": _new("call")}
        item |= {"execution": "client", "status": "completed"}
        items.append({**item, "arguments": answer.arguments})
    elif answer.tool:
        item = {"type": "function_call", "id": _new("fc"), "call_id": _new("call")}
        item |= {"name": answer.tool.name, "status": "completed"}
        item |= {"arguments": json.dumps(answer.arguments)}
        item |= {"namespace": answer.tool.namespace} if answer.tool.namespace else {}
        items.append(item)
    usage = {
        "input_tokens": answer.tokens,
        "output_tokens": 20,
        "total_tokens": answer.tokens + 20,
    }
    usage |= {
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    begun = {
        "id": _new("resp"),
        "object": "response",
        "created_at": 0,
        "model": body.get("model", "mock"),
    }
    begun |= {"output": [], "status": "in_progress"}
    done = {**begun, "status": "completed", "output": items, "usage": usage}
    if not stream:
        return _whole(done)
    events: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
    for at, item in enumerate(items):
        place = {"output_index": at, "item": item}
        events.append({"type": "response.output_item.added", **place})
        events.append({"type": "response.output_item.done", **place})
    events.append({"type": "response.completed", "response": done})
    return _stream([(each["type"], each) for each in events])


def _chat_turns(body: Body) -> list[Turn]:
    found: list[Turn] = []
    for message in body.get("messages", []):
        role = "result" if message["role"] == "tool" else message["role"]
        found.append(Turn(role, flat(message.get("content") or "")))
        found += [
            Turn("call", call["function"]["name"])
            for call in message.get("tool_calls") or []
        ]
    return found


def _chat_offered(body: Body) -> list[OfferedTool]:
    return [OfferedTool(tool["function"]["name"]) for tool in body.get("tools") or []]


def _chat_write(body: Body, answer: Answer, stream: bool) -> tuple[str, bytes]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or None}
    if answer.tool:
        function = {"name": answer.tool.name, "arguments": json.dumps(answer.arguments)}
        call = {
            "index": 0,
            "id": _new("call"),
            "type": "function",
            "function": function,
        }
        message["tool_calls"] = [call]
    usage = {
        "prompt_tokens": answer.tokens,
        "completion_tokens": 20,
        "total_tokens": answer.tokens + 20,
    }
    base = {"id": _new("chatcmpl"), "created": 0, "model": body.get("model", "mock")}
    finish = "tool_calls" if answer.tool else "stop"
    if not stream:
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return _whole(
            {**base, "object": "chat.completion", "choices": [choice], "usage": usage}
        )
    chunk = {**base, "object": "chat.completion.chunk"}
    first = {"index": 0, "delta": message, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": finish}
    return _stream([
        ("", {**chunk, "choices": [first]}),
        ("", {**chunk, "choices": [last]}),
        ("", {**chunk, "choices": [], "usage": usage}),
        ("", "[DONE]"),
    ])  # fmt: skip


def _gemini_turns(body: Body) -> list[Turn]:
    found: list[Turn] = []
    for content in body.get("contents", []):
        for part in content.get("parts", []):
            if "text" in part:
                found.append(Turn(content.get("role", "user"), part["text"]))
            if "functionCall" in part:
                found.append(Turn("call", part["functionCall"]["name"]))
            if "functionResponse" in part:
                found.append(
                    Turn("result", flat(part["functionResponse"].get("response")))
                )
    return found


def _gemini_offered(body: Body) -> list[OfferedTool]:
    groups = body.get("tools") or []
    return [
        OfferedTool(each["name"])
        for group in groups
        for each in group.get("functionDeclarations") or []
    ]


def _gemini_write(body: Body, answer: Answer, stream: bool) -> tuple[str, bytes]:
    parts: list[dict[str, Any]] = [{"text": answer.text}]
    if answer.tool:
        call = {"id": _new("call"), "name": answer.tool.name, "args": answer.arguments}
        parts = [*parts[: bool(answer.text)], {"functionCall": call}]
    elif body.get("generationConfig", {}).get("responseMimeType") == "application/json":
        words = {"reasoning": "mock", "model_choice": "flash", "next_speaker": "user"}
        parts = [{"text": json.dumps(words)}]
    usage = {
        "promptTokenCount": answer.tokens,
        "candidatesTokenCount": 20,
        "totalTokenCount": answer.tokens + 20,
    }
    candidate = {
        "content": {"role": "model", "parts": parts},
        "finishReason": "STOP",
        "index": 0,
    }
    reply = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "mock"}
    return _stream([("", reply)]) if stream else _whole(reply)


FORMATS: Mapping[str, Format] = {
    "anthropic": Format(_anthropic_turns, _anthropic_offered, _anthropic_write),
    "responses": Format(_responses_turns, _responses_offered, _responses_write),
    "chat": Format(_chat_turns, _chat_offered, _chat_write),
    "gemini": Format(_gemini_turns, _gemini_offered, _gemini_write),
}
