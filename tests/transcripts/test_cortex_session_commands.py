"""The commands on timelines: their output, errors and exit codes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from crash_runner import KILLED, NO_CRASH, CrashRunner, crash_points
from foreign_memory import contents, plant_clawcode, plant_cortex, plant_cursorclaw
from sandbox import Sandbox, fields
from workspace_copy import WorkspaceCopy

TIME = ("--time", "2026-11-22T09:15:00Z")
DAY = "cortex://session/default/timeline/2026-11/22"


def test_a_day_of_a_session(sandbox: Sandbox) -> None:
    added = sandbox.ok("cortex", "add", *TIME, "I prefer vim as my editor.")
    assert re.fullmatch(rf"{DAY}/09_15_00_[0-9a-f]{{8}}\.md\n", added.out)
    sandbox.ok(
        "cortex", "add", *TIME, "--role", "assistant", "We decided to use SQLite."
    )
    sandbox.ok("cortex", "add", *TIME, "-", text="Problem: the page is blank\n")
    committed = sandbox.ok("cortex", "commit").out.splitlines()
    assert committed[:3] == [
        "session default: 3 new messages, committed up to 3",
        "made     cortex://user/default/events/sqlite.md",
        "made     cortex://user/default/preferences/editor.md",
    ]
    assert re.fullmatch(r"built    \d+ layers", committed[3])
    again = sandbox.ok("cortex", "commit").out
    assert again == "session default: 0 new messages, committed up to 3\n"
    assert sandbox.ok("cortex", "close").out == "session default: closed, 3 messages\n"
    opened = sandbox.ok("cortex", "open", "--title", "Editors", "--tag", "tools")
    assert opened.out == "session default: active, 3 messages\n"
    archived = sandbox.ok("session", "archive", "default")
    assert archived.out == "session default: archived\n"
    refused = sandbox.run("cortex", "add", "more")
    assert (refused.code, refused.out) == (1, "")
    assert "hint: `cuedeck cortex open default` makes it active again" in refused.err


def test_answers_in_json(sandbox: Sandbox) -> None:
    added = sandbox.answer("cortex", "add", *TIME, "I prefer vim as my editor.")
    fields(added, ("schema", "address", "path", "session", "id", "seq"))
    assert sandbox.place(added["path"]).is_file()
    committed = sandbox.answer("cortex", "commit")
    fields(
        committed,
        "schema session address status seq messages statements made updated reused"
        " layers left_out user_id agent_id",
    )
    assert committed["made"] == [
        {
            "address": "cortex://user/default/preferences/editor.md",
            "kind": "preference",
            "key": "editor",
            "title": "editor",
        }
    ]
    metadata = json.loads(
        sandbox.place(".cuedeck/cortex/session/default/.session.json").read_text()
    )
    for answer in (
        sandbox.answer("cortex", "open"),
        sandbox.answer("cortex", "close"),
        sandbox.answer("session", "archive", "default"),
    ):
        assert answer["created_at"] == metadata["created_at"]
        assert answer["participants"] == ["user/default"]


def test_mistakes_are_explained(sandbox: Sandbox) -> None:
    missing = sandbox.answer("cortex", "commit", "nobody", code=1)["error"]
    assert missing["code"] == 1001
    assert (
        missing["hint"]
        == "`cuedeck cortex open nobody` creates it, `cuedeck session list` lists all"
    )
    too_long = sandbox.run("cortex", "add", "-", text="x" * 1_000_001)
    assert too_long.code == 1
    assert "a message has at most 1,000,000 bytes, got 1,000,001" in too_long.err
    assert "hint: put the text in a file" in too_long.err
    assert sandbox.run("cortex", "add", "--role", "boss", "x").code == 1
    assert sandbox.run("cortex", "add", "--time", "noon", "x").code == 1
    assert sandbox.run("cortex", "add").code == 2
    assert sandbox.run("session", "archive").code == 2
    assert not sandbox.place(".cuedeck/cortex").exists()


def test_the_abstract_of_a_memory_has_only_what_holds(sandbox: Sandbox) -> None:
    """The abstract of a preference, and those of the folders above it, showed the
    superseded statement, too.
    """
    for editor in ("vim", "emacs"):
        sandbox.ok("cortex", "add", f"I prefer {editor} as my editor")
        sandbox.ok("cortex", "commit")
    for address in [
        "cortex://user/default/preferences/editor.md",
        "cortex://user/default/preferences",
        "cortex://user",
    ]:
        shown = sandbox.ok("cortex", "abstract", address).out
        assert "I prefer emacs as my editor" in shown
        assert "vim" not in shown and "Superseded" not in shown
    text = sandbox.ok("cortex", "read", "cortex://user/default/preferences/editor.md")
    assert "I prefer vim as my editor" in text.out


def test_sessions_and_timelines_are_one_list(sandbox: Sandbox) -> None:
    """`session list` and `cortex sessions` were two lists without a common row."""
    sandbox.ok("session", "start", "fix-login")
    sandbox.ok("cortex", "add", "--session", "fix-login", "Look at the token")
    sandbox.ok("cortex", "add", "--session", "review", "Looks good")
    answer = sandbox.answer("session", "list")
    assert sandbox.answer("cortex", "sessions") == answer
    rows = {each["session"]: each for each in answer["sessions"]}
    assert set(rows) == {"fix-login", "review"}
    work, review = rows["fix-login"], rows["review"]
    assert set(work) == set(review)
    assert (work["open"], work["status"], work["message_count"]) == (True, "open", 1)
    assert (review["open"], review["status"]) == (False, "active")
    assert review["address"] == "cortex://session/review"
    assert review["created"] == review["created_at"]
    shown = sandbox.ok("session", "list").out
    assert "turns  timeline" in shown and "review" in shown


def test_the_dry_run_and_the_receipt_have_the_same_table(
    sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory
) -> None:
    source = plant_cortex(tmp_path_factory.mktemp("foreign"))
    plan = sandbox.ok("cortex", "import", "--dry-run", str(source)).out
    done = sandbox.ok("cortex", "import", str(source)).out
    again = sandbox.ok("cortex", "import", str(source)).out
    table = plan.partition("\n\n")[0]
    assert table == done.partition("\n\n")[0]
    assert table.startswith("ACTION    SOURCE")
    assert "Nothing was written: this was a dry run." in plan
    assert "cortex: 9 new, 0 same, 0 merged, 0 refused, 2 left out" in plan
    assert "next: cuedeck layers build\nnext: cuedeck cortex commit s1\n" in done
    assert "cortex: 0 new, 5 same, 0 merged, 0 refused, 6 left out" in again
    assert "next:" not in again
    answer = sandbox.answer("cortex", "import", str(source), "--json")
    assert answer["counts"]["same"] == 5
    assert set(answer["rows"][0]) == {"source", "target", "action", "reason"}


@pytest.mark.slow
@pytest.mark.parametrize("plant", [plant_cortex, plant_cursorclaw, plant_clawcode])
def test_an_import_completes_a_killed_one(
    crash_runner: CrashRunner,
    shared_runner: CrashRunner,
    tmp_path_factory: pytest.TempPathFactory,
    plant: Callable[[Path], Path],
) -> None:
    top = tmp_path_factory.mktemp("crash").resolve()
    source = plant(top / "foreign")
    template = top / "before"
    template.mkdir()
    shared_runner.ok(template, ["init"], ["cortex", "add", "--session", "s1", "one"])
    command = ["cortex", "import", str(source)]
    workspace = WorkspaceCopy(template, top / "work")
    root = workspace.restore()
    shared_runner.ok(root, command)
    wanted = _kept(root)
    assert wanted != _kept(template)
    result = crash_runner.run(workspace.restore(), command, plan=NO_CRASH)
    plans = crash_points(result.writes)
    assert len(plans) > 5
    for plan in plans:
        workspace.restore()
        assert crash_runner.run(root, command, plan=plan).signal == KILLED
        shared_runner.ok(root, command)
        assert _kept(root) == wanted, plan


def _kept(root: Path) -> dict[str, bytes | str]:
    """Return the files outside the cache."""
    found = contents(root / ".cuedeck")
    return {name: found[name] for name in found if not name.startswith("cache/")}
