"""Commands on timelines, killed at any of their writes and run again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from crash_process import CrashPlan
from crash_runner import KILLED, NO_CRASH, CrashRunner, crash_points, sample_points
from sandbox import CommandOutcome
from workspace_copy import WorkspaceCopy

from cuedeck.knowledge.cortex.message_file import Message, parse_message

pytestmark = pytest.mark.slow

TIME = "2026-11-22T09:15:00Z"
MOST_LATER = 12
"""Sampled crash points after the first layer."""
SESSION = ".cuedeck/cortex/session/default"
STATEMENTS = (
    "I prefer vim as my editor. Ana is our designer.",
    "I prefer emacs as my editor.",
    "Problem: the page is blank\nSolution: clear the cookie",
)


@pytest.fixture(scope="module")
def template(
    tmp_path_factory: pytest.TempPathFactory, crash_runner: CrashRunner
) -> Path:
    """A workspace with three messages of two commits, the second not yet made."""
    root = tmp_path_factory.mktemp("timeline").resolve() / "before"
    root.mkdir()
    crash_runner.ok(root, ["init"], add(STATEMENTS[0]), ["cortex", "commit"])
    crash_runner.ok(root, *map(add, STATEMENTS[1:]))
    return root


def add(text: str) -> list[str]:
    return ["cortex", "add", "--json", "--time", TIME, text]


def tree(root: Path) -> dict[str, bytes]:
    """Return the files of the cortex tree, without the temporary files of killed
    processes, which the doctor removes.
    """
    top = root / ".cuedeck/cortex"
    places = [place for place in sorted(top.rglob("*")) if place.is_file()]
    files = [place for place in places if place.suffix != ".tmp"]
    return {place.relative_to(top).as_posix(): place.read_bytes() for place in files}


def messages(root: Path) -> list[Message]:
    files = sorted((root / SESSION / "timeline").rglob("[0-9]*.md"))
    return sorted((parse_message(file.read_text()) for file in files), key=_seq)


def _seq(message: Message) -> int:
    return message.seq


def crash_plans(
    workspace: WorkspaceCopy, runner: CrashRunner, command: list[str]
) -> list[CrashPlan]:
    result = runner.run(workspace.restore(), command, plan=NO_CRASH)
    assert result.ran[0].code == 0, result
    plans = crash_points(result.writes)
    assert len(plans) > 5
    return plans


def commit_plans(
    workspace: WorkspaceCopy, runner: CrashRunner, command: list[str]
) -> list[CrashPlan]:
    """Return every crash point before the first layer is written and a sample of the
    later ones; `test_layers_crash.py` kills builds of layers.
    """
    result = runner.run(workspace.restore(), command, plan=NO_CRASH)
    assert result.ran[0].code == 0, result
    first = next(
        number
        for number, write in enumerate(result.writes, 1)
        if "abstract.md" in write.place or "overview.md" in write.place
    )
    plans = crash_points(result.writes)
    before = [plan for plan in plans if plan.at < first]
    later = [plan for plan in plans if plan.at >= first]
    assert len(before) > 10
    assert len(later) > MOST_LATER
    return before + sample_points(later, result.writes, MOST_LATER)


def check_doctor(ran: CommandOutcome) -> None:
    findings = json.loads(ran.out)["findings"]
    assert {each["code"] for each in findings if each["level"] == "error"} == set()


def test_a_commit_repeated_after_a_crash_writes_the_same_bytes(
    template: Path, crash_runner: CrashRunner, shared_runner: CrashRunner
) -> None:
    command = ["cortex", "commit"]
    workspace = WorkspaceCopy(template, template.with_name("work"))
    root = workspace.restore()
    shared_runner.ok(root, command)
    wanted = tree(root)
    assert wanted != tree(template)
    for plan in commit_plans(workspace, crash_runner, command):
        workspace.restore()
        assert crash_runner.run(root, command, plan=plan).signal == KILLED
        shared_runner.ok(root, command)
        assert tree(root) == wanted, plan
    shared_runner.ok(root, command)
    assert tree(root) == wanted


@pytest.mark.parametrize("is_new", [False, True])
def test_a_message_is_written_whole_or_not_at_all(
    template: Path, crash_runner: CrashRunner, shared_runner: CrashRunner, is_new: bool
) -> None:
    start = template
    if is_new:
        start = WorkspaceCopy(template, template.with_name("new")).restore()
        shutil.rmtree(start / ".cuedeck/cortex")
    workspace = WorkspaceCopy(start, template.with_name("work"))
    known = [message.content for message in messages(start)]
    for plan in crash_plans(workspace, crash_runner, add("the last")):
        root = workspace.restore()
        assert crash_runner.run(root, add("the last"), plan=plan).signal == KILLED
        after_crash = [message.content for message in messages(root)]
        assert after_crash in (known, [*known, "the last"]), plan
        ran = shared_runner.run(
            root, add("one more"), ["doctor", "--json"], ["cortex", "commit"]
        ).ran
        assert ran[0].code == 0, plan
        check_doctor(ran[1])
        found = messages(root)
        assert [message.content for message in found] == [*after_crash, "one more"]
        assert [message.seq for message in found] == list(range(1, len(found) + 1))
        metadata = json.loads((root / SESSION / ".session.json").read_text())
        assert metadata["message_count"] == metadata["last_seq"] == len(found)
        assert metadata["uncommitted_days"] == []


def test_a_change_of_the_status_can_be_repeated_after_a_crash(
    template: Path, crash_runner: CrashRunner, shared_runner: CrashRunner
) -> None:
    workspace = WorkspaceCopy(template, template.with_name("work"))
    for command, status in (
        (["cortex", "close"], "closed"),
        (["session", "archive", "default"], "archived"),
    ):
        for plan in crash_plans(workspace, crash_runner, command):
            root = workspace.restore()
            assert crash_runner.run(root, command, plan=plan).signal == KILLED
            shared_runner.ok(root, command)
            metadata = json.loads((root / SESSION / ".session.json").read_text())
            assert metadata["status"] == status
            assert messages(root) == messages(template)
