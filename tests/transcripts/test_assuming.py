"""Sessions with assumptions."""

from __future__ import annotations

import json
import re

from desk import Desk, fields

FILE = ".cuedeck/assumptions.toml"
JOURNAL = ".cuedeck/assumptions.jsonl"
LISTED = ("id", "text", "impact", "affects", "check", "status", "since", "evidence")
CHECKED = ("id", "text", "holds", "status", "evidence", "where", "message")
SENTENCE = '⚠️ "Assumption changed: Found `GraphQL` (src/api.py:2). This may affect the auth implementation."'


def test_from_a_belief_to_its_end(desk: Desk) -> None:
    desk.write("src/api.py", "import web\n# REST\n")
    made = desk.answer(
        "assumption", "add", "--check", "not_contains=src/api.py:GraphQL", "--impact", "the auth implementation",
        "--affects", "src/api.py", "--", "API is REST",
    )  # fmt: skip
    assert made == {
        "schema": 1, "id": "api-is-rest", "path": FILE, "holds": True,
        "evidence": "Not found: `GraphQL` in src/api.py",
    }  # fmt: skip
    (row,) = desk.answer("assumption", "list")["assumptions"]
    fields(row, LISTED)
    assert row["check"] == {"not_contains": {"path": "src/api.py", "text": "GraphQL"}}
    assert (row["status"], row["since"], row["evidence"]) == ("active", None, "")
    assert "holds" in desk.ok("assumption", "check").out
    assert not desk.place(JOURNAL).exists()

    desk.write("src/api.py", "import web\n# GraphQL\n")
    answer = desk.answer("assumption", "check", code=1)
    fields(answer, ["schema", "assumptions", "diagnostics"])
    (row,) = answer["assumptions"]
    fields(row, CHECKED)
    assert row == {
        "id": "api-is-rest", "text": "API is REST", "holds": False, "status": "invalidated",
        "evidence": "Found `GraphQL` (src/api.py:2)", "where": "src/api.py:2", "message": SENTENCE,
    }  # fmt: skip
    assert SENTENCE.replace("\ufe0f", " ") in desk.run("assumption", "check").out.replace("\ufe0f", " ")
    (entry,) = (json.loads(line) for line in desk.place(JOURNAL).read_text().splitlines())
    assert list(entry) == ["id", "timestamp", "status", "evidence"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", entry["timestamp"])

    assert desk.ok("assumption", "resolve", "api", "--because", "Both are spoken").out == "api-is-rest: resolved\n"
    assert desk.ok("assumption", "resolve", "api").out == "api-is-rest: resolved (unchanged)\n"
    assert desk.ok("assumption", "check").out.splitlines()[1].startswith("resolved")
    desk.write("src/api.py", "import web\n# REST\n")
    desk.ok("assumption", "check")
    (row,) = desk.answer("assumption", "list")["assumptions"]
    assert (row["status"], row["evidence"]) == ("active", "Not found: `GraphQL` in src/api.py")
    assert len(desk.place(JOURNAL).read_text().splitlines()) == 3


def test_an_empty_workspace_says_how_to_begin(desk: Desk) -> None:
    for command in ("list", "check"):
        assert "cuedeck assumption add" in desk.ok("assumption", command).out
        assert desk.answer("assumption", command) == {"schema": 1, "assumptions": [], "diagnostics": []}
    assert list(desk.bytes()) == []


def test_every_kind_is_added_from_the_command_line(desk: Desk) -> None:
    desk.write("package.json", '{"dependencies": {"react": "18"}, "private": true}\n')
    desk.write("docs/api.md", "# API\n\n## Style\n\nIt uses\nREST.\n")
    desk.write(".env", "DATABASE_URL=postgres://localhost\n")
    for spelled in (
        "file_exists=docs",
        "file_absent=src",
        "contains=docs/api.md:## Style",
        "not_contains=docs/api.md:SOAP",
        "dependency=react",
        "config=package.json:private=true",
        "config=.env:DATABASE_URL",
        "doc_says=docs/api.md#Style:uses rest",
    ):
        desk.ok("assumption", "add", "--check", spelled, "--", f"It is {spelled.partition('=')[0]}")
    answer = desk.answer("assumption", "check")
    assert [row["holds"] for row in answer["assumptions"]] == [True] * 8
    assert desk.answer("assumption", "check", "it-is-config", "it-is-doc")["assumptions"] == [
        row for row in answer["assumptions"] if row["id"] in ("it-is-config", "it-is-doc-says")
    ]


def test_what_does_not_hold_when_it_is_added_is_said(desk: Desk) -> None:
    ran = desk.ok("assumption", "add", "Uses React", "--check", "dependency=react")
    assert ran.out == "uses-react\n"
    assert ran.err.startswith("warning: it does not hold: Not found: `react` in")
    (row,) = desk.answer("assumption", "check", code=1)["assumptions"]
    assert row["message"].startswith('⚠️ "Assumption does not hold: Not found: `react` in')
    desk.write("package.json", '{"dependencies": {"react": "18"}}')
    desk.ok("assumption", "check")
    desk.place("package.json").unlink()
    (row,) = desk.answer("assumption", "check", code=1)["assumptions"]
    assert row["message"].startswith('⚠️ "Assumption changed: Not found: `react` in')


def test_the_required_version_of_an_interpreter_is_a_dependency(desk: Desk) -> None:
    desk.write("pyproject.toml", '[project]\nname = "flask"\nrequires-python = ">=3.10"\n')
    ran = desk.ok("assumption", "add", "Python is new", "--check", "dependency=python>=3.10")
    assert (ran.out, ran.err) == ("python-is-new\n", "")
    ran = desk.ok("assumption", "add", "Python is newer", "--check", "dependency=python>=3.12")
    assert ran.err == "warning: it does not hold: Assumed `python >=3.12`; found `>=3.10` (pyproject.toml:3)\n"
    ran = desk.run("assumption", "add", "x", "--check", "dependency=python>=new")
    assert (ran.code, "is no range of versions" in ran.err) == (1, True)


def test_errors_write_nothing(desk: Desk) -> None:
    desk.write(FILE, '[[assumption]]\nid = "uses-react"\ntext = "Uses React"\n')
    before = desk.bytes()
    for arguments, said in (
        (("check", "uses-vue"), "did you mean `uses-react`?"),
        (("resolve", "use-react"), "did you mean `uses-react`?"),
        (("add", "x", "--check", "file_exist=a"), "did you mean `file_exists`?"),
        (("add", "x", "--check", "dependency=a", "--check", "dependency=b"), "an assumption for each"),
        (("add", "x", "--id", "uses-react"), "is taken"),
        (("add", " "), "needs a text"),
    ):
        ran = desk.run("assumption", *arguments)
        assert (ran.code, said in ran.err) == (1, True), ran
        assert desk.answer("assumption", *arguments, code=1)["error"]["message"]
    assert desk.bytes() == before


def test_a_broken_file_is_told_with_its_line(desk: Desk) -> None:
    desk.write(FILE, '[[assumption]]\nid = "a"\ntext = oops\n')
    ran = desk.run("assumption", "check")
    assert (ran.code, ran.out) == (1, f"error: {FILE}:3  not valid TOML: Invalid value; mend that line\n")
    (fault,) = desk.answer("assumption", "check", code=1)["diagnostics"]
    assert fault == {
        "path": FILE, "line": 3, "level": "error", "code": "bad-toml",
        "message": "not valid TOML: Invalid value", "hint": "mend that line",
    }  # fmt: skip
    assert f"{FILE}:3" in desk.ok("assumption", "list").err
    assert "mend it first" in desk.run("assumption", "add", "x").err


def test_a_check_that_cannot_be_made_fails_the_command(desk: Desk) -> None:
    desk.write(".env", "TOKEN=hush-hush-hush\n")
    desk.write(FILE, '[[assumption]]\nid = "a"\ntext = "x"\ncheck = {contains = {path = ".env", text = "TOKEN"}}\n')
    answer = desk.answer("assumption", "check", code=1)
    assert answer["assumptions"][0]["holds"] is None
    assert [each["code"] for each in answer["diagnostics"]] == ["broken-check"]
    ran = desk.run("assumption", "check")
    assert "hush" not in ran.out + ran.err


def test_many_write_at_once(desk: Desk) -> None:
    running = [desk.start("assumption", "add", f"Belief {number}") for number in range(4)]
    running += [desk.start("assumption", "add", "The same") for _ in range(3)]
    for process in running:
        _, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
    ids = [row["id"] for row in desk.answer("assumption", "list")["assumptions"]]
    assert sorted(ids) == [*(f"belief-{number}" for number in range(4)), "the-same", "the-same-2", "the-same-3"]
