"""Sessions are recorded only where this user agreed for this workspace."""

from __future__ import annotations

import json
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from agent_host import HOSTS, SHAPES, SimulatedAgent, transcript_rows
from sandbox import Sandbox, fields

from cuedeck.store.capture_consent import read_answer, write_answer

ANSWER = "Never mention the quagga again."
NOTICE = "cuedeck capture on"


@pytest.fixture
def clone(sandbox: Sandbox) -> Sandbox:
    """A workspace that the user cloned, without an answer to whether it is recorded."""
    clone = Sandbox(sandbox.root.parent / "clone", sandbox.environ)
    clone.card("2a9f1x", "title: Fix login", "status: active")
    clone.activate("2a9f1x")
    clone.write(".cuedeck/config.toml", "[cortex]\ntimeline = true\n")
    clone.write("docs/auth.md", "# Auth\n")
    return clone


def prompt_of(host: str) -> str:
    _, request = json.loads((SHAPES / f"{host}.json").read_text())["prompt"]
    return str(request["prompt"])


def commit_all(clone: Sandbox) -> None:
    clone.git("init")
    clone.git("add", ".")
    clone.git("commit", "-m", "All")


def send_day(agent: SimulatedAgent) -> dict[str, str]:
    """Send every recorded event of a host; return the contexts by event."""
    contexts = {}
    for moment in agent.events():
        words = {}
        if moment == "stop":
            row = json.dumps({"role": "assistant", "content": ANSWER})
            words = {**agent.last_message_fields(ANSWER), "conversation": row}
        if moment == "compacting":
            agent.send(moment)
        else:
            contexts[moment] = agent.send_for_context(moment, **words)
    return contexts


@pytest.mark.parametrize("host", HOSTS)
def test_nothing_is_recorded_without_an_agreement(clone: Sandbox, host: str) -> None:
    agent = SimulatedAgent(clone, host)
    contexts = send_day(agent)
    for tool in ("Read", "Edit"):
        given = {"file_path": str(clone.write("src/quagga.py", "x = 1\n"))}
        agent.send("write", tool_name=tool, tool_input=given)
    told = [text for text in contexts.values() if NOTICE in text]
    assert any("Fix login" in text for text in contexts.values())
    (text,) = told
    assert len([line for line in text.splitlines() if NOTICE in line]) == 1
    for path in clone.root.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        assert ANSWER.encode() not in data, path
        assert prompt_of(host).encode() not in data, path
        if "hooks" in path.parts or "sessions" in path.parts:
            assert b"quagga.py" not in data, path
    written = {
        path.split("/")[1] for path in clone.bytes() if path.startswith(".cuedeck")
    }
    assert written <= {"cards", "active", "config.toml", "SCENE.md"}
    again = agent.send_for_context("start", session_id="other", source="startup")
    assert NOTICE not in again


@pytest.mark.parametrize("host", ["claude", "cursor"])
def test_the_agreement_starts_and_stops_the_recording(
    clone: Sandbox, host: str
) -> None:
    agent = SimulatedAgent(clone, host)
    answer = clone.answer("capture", "on")
    fields(answer, ["schema", "capture", "folder", "recorded"])
    assert (answer["capture"], answer["folder"]) == ("on", str(clone.root))
    send_day(agent)
    stored = b"".join(clone.bytes().values())
    assert ANSWER.encode() in stored
    assert prompt_of(host).encode() in stored
    clone.ok("capture", "off")
    before = clone.bytes()
    agent.send("prompt", prompt="A word about the okapi")
    agent.send("stop", **agent.last_message_fields("The okapi is fine."))
    assert {**clone.bytes(), ".cuedeck/SCENE.md": b""} == {
        **before,
        ".cuedeck/SCENE.md": b"",
    }


def test_words_of_the_time_without_agreement_are_not_read_later(clone: Sandbox) -> None:
    agent = SimulatedAgent(clone, "claude")
    clone.ok("capture", "on")
    folder = clone.root.parent / "transcripts"
    folder.mkdir()
    place = folder / "one.jsonl"
    fields = {"session_id": "one", "transcript_path": str(place)}
    rows: list[str] = []

    def turn(prompt: str, reply: str) -> None:
        agent.send("prompt", prompt=prompt, **fields)
        fresh = {"cwd": str(clone.root), "timestamp": datetime.now(UTC).isoformat()}
        said = (("user", prompt), ("assistant", reply))
        rows.append(transcript_rows(said, **fresh))
        place.write_text("".join(rows))
        agent.send("stop", last_assistant_message=reply, **fields)

    agent.send("start", **fields)
    agent.send("prompt", prompt="Never feed the okapi at night.", **fields)
    clone.ok("capture", "off")
    turn(ANSWER, f"I decided to keep the quagga out. {ANSWER}")
    clone.ok("capture", "on")
    turn("Never rename the okapi table.", "The cause is the index of the okapi.")
    other = {"session_id": "two", "transcript_path": str(folder / "two.jsonl")}
    brief = agent.send_for_context("start", **other)
    assert "Never rename the okapi table." in brief and "quagga" not in brief
    clone.ok("backfill", "claude", "--from", str(folder))
    for path in clone.root.rglob("*"):
        assert not path.is_file() or b"quagga" not in path.read_bytes(), path


def test_off_drops_the_words_in_the_queue(clone: Sandbox) -> None:
    clone.ok("capture", "on")
    agent = SimulatedAgent(clone, "claude")
    agent.send("start")
    agent.send("prompt", prompt="Compare the bridges of Lima")
    pending = clone.place(".cuedeck/sessions/pending")
    assert list(pending.glob("*/*.json"))
    assert clone.answer("capture", "off")["capture"] == "off"
    assert not list(pending.glob("*/*.json"))
    assert b"Lima" not in b"".join(clone.bytes().values())


def test_setup_of_a_host_with_hooks_agrees(clone: Sandbox) -> None:
    assert clone.answer("capture", "status")["capture"] == "unanswered"
    for arguments in (("agents",), ("claude", "--dry-run")):
        clone.run("setup", *arguments)
        assert clone.answer("capture", "status")["capture"] == "unanswered"
    shown = clone.run("setup", "claude").out
    for part in (
        f"capture is on in {clone.root}",
        ".cuedeck/cortex/session/",
        "git does not ignore",
        "`cuedeck capture off` stops it",
    ):
        assert part in shown
    clone.ok("capture", "off")
    assert "capture is off" in clone.run("setup", "claude").out
    assert clone.answer("capture", "status")["capture"] == "off"


def test_init_says_that_nothing_is_recorded(clone: Sandbox) -> None:
    lines = clone.ok("init").out.splitlines()
    (line,) = [line for line in lines if "recorded" in line]
    assert NOTICE in line
    assert "git ignores all of it" in clone.ok("capture", "on").out


def test_worktrees_share_the_answer_of_the_main_worktree(clone: Sandbox) -> None:
    commit_all(clone)
    clone.git("worktree", "add", "../other", "-b", "other")
    clone.git("clone", ".", "../copy")
    other, copy = clone.root.parent / "other", clone.root.parent / "copy"
    clone.ok("capture", "on", cwd=other)
    for place, answer in ((clone.root, "on"), (other, "on"), (copy, "unanswered")):
        shown = clone.answer("capture", "status", cwd=place)
        assert shown["capture"] == answer
    assert clone.answer("capture", "status", cwd=other)["folder"] == str(clone.root)


def test_a_file_that_leads_to_the_repository_of_the_user_is_not_followed(
    clone: Sandbox, tmp_path: Path
) -> None:
    """An archive may contain a `.git` file that names a worktree of the user."""
    commit_all(clone)
    clone.git("worktree", "add", "../other", "-b", "other")
    clone.ok("capture", "on")
    archive = tmp_path / "archive"
    (archive / ".cuedeck").mkdir(parents=True)
    data = (clone.root.parent / "other/.git").read_bytes()
    (archive / ".git").write_bytes(data)
    assert read_answer(str(archive)) == ""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no file modes")
def test_an_answer_that_others_can_write_does_not_count(
    clone: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = str(clone.root)
    write_answer(root, "on")
    (file,) = (tmp_path / "state/cuedeck/capture").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert read_answer(root) == "on"
    file.chmod(0o666)
    assert read_answer(root) == ""


def test_an_answer_counts_for_one_repository(clone: Sandbox) -> None:
    def answer() -> str:
        return str(clone.answer("capture", "status")["capture"])

    clone.git("init")
    clone.ok("capture", "on")
    clone.git("add", ".")
    clone.git("commit", "-m", "All")
    clone.git("remote", "add", "origin", "https://host/x")
    assert answer() == "on"
    clone.ok("capture", "on")
    shutil.rmtree(clone.place(".git"))
    assert answer() == "unanswered"
    clone.git("init")
    assert answer() == "unanswered"


def test_an_answer_outside_of_git_counts_for_the_workspace(clone: Sandbox) -> None:
    clone.ok("capture", "on")
    clone.git("init")
    assert read_answer(str(clone.root)) == "on"
    clone.place(".cuedeck").rename(clone.place("old"))
    shutil.copytree(clone.place("old"), clone.place(".cuedeck"))
    assert read_answer(str(clone.root)) == ""
