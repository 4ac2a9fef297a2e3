"""A server started by a client over stdio: real processes, real pipes."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_server import ForkedProcess
from mcp_client import connect_over_stdio, connect_to_interpreter, fill_shop
from sandbox import Sandbox, until

from cuedeck import __version__

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
PATIENCE_SECONDS = 30


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A workspace with a card and a doc."""
    fill_shop(sandbox)
    return sandbox


def start(
    sandbox: Sandbox,
    *arguments: str,
    seconds: float = 2 * PATIENCE_SECONDS,
    **options: Any,
) -> ForkedProcess:
    """Start a server with pipes and a maximum lifetime."""
    process = sandbox.start("mcp", *arguments, **{"stdin": subprocess.PIPE, **options})
    watchdog = threading.Timer(
        seconds, process.kill
    )  # so that no read waits without end
    watchdog.daemon = True
    watchdog.start()
    return process


@pytest.fixture
def server(shop: Sandbox) -> Iterator[ForkedProcess]:
    """An initialised server."""
    process = start(shop)
    send(process, HELLO)
    answer = receive(process)["result"]
    name = {"name": "cuedeck", "title": "CueDeck", "version": __version__}
    assert answer["serverInfo"] == name
    assert answer["protocolVersion"] == "2025-06-18"
    resources = {"subscribe": True, "listChanged": True}
    assert answer["capabilities"]["resources"] == resources
    send(process, READY)
    yield process
    process.kill()
    process.communicate(timeout=PATIENCE_SECONDS)


def send(process: ForkedProcess, *messages: dict[str, Any]) -> None:
    assert process.stdin is not None
    process.stdin.write(
        b"".join(json.dumps(each).encode() + b"\n" for each in messages)
    )
    process.stdin.flush()


def receive(process: ForkedProcess) -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def call(number: int, tool: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def wait_for_exit(process: ForkedProcess, code: int = 0) -> bytes:
    """Wait for the exit; return the remaining stdout."""
    out, err = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == code, err
    assert b"Traceback" not in err, err
    return out


@pytest.mark.parametrize(
    ("mode", "version"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")]
)
def test_client_can_use_the_server(shop: Sandbox, mode: str, version: str) -> None:
    with connect_to_interpreter(shop.root, shop.environ, mode) as client:
        assert client.sdk.protocol_version == version
        assert client.ok("scene").startswith("# Scene: “Fix login")
        shop.write("docs/auth.md", "# Auth\n\nnew text\n")
        assert "new text" in client.ok("read", address="docs/auth.md")
        assert client.fails("read", address="docs/atuh.md")["candidates"] == [
            "docs/auth.md"
        ]
        assert client.ok("cards", action="create", title="Second")["id"]
        until(
            lambda: shop.scene.exists() and "new text" in shop.scene.read_text(),
            "SCENE.md follows",
        )


def test_every_request_before_the_end_is_answered(shop: Sandbox) -> None:
    reads = (call(number, "read", address="docs/auth.md") for number in range(2, 40))
    requested = [HELLO, READY, *reads, call(40, "remember", text="asked last")]
    data = b"".join(json.dumps(each).encode() + b"\n" for each in requested)
    out, err = start(shop).communicate(data, timeout=PATIENCE_SECONDS)
    answers = {answer["id"]: answer for answer in map(json.loads, out.splitlines())}
    assert sorted(answers) == list(range(1, 41)), err
    assert all("result" in answer for answer in answers.values())
    assert "asked last" in shop.place(".cuedeck/MEMORY.md").read_text()


def test_only_messages_are_on_stdout(shop: Sandbox) -> None:
    early = (
        "import os, sys; print('noise', file=sys.stderr); "
        "import cuedeck.context.search.read_address as r; old = r.read_address; "
        "r.read_address = lambda *a, **k: (print('noise'), os.write(1, b'noise'), old(*a, **k))[2]; "
        "import cuedeck.shells.cli.cli_main as shell; shell.main(); print('never')"
    )
    requested = [HELLO, READY, call(2, "read", address="docs/auth.md")]
    ran = subprocess.run(
        [sys.executable, "-c", early, "mcp"],
        cwd=shop.root,
        env=shop.environ,
        input=b"".join(json.dumps(each).encode() + b"\n" for each in requested),
        capture_output=True,
        timeout=PATIENCE_SECONDS,
    )
    assert [json.loads(line)["id"] for line in ran.stdout.splitlines()] == [1, 2]
    assert ran.stderr.count(b"noise") == 3


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 0), (signal.SIGHUP, 0), (signal.SIGINT, 130)]
)
def test_server_ends_on_request(server: ForkedProcess, number: int, code: int) -> None:
    server.send_signal(number)
    assert server.wait(timeout=PATIENCE_SECONDS) == code


def test_server_ends_although_no_client_reads_its_answers(
    server: ForkedProcess, shop: Sandbox
) -> None:
    shop.write("docs/long.md", "word " * 15_000)
    send(
        server,
        *(call(number, "read", address="docs/long.md") for number in range(2, 12)),
    )
    until(
        lambda: len(os.listdir(f"/proc/{server.pid}/task")) > 2, "it works"
    ) if sys.platform == "linux" else None
    server.terminate()
    assert server.wait(timeout=PATIENCE_SECONDS) == 0


def test_server_ends_with_stdin(server: ForkedProcess) -> None:
    assert wait_for_exit(server) == b""


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that closes descriptors")
@pytest.mark.parametrize("closed", ["2>&-", "0<&- 1>&- 2>&-"])
def test_server_ends_without_an_error_when_standard_streams_are_closed(
    shop: Sandbox, closed: str
) -> None:
    command = shlex.join([sys.executable, "-m", "cuedeck", "mcp"])
    process = subprocess.run(
        ["sh", "-c", f"{command} {closed}"],
        cwd=shop.root,
        env=shop.environ,
        input=json.dumps(HELLO).encode() + b"\n",
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, b"")
    assert process.stdout.startswith(b'{"jsonrpc"') == (closed == "2>&-")


def test_server_ends_when_its_parent_dies(shop: Sandbox, tmp_path: Path) -> None:
    """This process keeps the pipe open, so that only the death of the parent can end
    the server.
    """
    number = tmp_path / "pid"
    read_end, write_end = os.pipe()
    code = (
        "import subprocess, sys, time; "
        "command = [sys.executable, '-m', 'cuedeck', 'mcp']; "
        f"p = subprocess.Popen(command, stdin={read_end}, stdout=subprocess.DEVNULL); "
        f"open({str(number)!r}, 'w').write(str(p.pid)); time.sleep(60)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=shop.root,
        env=shop.environ,
        pass_fds=[read_end],
    )
    try:
        child = int(
            until(
                lambda: number.exists() and number.read_text(), "the server is started"
            )
        )
        until(shop.scene.exists, "it serves")
        parent.kill()
        parent.wait(timeout=PATIENCE_SECONDS)
        until(lambda: not is_alive(child), "it ends")
    finally:
        parent.kill()
        parent.wait(timeout=PATIENCE_SECONDS)
        os.close(read_end)
        os.close(write_end)


def doctor_findings(sandbox: Sandbox) -> list[str]:
    """Return the findings of the doctor, except the missing ignore file."""
    return [
        each["code"]
        for each in sandbox.answer("doctor")["findings"]
        if each["code"] != "not-ignored"
    ]


def is_alive(number: int) -> bool:
    try:
        os.kill(number, 0)
    except OSError:
        return False
    try:
        return (
            Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
            != "Z"
        )
    except OSError:
        return not sys.platform.startswith("linux")


def test_two_servers_share_a_workspace(shop: Sandbox) -> None:
    with connect_over_stdio(shop) as one:
        until(shop.scene.exists, "the first one writes")
        with connect_over_stdio(shop) as other:
            made = {"2a9f1x"}
            for at, word in enumerate(("aaa", "bbb", "ccc")):
                for client in (one, other):
                    card = client.ok("cards", action="create", title=f"Card {at}")
                    made.add(card["id"])
                one.ok("remember", text=f"maple {word}")
                other.ok("remember", text=f"cedar {word}")
            for client in (one, other):
                assert {row["id"] for row in client.ok("cards")["cards"]} == made
                assert client.recall(query="maple cedar", limit=50)["total"] == 6
        shop.write("docs/auth.md", "# Auth\n\nafter the other ended\n")
        ended = "after the other ended"
        until(lambda: ended in shop.scene.read_text(), "SCENE.md follows")
    shop.ok("doctor")


def test_options_of_the_other_transport_are_refused(shop: Sandbox) -> None:
    process = start(shop, "--port", "1", stdin=subprocess.DEVNULL)
    _, err = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 2
    assert b"need --http" in err
