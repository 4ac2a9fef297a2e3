"""Connections that send nothing, or too slowly, are closed."""

from __future__ import annotations

import asyncio
import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn

from cuedeck.shells.mcp.http_middleware import BodyDeadline, HeadDeadline

PATIENCE_SECONDS = 30
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


class ShortDeadline(HeadDeadline):
    seconds = 0.05


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the last message of the request."""
    message = await receive()
    while message.get("more_body"):
        message = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": message["type"].encode()})


@contextmanager
def serving(**options: Any) -> Iterator[tuple[str, int]]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(
            uvicorn.Config(
                BodyDeadline(echo, 0.05), lifespan="off", log_config=None, **options
            )
        )
        thread = threading.Thread(
            target=lambda: asyncio.run(server.serve(sockets=[listening]))
        )
        thread.start()
        try:
            yield listening.getsockname()
        finally:
            server.should_exit = True
            thread.join(PATIENCE_SECONDS)


def until_closed(client: socket.socket) -> bytes:
    found = b""
    while data := client.recv(4_096):
        found += data
    return found


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost:", GET + b"GET / HT"])
def test_a_head_that_does_not_arrive_ends_the_connection(sent: bytes) -> None:
    with (
        serving(http=ShortDeadline, timeout_keep_alive=1) as place,
        socket.create_connection(place, PATIENCE_SECONDS) as client,
    ):
        client.sendall(sent)
        assert until_closed(client).startswith(
            b"HTTP/1.1 200" if sent.startswith(GET) else b""
        )


def test_a_body_that_does_not_arrive_ends_the_request() -> None:
    with (
        serving(http=HeadDeadline) as place,
        socket.create_connection(place, PATIENCE_SECONDS) as client,
    ):
        client.sendall(
            b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 9\r\n\r\nfour"
        )
        assert b"http.disconnect" in until_closed(client)


def test_requests_one_after_the_other_keep_the_connection() -> None:
    with serving(http=HeadDeadline) as place:
        client = http.client.HTTPConnection(*place, timeout=PATIENCE_SECONDS)
        for _ in range(3):
            client.request("GET", "/")
            connection = client.sock
            assert client.getresponse().read() == b"http.request"
            assert client.sock is connection
        client.close()
