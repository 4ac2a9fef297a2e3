"""The day described in the strategy document: from an activated card to a resume after
a restart.
"""

from __future__ import annotations

import json
import re
import signal
from typing import Any

import pytest
from sandbox import Sandbox, expect, until
from seed_workspace import FILES, ORDER


@pytest.fixture
def day(sandbox: Sandbox) -> Sandbox:
    """The example of the documents in a git repository; its card is not yet active."""
    for path, text in FILES.items():
        sandbox.write(path, text.replace("status: active", "status: todo"))
    sandbox.ok("init")
    sandbox.git("init", "-q")
    sandbox.git("add", "-A")
    sandbox.git("commit", "-qm", "first")
    return sandbox


def session_file(sandbox: Sandbox, session: str) -> Any:
    return json.loads(sandbox.place(f".cuedeck/sessions/{session}.json").read_text())


def change_session(sandbox: Sandbox, session: str, **values: object) -> None:
    """Change fields of a session file to simulate elapsed time."""
    place = sandbox.place(f".cuedeck/sessions/{session}.json")
    place.write_text(json.dumps({**json.loads(place.read_text()), **values}))


def test_day_of_the_strategy_document_has_its_documented_output(day: Sandbox) -> None:
    # The card is activated: exactly the four nodes, in this order, nothing else.
    day.ok("card", "activate", "2a9f1x")
    scene = day.answer("scene", "--no-related")
    assert [each["address"] for each in scene["visits"]] == list(ORDER)

    # Cut to fit: the card and depth 1 stay; deeper visits are omitted with a warning.
    tight = day.answer("scene", "--no-related", "--budget", "330", "--dry-run")
    kept = [each["address"] for each in tight["visits"]]
    assert kept[:2] == list(ORDER[:2]) and tight["left_out"]
    cut = day.ok("scene", "--no-related", "--budget", "330", "--print").out
    assert "[!WARNING] Truncated" in cut

    # A session starts with the steps of a workflow.
    started = day.answer("session", "start", "--workflow", "bug-fix")
    session = started["session"]
    assert re.fullmatch(r"fix-login-[a-z0-9]{6}", session)
    assert started["card"] == "2a9f1x"

    # A file is saved while `watch` runs: the scene is regenerated, the session knows
    # the file.
    watcher = day.start("watch", "--json")
    until(lambda: watcher.stdout and b'"ready"' in watcher.stdout.readline(), "ready")
    source = "crates/cue_core/src/auth.rs"
    day.write(source, FILES[source] + "\npub fn refresh() {}\n")
    until(lambda: "pub fn refresh" in day.scene.read_text(), "the scene follows")
    until(lambda: source in session_file(day, session)["workingSet"], "the session")
    watcher.send_signal(signal.SIGINT)
    watcher.communicate(timeout=20)
    assert session_file(day, session)["workingSet"][source]["role"] == "write"

    # The scene shows recorded progress, decisions, attempts and assumptions.
    day.ok("session", "touch", "docs/security.md", "--read")
    day.ok("progress", "done", "Created user model")
    day.ok("progress", "doing", "Integrating with login endpoint")
    day.ok("progress", "todo", "Add password hashing")
    day.ok(
        "decide", "Use bcrypt for password hashing", "--because", "Industry standard, proven secure",
        "--alternative", "argon2 (slower)", "--file", source,
        "--impact", "user model", "--impact", "password reset flow",
    )  # fmt: skip
    day.ok(
        "attempt",
        "add",
        "--on",
        source,
        "--tried",
        "caching the token",
        "--failed",
        "it expired twice",
    )
    day.ok("assumption", "add", "API uses REST", "--impact", "the auth implementation", "--check",
           "not_contains=docs/auth.md:GraphQL")  # fmt: skip
    day.ok("session note 'Added JWT middleware' --next 'Integrate with login endpoint'")
    text = day.ok("scene", "--print").out
    for shown in (
        "- ✅ “Created user model”\n- ⏳ “Integrating with login endpoint”\n",
        "- ⏹️ Need to: “Add password hashing”\n",
        "> Current task: “Fix Login” (step 1 of 4: “reproduction”)\n",
        "“Use bcrypt for password hashing.” Because: “Industry standard, proven secure.”",
        f"Tried on '{source}': caching the token. It failed: it expired twice.",
    ):
        assert shown in text
    tight_text = day.ok("scene", "--print", "--no-related", "--budget", "1700").out
    assert (
        "Remember: We chose bcrypt for password hashing because industry standard, proven secure. "
        "This affects user model and password reset flow."
    ) in tight_text

    # The process ends; the next one finds an untouched workspace unchanged.
    again = day.answer("resume")
    expect(again, session=session, unchanged=True, changed=[], assumptions=[])
    assert again["summary"] == (
        "Continuing Fix Login. Last action: Added JWT middleware. Next: Integrate with login endpoint."
    )

    # Overnight a file is edited, another is deleted, the branch is switched, and an
    # assumption fails.
    day.git("checkout", "-qb", "weekend")
    day.write(source, FILES[source])
    day.write(
        "docs/auth.md", FILES["docs/auth.md"] + "\nThe GraphQL endpoint is new.\n"
    )
    day.place("docs/security.md").unlink()
    resumed = day.answer("resume")
    assert resumed["unchanged"] is False
    assert [(each["path"], each["change"]) for each in resumed["changed"]] == [
        (".", "branch switched: main -> weekend"),
        (source, "changed"),
        ("docs/auth.md", "changed"),
        ("docs/security.md", "deleted"),
    ]
    (assumption,) = resumed["assumptions"]
    message = '⚠️ "Assumption changed: Found'
    assert assumption["message"].startswith(message)
    assert "This may affect the auth implementation" in assumption["message"]
    answer = day.ok("resume").out
    assert "Files of the session:" in answer and "docs/security.md" in answer
    text = day.ok("scene", "--print").out
    assert message in text and "cited code changed in the working tree" in text
    assert day.answer("resume")["unchanged"] is True

    # After five minutes the next command records the changes as a checkpoint.
    points = session_file(day, session)["checkpoints"]
    old = [{**each, "timestamp": "2026-01-01T00:00:00Z"} for each in points]
    change_session(day, session, checkpoints=old)
    day.write("docs/new.md", "# New\n")
    day.ok("progress", "done", "Add password hashing")
    point = session_file(day, session)["checkpoints"][-1]
    assert "docs/new.md" in point["written"] and len(point["decisions"]) == 1

    # The session is closed, and the card is done and no longer active.
    day.ok("session", "close", "Login works")
    day.ok("card", "done", "2a9f1x")
    assert day.run("scene").err.startswith("error: no card is active")
    assert day.answer("session", "list")["sessions"][0]["status"] == "closed"

    # After eight days the session is archived.
    change_session(day, session, lastAccess="2026-01-01T00:00:00Z")
    assert day.answer("session", "clean", "--dry-run")["removed"] == [session]
    assert day.answer("session", "clean")["removed"] == [session]
    assert day.answer("session", "list")["sessions"] == []
    assert day.place(".cuedeck/sessions/archive.jsonl.lz4").read_bytes()
