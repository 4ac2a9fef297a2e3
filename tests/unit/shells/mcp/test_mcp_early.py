"""Answers before the SDK is loaded equal those of the SDK."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.shells.mcp.message_exchange import Exchange
from cuedeck.shells.mcp.server import Service
from cuedeck.shells.mcp.server_definition import Start
from cuedeck.shells.mcp.stdio_server import VERSIONS, EarlyAnswers


class Lines:
    """A transport that returns given lines and stores the answers."""

    def __init__(self, lines: list[bytes]) -> None:
        self.sent: list[Any] = []
        self.broken = asyncio.Event()
        self._lines = lines

    async def receive(self) -> bytes | None:
        return self._lines.pop(0) if self._lines else None

    async def send(self, line: bytes) -> None:
        self.sent.append(json.loads(line))


def line(method: str, identity: Any = None, **params: Any) -> bytes:
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    if identity is not None:
        message["id"] = identity
    if params:
        message["params"] = params
    return json.dumps(message).encode()


def hello(version: str = "2025-11-25", **more: Any) -> bytes:
    client = {"name": "test", "version": "1"}
    return line(
        "initialize",
        1,
        **{
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": client,
            **more,
        },
    )


READY = line("notifications/initialized")


def by_sdk(
    sandbox: Sandbox, lines: list[bytes], answered: Any = None, **options: bool
) -> list[Any]:
    """Return the answers of the SDK to the same lines."""

    async def run() -> list[Any]:
        wire = Lines([])
        service = Service(Start(str(sandbox.root), {}, **options), asks_roots=True)
        await Exchange(wire, lines, answered).run(service)  # type: ignore[arg-type]
        service.workspaces.close(10)
        return wire.sent

    return asyncio.run(run())


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("options", [{}, {"compat": True}, {"read_only": True}])
def test_early_answers_are_those_of_the_sdk(
    shop: Sandbox, version: str, options: dict[str, bool]
) -> None:
    lines = [
        hello(version),
        READY,
        line("tools/list", 2),
        line("ping", "three"),
        line("tools/list", 4, _meta={}),
    ]
    early = EarlyAnswers(Start(str(shop.root), {}, **options))
    answers = [json.loads(answer) for each in lines if (answer := early.answer(each))]
    assert answers == by_sdk(shop, lines, **options)
    assert [each["id"] for each in answers] == [1, 2, "three", 4]


def test_the_sdk_receives_the_client_info_and_answers_the_remaining_requests(
    shop: Sandbox,
) -> None:
    early = EarlyAnswers(Start(str(shop.root), {}))
    for each in (hello(), READY, line("tools/list", 2)):
        assert early.answer(each) is not None
    call = line("tools/call", 3, name="read", arguments={"address": "docs/auth.md"})
    assert early.answer(call) is None
    sent = by_sdk(shop, [*early.lines, call], early.answered)
    assert [each["id"] for each in sent] == [3]
    assert sent[0]["result"]["content"][0]["text"].startswith("# Auth")


@pytest.mark.parametrize("name", [b"\\ud800", b"nested"])
def test_a_greeting_that_only_the_sdk_refuses_has_one_answer(
    shop: Sandbox, name: bytes
) -> None:
    nested = b'{"experimental": ' + b'{"a": ' * 300 + b"{}" + b"}" * 301
    greeting = hello().replace(b"test", name)
    if name == b"nested":
        greeting = greeting.replace(b'"capabilities": {}', b'"capabilities": ' + nested)
    early = EarlyAnswers(Start(str(shop.root), {}))
    assert early.answer(greeting)
    assert [
        each["id"]
        for each in by_sdk(shop, [*early.lines, line("ping", 2)], early.answered)
    ] == [2]


@pytest.mark.parametrize(
    "unusual",
    [b"no json", b"[]", b"[" * 50_000, line("tools/list", 2), line("ping", 2), READY, line("server/discover", 1),
     hello("2026-07-28"), hello("2024-11-05"), hello(capabilities=[]), hello(capabilities={"roots": 1}),
     hello(clientInfo={}), hello() + b" " * 200_000, hello().replace(b'"id": 1', b'"id": true'),
     hello().replace(b'"id": 1', b'"id": null'), hello().replace(b'"id": 1', b'"id": "\\ud800"'),
     b"\xef\xbb\xbf" + hello(), hello().replace(b'"2.0"', b'"1.0"'),
     hello()[:-1] + b', "more": 1}'],
)  # fmt: skip
def test_unusual_first_lines_are_left_to_the_sdk(shop: Sandbox, unusual: bytes) -> None:
    early = EarlyAnswers(Start(str(shop.root), {}))
    assert early.answer(unusual) is None
    assert (early.lines, early.answered) == ([], None)


@pytest.mark.parametrize(
    "unusual", [hello(), line("tools/list", 2, cursor="x"), line("tools/list"), line("notifications/cancelled"),
                line("resources/list", 2), line("tools/list", 2, _meta={}, x=1),
                b'{"jsonrpc":"2.0","id":2,"result":{}}']
)  # fmt: skip
def test_unusual_later_lines_are_left_to_the_sdk(shop: Sandbox, unusual: bytes) -> None:
    early = EarlyAnswers(Start(str(shop.root), {}))
    assert early.answer(hello())
    assert early.answer(unusual) is None


def test_early_answers_load_neither_the_sdk_nor_scene_modules() -> None:
    code = "import sys, cuedeck.shells.mcp.stdio_server, cuedeck.shells.cli.mcp_command; print(' '.join(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
    ).stdout.split()
    assert "cuedeck.shells.mcp.stdio_server" in loaded
    heavy = {
        "mcp",
        "mcp_types",
        "pydantic",
        "anyio",
        "starlette",
        "uvicorn",
        "networkx",
        "tiktoken",
        "tree_sitter",
    }
    assert heavy.isdisjoint(loaded)
