"""A hook answers in time even if its work blocks the interpreter, and its event is not
lost.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from sandbox import SOURCE, Sandbox

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="on Windows a thread watches, which a C call blocks"
)

BLOCK = "sum(itertools.repeat(0))"
"""A call into C that never returns, holds the GIL and looks for no signal."""
STOP = {
    "session_id": "a",
    "hook_event_name": "Stop",
    "last_assistant_message": "Fixed the token page.",
}


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", "title: Tokens", "status: active")
    sandbox.activate("aaaaaa")
    return sandbox


def run_script(
    sandbox: Sandbox, script: str, request: Any = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a script in its own process."""
    environ = {**sandbox.environ, "PYTHONPATH": str(SOURCE)}
    data = json.dumps(request or {}).encode()
    command = [sys.executable, "-c", f"import itertools, os, re, signal, sys\n{script}"]
    return subprocess.run(
        command,
        cwd=sandbox.root,
        env=environ,
        input=data,
        capture_output=True,
        timeout=60,
        check=False,
    )


def parse_answer(ran: subprocess.CompletedProcess[bytes]) -> Any:
    assert ran.returncode == 0 and ran.stdout.count(b"\n") == 1, ran
    return json.loads(ran.stdout)


@pytest.mark.parametrize("work", [BLOCK, "sys.stdin.read()"])
def test_call_that_never_returns_ends_with_the_empty_answer(
    sandbox: Sandbox, work: str
) -> None:
    """The watchdog used to be a thread, which a C call that holds the GIL blocks."""
    script = f"""
from cuedeck.shells.hook.responder import Responder
responder = Responder('{{"continue": true}}', 0.5)
def check():
    try:
        os.kill(responder._child, 0)
    except ProcessLookupError:
        print("the child is gone", file=sys.stderr)
responder.on_deadline = check
responder.give(responder.work(lambda: str({work}) and os.read(os.pipe()[0], 1)))
"""
    ran = run_script(sandbox, script)
    assert parse_answer(ran) == {"continue": True}
    assert b"no answer in time" in ran.stderr and b"the child is gone" in ran.stderr


def test_answer_is_printed_once_without_the_output_of_libraries(
    sandbox: Sandbox,
) -> None:
    script = """
from cuedeck.shells.hook.responder import Responder
def work():
    print("of some library", flush=True)
    return '{"text": "' + "\\u00e4" * 70000 + '"}'
responder = Responder("{}", 60)
responder.give(responder.work(work))
"""
    ran = run_script(sandbox, script)
    assert parse_answer(ran) == {"text": "ä" * 70_000} and ran.stderr == b""


def test_deadline_after_the_answer_changes_nothing(sandbox: Sandbox) -> None:
    """During interpreter shutdown the signal handlers are gone: the timer used to end
    the process with another exit code.
    """
    script = """
from cuedeck.shells.hook.responder import Responder
class Late:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGALRM)
responder = Responder("{}", 60)
responder.give('{"given": true}')
sys.modules["late"] = Late()
"""
    assert parse_answer(run_script(sandbox, script)) == {"given": True}


def test_crashed_child_leaves_the_empty_answer_and_its_event(shop: Sandbox) -> None:
    script = """
import cuedeck.shells.hook.hook_main as entry
entry._run = lambda *given: os.kill(os.getpid(), signal.SIGSEGV)
sys.exit(entry.main(["stop", "--host", "claude"]))
"""
    ran = run_script(shop, script, STOP)
    assert parse_answer(ran) == {"continue": True, "suppressOutput": True}
    assert (
        b"ChildProcessError: the process that handles the event ended with -11"
        in ran.stderr
    )
    assert (
        "ended with -11; the agent continued without an answer; the event is queued"
        in log(shop)
    )
    assert pending(shop) == 1


def test_event_that_missed_its_deadline_is_processed_by_the_next_hook(
    shop: Sandbox,
) -> None:
    script = f"""
import cuedeck.shells.hook.hook_main as entry
entry._SECONDS = 3
entry._run = lambda *given: {BLOCK}
sys.exit(entry.main(["stop", "--host", "claude"]))
"""
    ran = run_script(shop, script, STOP)
    assert parse_answer(ran) == {"continue": True, "suppressOutput": True}
    assert pending(shop) == 1 and "no answer in time" in log(shop)
    shop.ok("session", "status")
    assert pending(shop) == 0
    assert (
        shop.place(".cuedeck/MEMORY.md").read_text().count("Fixed the token page.") == 1
    )


@pytest.mark.parametrize("event", ["session-start", "prompt"])
def test_hook_that_missed_its_deadline_prepares_the_next_brief(
    shop: Sandbox, event: str
) -> None:
    script = f"""
import cuedeck.shells.hook.hook_main as entry
import cuedeck.store.files.background_process as background
entry._SECONDS = 1.0
entry._run = lambda *given: {BLOCK}
os.environ.pop(background.FORBIDDEN, None)
background._launch = lambda workspace, arguments: print(*arguments, file=sys.stderr)
sys.exit(entry.main(["{event}", "--host", "claude"]))
"""
    ran = run_script(shop, script, {"session_id": "a", "prompt": "Go on"})
    assert parse_answer(ran) == {"continue": True, "suppressOutput": True}
    assert b"memory tick --brief" in ran.stderr
    shop.ok("memory", "tick", "--brief")
    assert "# Scene: “Tokens”" in shop.place(".cuedeck/SCENE.md").read_text()


def log(sandbox: Sandbox) -> str:
    return sandbox.place(".cuedeck/cache/log.jsonl").read_text()


def pending(sandbox: Sandbox) -> int:
    return len(list(sandbox.place(".cuedeck/sessions/pending").glob("*/*.json")))
