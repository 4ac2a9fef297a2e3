"""Transcripts of assumption commands."""

from __future__ import annotations

import json
import re

from sandbox import Sandbox, expect, fields

FILE = ".cuedeck/assumptions.toml"
JOURNAL = ".cuedeck/assumptions.jsonl"
LISTED = "id text impact affects check status since evidence"
CHECKED = "id text holds status evidence where message"
SENTENCE = '⚠️ "Assumption changed: Found `GraphQL` (src/api.py:2). This may affect the auth implementation."'


def test_assumption_is_added_invalidated_and_resolved(sandbox: Sandbox) -> None:
    sandbox.write("src/api.py", "import web\n# REST\n")
    made = sandbox.answer(
        "assumption add --check not_contains=src/api.py:GraphQL --impact "
"'the auth implementation' --affects src/api.py -- 'API is REST'",
    )  # fmt: skip
    assert made == {
        "schema": 1, "id": "api-is-rest", "path": FILE, "holds": True,
        "evidence": "Not found: `GraphQL` in src/api.py",
    }  # fmt: skip
    (row,) = sandbox.answer("assumption", "list")["assumptions"]
    fields(row, LISTED)
    assert row["check"] == {"not_contains": {"path": "src/api.py", "text": "GraphQL"}}
    assert (row["status"], row["since"], row["evidence"]) == ("active", None, "")
    assert "holds" in sandbox.ok("assumption", "check").out
    assert not sandbox.place(JOURNAL).exists()

    sandbox.write("src/api.py", "import web\n# GraphQL\n")
    answer = sandbox.answer("assumption", "check", code=1)
    fields(answer, ["schema", "assumptions", "diagnostics"])
    (row,) = answer["assumptions"]
    fields(row, CHECKED)
    assert row == {
        "id": "api-is-rest", "text": "API is REST", "holds": False, "status": "invalidated",
        "evidence": "Found `GraphQL` (src/api.py:2)", "where": "src/api.py:2", "message": SENTENCE,
    }  # fmt: skip
    assert SENTENCE.replace("\ufe0f", " ") in sandbox.run(
        "assumption", "check"
    ).out.replace("\ufe0f", " ")
    (entry,) = (
        json.loads(line) for line in sandbox.place(JOURNAL).read_text().splitlines()
    )
    assert list(entry) == ["id", "timestamp", "status", "evidence"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", entry["timestamp"])

    assert (
        sandbox.ok("assumption", "resolve", "api", "--because", "Both are spoken").out
        == "api-is-rest: resolved\n"
    )
    assert (
        sandbox.ok("assumption", "resolve", "api").out
        == "api-is-rest: resolved (unchanged)\n"
    )
    assert sandbox.ok("assumption", "check").out.splitlines()[1].startswith("resolved")
    sandbox.write("src/api.py", "import web\n# REST\n")
    sandbox.ok("assumption", "check")
    (row,) = sandbox.answer("assumption", "list")["assumptions"]
    expect(row, status="active", evidence="Not found: `GraphQL` in src/api.py")
    assert len(sandbox.place(JOURNAL).read_text().splitlines()) == 3


def test_assumption_that_fails_when_added_is_reported(sandbox: Sandbox) -> None:
    ran = sandbox.ok("assumption", "add", "Uses React", "--check", "dependency=react")
    assert ran.out == "uses-react\n"
    assert ran.err.startswith("warning: it does not hold: Not found: `react` in")
    (row,) = sandbox.answer("assumption", "check", code=1)["assumptions"]
    assert row["message"].startswith('⚠️ "Assumption changed: Not found: `react` in')
    sandbox.write("package.json", '{"dependencies": {"react": "18"}}')
    sandbox.ok("assumption", "check")
    sandbox.place("package.json").unlink()
    (row,) = sandbox.answer("assumption", "check", code=1)["assumptions"]
    assert row["message"].startswith('⚠️ "Assumption changed: Not found: `react` in')
