"""The commands on timelines: their output, errors and exit codes."""

from __future__ import annotations

import json
import re

from sandbox import Sandbox, fields

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
        (
            "schema",
            "session",
            "address",
            "status",
            "seq",
            "messages",
            "statements",
            "made",
            "updated",
            "reused",
            "layers",
            "stale_layers",
            "left_out",
            "user_id",
            "agent_id",
        ),
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


def test_a_session_per_call(sandbox: Sandbox) -> None:
    sandbox.ok("cortex", "add", "--session", "../../x", "Hello")
    (session,) = sandbox.place(".cuedeck/cortex/session").iterdir()
    assert re.fullmatch("[0-9a-f]{64}", session.name)
    assert sandbox.answer("cortex", "open", "../../x")["original_id"] == "../../x"
    assert not list(sandbox.root.glob("x*"))


def test_the_user_and_the_agent_of_a_session(sandbox: Sandbox) -> None:
    owners = ("--user", "ana", "--agent", "reviewer")
    review = ("--session", "review")
    sandbox.ok("cortex", "add", *TIME, *review, *owners, "I prefer vim as my editor.")
    metadata = sandbox.place(".cuedeck/cortex/session/review/.session.json")
    found = json.loads(metadata.read_text())
    assert (found["user_id"], found["agent_id"]) == ("ana", "reviewer")
    refused = sandbox.run("cortex", "add", *review, "--user", "ben", "Hello.")
    assert refused.code == 1
    assert "session review belongs to user ana, not to ben" in refused.err
    assert "use another session" in refused.err
    assert sandbox.run("cortex", "commit", "review", "--agent", "x").code == 1
    assert sandbox.run("cortex", "open", "review", "--user", "../x").code == 1
    committed = sandbox.answer("cortex", "commit", "review", *owners)
    (made,) = committed["made"]
    assert made["address"] == "cortex://user/ana/preferences/editor.md"
    opened = sandbox.answer("cortex", "open", "other", "--user", "ben")
    assert (opened["user_id"], opened["agent_id"]) == ("ben", "default")


def test_the_list_of_sessions(sandbox: Sandbox) -> None:
    assert sandbox.ok("cortex", "sessions").out == "no sessions\n"
    sandbox.ok("cortex", "add", *TIME, "--session", "review", "--user", "ana", "Hello.")
    sandbox.ok("cortex", "open", "fix", "--title", "Fix login")
    lines = [line.split() for line in sandbox.ok("cortex", "sessions").out.splitlines()]
    ends = {line[0]: [line[1], *line[6:]] for line in lines[1:]}
    assert ends == {
        "fix": ["active", "0", "0", "yes", "Fix", "login"],
        "review": ["active", "0", "1", "yes"],
    }
    rows = sandbox.answer("cortex", "sessions")["sessions"]
    users = {row["session"]: row["user_id"] for row in rows}
    assert users == {"fix": "default", "review": "ana"}


def test_the_abstract_of_a_memory_has_only_what_holds(sandbox: Sandbox) -> None:
    """The abstract of a preference, and those of the folders above it, showed the
    superseded statement, too.
    """
    for editor in ("vim", "emacs"):
        sandbox.ok("cortex", "add", f"I prefer {editor} as my editor")
        sandbox.ok("cortex", "commit")
    for address in (
        "cortex://user/default/preferences/editor.md",
        "cortex://user/default/preferences",
        "cortex://user",
    ):
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
