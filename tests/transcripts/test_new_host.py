"""One module defines a host: setup, hooks and removal support it without any other
change.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sandbox import Sandbox

TOY = """
from cuedeck.agents.hosts.base import CERTAIN, UNLIKELY, Event, Hooks, Host, Transcript
from cuedeck.agents.hosts.setup_types import START, Server, Setup


def _respond(event, context):
    return {"quiet": True} if context is None else {"say": context["additionalContext"], "at": context["hookEventName"]}


HOST = Host(
    "toy",
    "Toy",
    Setup(
        instructions="TOY.md",
        next_step="restart toy in {folder}",
        server=Server(".toy/mcp.json", "servers", START),
    ),
    Hooks(
        ".toy/hooks.json",
        "flat",
        (
            Event("begin", "session-start", 10),
            Event("ask", "prompt", 5, context=True),
            Event("touched", "post-tool", 5),
            Event("done", "stop", 5),
        ),
        _respond,
        recognise=lambda request: CERTAIN if "toySession" in request else UNLIKELY,
        keys={"session": ("toySession",), "name": ("toyEvent",), "prompt": ("question",)},
        writes=("scribble",),
        transcript=Transcript(agent=("toy",), containers=("box",), folders=("~/toys",)),
    ),
)
"""
RUN = (
    "import sys, cuedeck.agents.hosts\n"
    "cuedeck.agents.hosts.__path__.append(sys.argv.pop(1))\n"
    "from cuedeck.__main__ import main\n"
    "from cuedeck.shells.hook import hook_main\n"
    "hook_main._SECONDS = 60.0\n"
    "main()\n"
)


class ToyHost:
    """The command line of a CueDeck with one more host module."""

    def __init__(self, sandbox: Sandbox, folder: Path) -> None:
        self.sandbox = sandbox
        self._folder = folder
        folder.mkdir()
        (folder / "toy.py").write_text(TOY)

    def run(self, *arguments: str, options: dict[str, Any] | None = None) -> Any:
        """Return the parsed JSON output of a command."""
        # `setup` reports a `cuedeck` that hosts would not find on PATH.
        folders = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        ran = subprocess.run(
            [sys.executable, "-c", RUN, str(self._folder), *arguments],
            cwd=self.sandbox.root,
            env={**self.sandbox.environ, "PATH": folders},
            input=json.dumps(options or {}).encode(),
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, b""), ran
        return json.loads(ran.stdout)


@pytest.fixture
def toy(sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> ToyHost:
    return ToyHost(sandbox, tmp_path_factory.mktemp("toy") / "hosts")


def test_setup_connects_a_new_host_and_removes_it(toy: ToyHost) -> None:
    before = sorted(path.name for path in toy.sandbox.root.iterdir())
    answer = toy.run("setup", "toy", "--json")
    assert {each["path"]: each["state"] for each in answer["files"]} == {
        ".toy/hooks.json": "created", "TOY.md": "created",
    }  # fmt: skip
    hooks = json.loads(toy.sandbox.place(".toy/hooks.json").read_text())["hooks"]
    command = "cuedeck hook prompt --host toy"
    guarded = f"command -v cuedeck >/dev/null 2>&1 && {command} || true"
    assert hooks["ask"] == [{"type": "command", "command": guarded, "timeout": 5}]
    assert toy.run("setup", "toy", "--check", "--json")["healthy"]
    toy.run("setup", "toy", "--remove", "--json")
    toy.run("setup", "toy", "--local", "--json")
    assert toy.sandbox.place(".toy/mcp.json").exists()
    assert command in toy.sandbox.place(".toy/hooks.json").read_text()
    toy.run("setup", "toy", "--remove", "--json")
    assert sorted(path.name for path in toy.sandbox.root.iterdir()) == before


@pytest.mark.parametrize("named", [("--host", "toy"), ()])
def test_hooks_read_requests_of_a_new_host_and_answer_it(
    toy: ToyHost, named: tuple[str, ...]
) -> None:
    toy.sandbox.write(
        ".cuedeck/cards/a.md", "---\ntitle: Turn the wheel\nstatus: active\n---\n"
    )
    toy.sandbox.write("src/a.py", "x = 1\n")
    request = {"toySession": "s1", "cwd": str(toy.sandbox.root)}
    assert toy.run(
        "hook", "session-start", *named, options={**request, "toyEvent": "begin"}
    ) == {"quiet": True}
    question = "<toy_hooks>old text</toy_hooks>Which way does the wheel turn?"
    answer = toy.run(
        "hook",
        "prompt",
        *named,
        options={**request, "toyEvent": "ask", "question": question},
    )
    assert answer["at"] == "ask" and "Turn the wheel" in answer["say"]
    tool = {
        **request,
        "toyEvent": "touched",
        "tool_name": "Scribble",
        "tool_input": {"path": "src/a.py"},
    }
    assert toy.run("hook", "post-tool", *named, options=tool) == {"quiet": True}
    rows = [
        {"box": {"role": "user", "text": "Go"}},
        {"box": {"role": "toy", "text": "The wheel turns left now."}},
    ]
    transcript = Path(toy.sandbox.environ["HOME"]) / "toys/talk.jsonl"
    transcript.parent.mkdir(exist_ok=True)
    transcript.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    toy.run(
        "hook",
        "stop",
        *named,
        options={**request, "toyEvent": "done", "transcript_path": str(transcript)},
    )
    memory = toy.sandbox.place(".cuedeck/MEMORY.md").read_text()
    assert "The wheel turns left now." in memory and '"sourceChannel":"toy"' in memory
    sessions = toy.sandbox.place(".cuedeck/sessions").glob("*.json")
    assert any("src/a.py" in session.read_text() for session in sessions)
