"""Requests of a broken or hostile client: nothing leaks, nothing is lost, and the
server continues.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from command_server import ForkedProcess
from mcp_client import connect_over_stdio, fill_shop, open_shop
from sandbox import Sandbox, until
from test_mcp_stdio import (
    HELLO,
    PATIENCE_SECONDS,
    READY,
    call,
    doctor_findings,
    receive,
    send,
    start,
    wait_for_exit,
)

pytestmark = pytest.mark.slow

LARGE = 10 * 1024 * 1024


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A workspace with a card and a doc."""
    fill_shop(sandbox)
    return sandbox


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkedProcess]:
    """An initialised server that every test leaves running."""
    process = start(open_shop(tmp_path_factory), seconds=20 * PATIENCE_SECONDS)
    send(process, HELLO, READY)
    receive(process)
    yield process
    wait_for_exit(process)


def assert_alive(server: ForkedProcess) -> None:
    """Check that the server still answers."""
    send(server, call(999, "read", address="docs/auth.md"))
    answer = receive(server)
    while answer.get("id") != 999:
        answer = receive(server)
    assert answer["result"]["content"][0]["text"] == "# Auth\n\ntext\n"


def send_raw(server: ForkedProcess, data: bytes) -> Any:
    assert server.stdin is not None
    server.stdin.write(data)
    server.stdin.flush()
    return receive(server)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"no json", -32700),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call', -32700),
        (b"\xff\xfe\x00\xc3\x28", -32700),
        (b"[" * 100_000, -32700),
        (b"[1, 2]", -32600),
        (b"null", -32600),
        (b'{"jsonrpc": "1.0", "id": 7, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}', -32700),
        (b'{"id": 7}', -32600),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "nothing/of/the/kind"}', -32601),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {}}', -32602),
        (
            b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": ["x"]}}',
            -32602,
        ),
    ],
)
def test_invalid_message_is_answered_with_an_error(
    server: ForkedProcess, line: bytes, code: int
) -> None:
    assert send_raw(server, line + b"\n")["error"]["code"] == code
    assert_alive(server)


def test_invalid_utf_8_in_an_argument_does_no_harm(server: ForkedProcess) -> None:
    line = (
        json.dumps(call(7, "find", query="QUERY"))
        .encode()
        .replace(b"QUERY", b"\xff\xfe login \xc3")
    )
    assert send_raw(server, line + b"\n")["id"] == 7
    assert_alive(server)


def test_large_argument_is_refused_by_name(server: ForkedProcess) -> None:
    for tool, name in (
        ("find", "query"),
        ("remember", "text"),
        ("decide", "text"),
        ("read", "address"),
    ):
        send(server, call(7, tool, **{name: "x" * LARGE}))
        answer = receive(server)["result"]
        assert answer["isError"]
        assert f"`{name}`" in answer["structuredContent"]["error"]["message"]
        assert len(json.dumps(answer)) < 2_000
    assert_alive(server)


def test_very_long_line_is_refused(server: ForkedProcess) -> None:
    assert server.stdin is not None
    for _ in range(5):
        server.stdin.write(b"x" * LARGE)
    assert send_raw(server, b"\n")["error"]["code"] == -32700
    assert_alive(server)


def test_deep_and_wide_arguments_do_no_harm(server: ForkedProcess) -> None:
    nested: Any = "x"
    for _ in range(150):
        nested = [nested]
    for arguments in (
        {"query": nested},
        {"query": {str(at): at for at in range(10_000)}},
        {"tags": ["x"] * 100_000},
    ):
        send(server, call(7, "find", **arguments))
        answer = receive(server)
        assert "error" in answer or answer["result"]["isError"]
    assert_alive(server)


def test_cancelled_call_is_not_answered(server: ForkedProcess) -> None:
    calls = [call(number, "doctor") for number in range(10, 16)]
    cancelled = [
        {
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": {"requestId": number, "reason": "changed my mind"},
        }
        for number in range(11, 16)
    ]
    # One write, because the server could answer all calls between two of them.
    send(server, *calls, *cancelled, call(99, "read", address="docs/auth.md"))
    seen = []
    while 99 not in seen:
        seen.append(receive(server)["id"])
    assert not set(seen) & set(range(13, 16))
    assert_alive(server)


def test_client_that_disconnects_during_calls_leaves_no_trace(shop: Sandbox) -> None:
    process = start(shop)
    send(process, HELLO, READY)
    receive(process)
    send(
        process,
        *(call(number, "remember", text=f"thing {number}") for number in range(2, 30)),
        call(30, "doctor"),
    )
    assert receive(process)["result"]["structuredContent"]["id"]
    assert process.stdout is not None and process.stdin is not None
    process.stdout.close()
    process.stdin.close()
    assert process.wait(timeout=PATIENCE_SECONDS) == 0
    assert process.stderr is not None
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    answer = shop.answer("memory", "list")["records"]
    assert 1 <= len(answer) <= 28
    assert doctor_findings(shop) == []


def test_killed_server_leaves_a_valid_workspace(shop: Sandbox) -> None:
    process = start(shop)
    send(process, HELLO, READY)
    receive(process)
    send(
        process,
        *(call(number, "remember", text=f"thing {number}") for number in range(2, 30)),
    )
    answered = receive(process)["result"]["structuredContent"]["id"]
    process.kill()
    process.communicate(timeout=PATIENCE_SECONDS)
    assert answered in {
        record["id"] for record in shop.answer("memory", "list")["records"]
    }
    with connect_over_stdio(shop) as client:
        client.ok("scene")
        until(shop.scene.exists, "the lock is free")
