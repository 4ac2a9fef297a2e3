"""Any request and any local problem: exit code 0, one JSON object, and the host
continues.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from agent_host import HOSTS, SimulatedAgent, recorded_request
from sandbox import SOURCE, Sandbox

from cuedeck.model.hook_event import EVENTS
from cuedeck.shells.hook.hook_main import _masked as masked

EMPTY: dict[str, Any] = {
    "claude": {"continue": True, "suppressOutput": True},
    "codex": {},
    "gemini": {},
    "cursor": {"continue": True},
    "vscode": {"continue": True},
    "qwen": {"continue": True, "suppressOutput": True},
}
MALFORMED = (
    b"", b" ", b"{", b"[]", b"null", b"7", b'"text"', b"\xff\xfe{\x00}", b"[" * 200_000, b'{"a":' * 200_000,
    b'{"cwd": ["/"], "session_id": {"a": 1}, "prompt": 7, "tool_input": "{", "tool_name": 3}',
    b'{"cwd": "/nowhere/\\u0000", "session_id": "\\ud800/../../x"}',
    b'{"cwd": "", "transcript_path": "/dev/zero", "stop_hook_active": "yes"}',
    b'{"prompt": "' + b"x" * 9_000_000 + b'"}',
)  # fmt: skip


def parse_answer(data: bytes) -> Any:
    """Return the answer as a host parses it; None for no output."""
    return json.loads(data) if data else None


def empty_answer(host: str, event: str) -> Any:
    if (host, event) == ("claude", "pre-compact"):
        return None
    return EMPTY[host]


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", "title: Tokens", "status: active", body="- [ ] one")
    sandbox.activate("aaaaaa")
    return sandbox


def log(sandbox: Sandbox) -> str:
    place = sandbox.place(".cuedeck/cache/log.jsonl")
    return place.read_text() if place.exists() else ""


def test_too_large_event_is_logged(shop: Sandbox) -> None:
    message = {
        "session_id": "a",
        "cwd": str(shop.root),
        "last_assistant_message": "x" * 30_000_000,
    }
    ran = SimulatedAgent(shop, "claude").hook(
        "stop", json.dumps(message).encode(), "-C", str(shop.root)
    )
    assert (ran.code, parse_answer(ran.out)) == (0, empty_answer("claude", "stop"))
    reason = "the event is larger than 8,000,000 bytes and is not processed"
    assert ran.err == f"cuedeck hook stop: {reason}\n".encode()
    assert reason in log(shop) and "no JSON object" not in log(shop)


@pytest.mark.parametrize("event", EVENTS)
def test_no_request_of_a_host_makes_a_hook_fail(shop: Sandbox, event: str) -> None:
    agent = SimulatedAgent(shop, "claude")
    for data in MALFORMED if event == "stop" else MALFORMED[2:13:3]:
        ran = agent.hook(event, data, "-C", str(shop.root))
        assert ran.code == 0, data[:60]
        # Claude Code reads plain text before a compaction.
        assert event == "pre-compact" or isinstance(json.loads(ran.out), dict)


@pytest.mark.parametrize("host", HOSTS)
def test_every_event_outside_a_workspace_gets_the_empty_answer(
    shop: Sandbox, host: str
) -> None:
    agent = SimulatedAgent(shop, host)
    outside = shop.root.parent / "outside"
    outside.mkdir()
    for moment in agent.events():
        event, message = recorded_request(host, moment, outside)
        ran = agent.hook(event, json.dumps(message).encode(), "--host", host)
        assert (ran.code, parse_answer(ran.out)) == (0, empty_answer(host, event))


def test_unknown_event_or_host_is_ignored(shop: Sandbox) -> None:
    agent = SimulatedAgent(shop, "claude")
    message = json.dumps({"cwd": str(shop.root), "session_id": "a"}).encode()
    for arguments, fault in (
        (("no-such-event",), b"unknown event"),
        (("no-such-event", "--host", "emacs"), b"unknown event"),
        (("--host",), b""),
        (("",), b"the event is missing"),
    ):
        ran = agent.hook(arguments[0], message, *arguments[1:])
        assert (ran.code, json.loads(ran.out)) == (0, EMPTY["claude"])
        assert fault in ran.err
    events = b"; the events are session-start, subagent-start,"
    assert ran.err.startswith(b"cuedeck hook: the event is missing" + events)
    assert "no JSON object" not in log(shop)  # the request is one
    assert '"hook": "no-such-event"' in log(shop) and "unknown event" in log(shop)


def test_secret_in_an_argument_is_not_printed(sandbox: Sandbox) -> None:
    """Only the built-in formats used to be searched, and a secret format of the
    settings was printed.
    """
    patterns = "[secrets]\npatterns = ['customer: ACME-[0-9]+']\n"
    sandbox.write(".cuedeck/config.toml", patterns)
    agent, root = SimulatedAgent(sandbox, "claude"), str(sandbox.root)
    for secret in ("AKIA" + "QYLPMN5HHHFPZAM2", "ACME-42"):
        for message in (b"", b"{}"):
            ran = agent.hook(secret, message, "-C", root)
            assert ran.code == 0 and ran.err.startswith(b"cuedeck hook: ")
            assert secret.encode() not in ran.err + ran.out
        assert secret not in log(sandbox)
    assert masked("nothing at ACME-42", root) == "nothing at <secret:customer:1>"


def test_local_problem_is_logged_and_not_sent_to_the_agent(shop: Sandbox) -> None:
    agent = SimulatedAgent(shop, "claude")
    shop.write(".cuedeck/config.toml", "[scene]\nbudget = 'much'\n")
    ran = agent.hook(
        "session-start",
        json.dumps(recorded_request("claude", "start", shop.root)[1]).encode(),
    )
    assert (ran.code, json.loads(ran.out)) == (0, EMPTY["claude"])
    assert (
        b"ConfigurationError; .cuedeck/cache/log.jsonl has it" in ran.err
        and b"Traceback" not in ran.err
    )
    assert '"hook": "session-start"' in log(shop) and "budget" in log(shop)


def list_files(sandbox: Sandbox) -> dict[str, bytes]:
    """Return all files; the backup of a session may equal the session."""
    return {
        path: data for path, data in sandbox.bytes().items() if ".backup." not in path
    }


def test_session_start_gives_the_brief_on_a_full_disk(shop: Sandbox) -> None:
    SimulatedAgent(shop, "claude").send("start")
    before = list_files(shop)
    message = json.dumps(
        recorded_request("claude", "start", shop.root, session_id="another")[1]
    ).encode()
    script = (
        "import resource, sys; from cuedeck.shells.hook import hook_main;"
        "hook_main._SECONDS = 60.0; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0));"
        "sys.exit(hook_main.main(['session-start', '--host', 'claude']))"
    )
    ran = subprocess.run(
        [sys.executable, "-B", "-c", script],
        cwd=shop.root,
        env=shop.environ,
        input=message,
        capture_output=True,
    )
    assert ran.returncode == 0 and ran.stderr.startswith(
        b"cuedeck hook session-start: StorageError"
    )
    # The message used to refer to the log.
    assert b"log.jsonl cannot be written" in ran.stderr
    received = json.loads(ran.stdout)["hookSpecificOutput"]["additionalContext"]
    assert "## Task\n\n“Tokens”." in received and "- [ ] one\n" in received
    assert list_files(shop) == before


def test_broken_state_is_replaced(shop: Sandbox) -> None:
    agent = SimulatedAgent(shop, "claude")
    agent.send("start")
    (place,) = shop.private("hooks").iterdir()
    for broken in ("", "{", "[]", '{"schema": 2}', '{"schema": 1}', "[" * 9_999):
        place.write_text(broken)
        assert "“Tokens”." in agent.send_for_context("prompt")
        assert agent.send_for_context("prompt") == ""
    place.unlink()
    place.mkdir()
    assert agent.send("prompt") == EMPTY["claude"]


def test_locked_session_delays_the_answer_but_keeps_the_brief(shop: Sandbox) -> None:
    agent = SimulatedAgent(shop, "claude")
    agent.send("start")
    holder = (
        "import fcntl, sys; f = open(sys.argv[1]); fcntl.flock(f, fcntl.LOCK_EX);"
        " print(flush=True); sys.stdin.read()"
    )
    command = [
        sys.executable,
        "-c",
        holder,
        str(shop.place(".cuedeck/cache/sessions.lock")),
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stdout.readline()
        assert "“Tokens”." in agent.send_for_context("compacted")
        process.kill()
    assert "another process holds the lock of sessions" in log(shop)


def test_hook_answers_in_time_although_stdin_stays_open(sandbox: Sandbox) -> None:
    script = (
        "import sys; from cuedeck.shells.hook.responder import Responder; r = Responder('{\"continue\": true}', 0.05);"
        "r.on_deadline = lambda: open('late', 'w').close(); sys.stdin.read()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], env={**sandbox.environ, "PYTHONPATH": str(SOURCE)}, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=sandbox.root,
    )  # fmt: skip
    assert process.wait(timeout=20) == 0
    out, err = process.communicate()
    assert (json.loads(out), b"no answer in time" in err) == ({"continue": True}, True)
    assert sandbox.place("late").exists()
