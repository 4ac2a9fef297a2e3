"""A server over HTTP on a loopback address and a free port."""

from __future__ import annotations

import http.client
import json
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
from command_server import ForkedProcess
from mcp_client import connect_over_http, fill_shop, open_shop
from sandbox import Sandbox
from test_mcp_stdio import HELLO

PATIENCE_SECONDS = 30
TOKEN = "a-token-of-thirty-two-characters"
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


class Server(NamedTuple):
    """A running server."""

    process: ForkedProcess
    url: str
    token: str | None

    def post(self, body: bytes, **headers: str) -> http.client.HTTPResponse:
        """Send a request with custom headers."""
        parts = urlsplit(self.url)
        connection = http.client.HTTPConnection(
            parts.hostname or "", parts.port, timeout=PATIENCE_SECONDS
        )
        connection.request(
            "POST",
            parts.path,
            body,
            {**HEADERS, **{k.replace("_", "-"): v for k, v in headers.items()}},
        )
        response = connection.getresponse()
        response.read()
        connection.close()
        return response


@contextmanager
def serving(
    sandbox: Sandbox, *arguments: str, environ: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """Start a server; end it with an interrupt."""
    process = sandbox.start(
        "mcp", "--http", "--json", *arguments, environ=environ or {}
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line, process.communicate(timeout=PATIENCE_SECONDS)
        answer = json.loads(line)
        yield Server(process, answer["url"], answer["token"])
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0, err
    assert b"Traceback" not in err, err


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A workspace with a card and a doc."""
    fill_shop(sandbox)
    return sandbox


@pytest.fixture(scope="module")
def shared_shop(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    """The workspace of the server that tests share."""
    return open_shop(tmp_path_factory)


@pytest.fixture(scope="module")
def server(shared_shop: Sandbox) -> Iterator[Server]:
    """A shared server that every test leaves running."""
    with serving(shared_shop) as made:
        yield made


def initialize_request() -> bytes:
    return json.dumps(HELLO).encode()


def test_clients_of_both_protocol_versions_are_served(
    server: Server, shared_shop: Sandbox
) -> None:
    assert urlsplit(server.url).hostname == "127.0.0.1"
    assert urlsplit(server.url).path == "/mcp"
    assert server.token is None
    for mode, version in (("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28")):
        with connect_over_http(server.url, mode=mode) as client:
            assert client.sdk.protocol_version == version
            assert client.ok("scene").startswith("# Scene: “Fix login")
            shared_shop.write("docs/auth.md", f"# Auth\n\n{mode}\n")
            assert mode in client.ok("read", address="docs/auth.md")
            assert client.fails("read", address="docs/atuh.md")["candidates"] == [
                "docs/auth.md"
            ]
            assert client.fails("find", query="x", limit=0)["code"] == 1010


def test_notifications_are_sent_over_both_kinds_of_streams(
    server: Server, shared_shop: Sandbox
) -> None:
    uri = "cuedeck://doc/docs/auth.md"
    with connect_over_http(server.url, mode="legacy") as client:
        client.ok("scene")
        client.subscribe(uri)
        shared_shop.write("docs/auth.md", "# Auth\n\nagain\n")
        assert client.updated() == uri
    with connect_over_http(server.url, mode="2026-07-28") as client:

        async def listen() -> str:
            async with client.sdk.listen(resource_subscriptions=[uri]) as events:
                shared_shop.write("docs/auth.md", "# Auth\n\nand again\n")
                async for event in events:
                    return str(event.uri)
            return ""

        assert client.do(listen) == uri


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example.org"}, 421),
        ({"Host": "localhost.evil.example.org"}, 421),
        ({"Host": "127.0.0.1:80@evil"}, 421),
        ({"Origin": "http://evil.example.org"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content_Type": "text/plain"}, 400),
        ({"Host": "localhost"}, 200),
        ({"Host": "LOCALHOST:80"}, 200),
        ({"Origin": "http://localhost:{port}"}, 200),
        ({"Origin": "https://localhost:{port}"}, 403),
    ],
)
def test_browser_pages_are_rejected(
    server: Server, headers: Mapping[str, str], status: int
) -> None:
    port = str(urlsplit(server.url).port)
    sent = {name: value.replace("{port}", port) for name, value in headers.items()}
    assert server.post(initialize_request(), **sent).status == status


def test_bodies_that_are_no_message_are_refused(server: Server) -> None:
    for body in (b"", b"no json", b"\xff\xfe", b"[]", b"x" * (17 * 1024 * 1024)):
        assert 400 <= server.post(body).status < 500
    with connect_over_http(server.url) as client:
        assert (
            "`query`" in client.fails("find", query="x" * (10 * 1024 * 1024))["message"]
        )
        client.ok("scene")


def test_disconnected_clients_do_not_block_others(shop: Sandbox) -> None:
    """Each leaves its session open."""
    with (
        serving(shop) as server,
        connect_over_http(server.url, mode="legacy") as client,
    ):
        client.ok("scene")
        for _ in range(100):
            answer = server.post(initialize_request())
            assert (answer.status, bool(answer.getheader("mcp-session-id"))) == (
                200,
                True,
            )
        last = answer.getheader("mcp-session-id") or ""
        ping = b'{"jsonrpc":"2.0","id":5,"method":"ping"}'
        assert server.post(ping, Mcp_Session_Id=last).status == 200
        assert client.ok("scene")


def test_token_of_the_environment_is_required(shop: Sandbox) -> None:
    with serving(shop, environ={"CUEDECK_MCP_TOKEN": TOKEN}) as server:
        assert server.token == "the environment"
        for shown in ("", TOKEN, "Bearer x", f"Basic {TOKEN}"):
            given = {"Authorization": shown} if shown else {}
            refusal = server.post(initialize_request(), **given)
            assert refusal.status == 401
            assert refusal.getheader("WWW-Authenticate") == "Bearer"
        given = {"Authorization": f"Bearer {TOKEN}"}
        assert server.post(initialize_request(), **given).status == 200
        other = Server(server.process, server.url + "/x", None)
        assert other.post(initialize_request(), **given).status == 404
        with open(f"/proc/{server.process.pid}/cmdline", "rb") as line:
            assert TOKEN.encode() not in line.read()


def test_client_with_an_allowed_host_name_needs_the_token(shop: Sandbox) -> None:
    with serving(shop, "--allow-host", "foo.example") as server:
        token = shop.private("mcp-token")
        assert server.token == str(token)
        shown = f"Bearer {token.read_text().strip()}"
        for headers, status in (
            ({"Host": "foo.example"}, 401),
            ({}, 401),  # proxies often name the address
            ({"Host": "foo.example", "Authorization": shown}, 200),
        ):
            assert server.post(initialize_request(), **headers).status == status


def error_of_start(
    sandbox: Sandbox, *arguments: str, **environ: str
) -> tuple[int, bytes]:
    process = sandbox.start("mcp", "--http", *arguments, environ=environ)
    _, err = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode is not None and b"Traceback" not in err
    return process.returncode, err


def test_unusable_address_is_an_error(shop: Sandbox, server: Server) -> None:
    port = str(urlsplit(server.url).port)
    assert error_of_start(shop, "--port", port)[0] == 1
    assert error_of_start(shop, "--host", "no.such.host.invalid")[0] == 2
    assert error_of_start(shop, CUEDECK_MCP_TOKEN="short")[0] == 4


def test_server_ends_while_clients_are_connected(shop: Sandbox) -> None:
    with (
        serving(shop) as server,
        connect_over_http(server.url, mode="legacy") as client,
    ):
        client.ok("scene")
        client.subscribe("cuedeck://scene")
        os.kill(server.process.pid, signal.SIGTERM)
        assert server.process.wait(timeout=PATIENCE_SECONDS) == 0
