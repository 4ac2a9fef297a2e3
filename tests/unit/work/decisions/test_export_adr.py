"""Decisions as Markdown files: numbered by age, kept up to date, without changes of the
user's files.
"""

from __future__ import annotations

from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.model.errors import UsageError
from cuedeck.work.decisions.create_decision import NewDecision, decide, supersede
from cuedeck.work.decisions.export_adr import export_decisions


def choose(sandbox: Sandbox, text: str, **fields: Any) -> str:
    return str(decide(sandbox.workspace(), NewDecision(text, **fields))["id"])


def export(sandbox: Sandbox, folder: str = "", **options: Any) -> list[str]:
    answer = export_decisions(
        sandbox.workspace(), str(sandbox.place(folder)) if folder else "", **options
    )
    return [path.removeprefix(f"{answer['folder']}/") for path in answer["written"]]


def test_a_decision_becomes_a_record(sandbox: Sandbox) -> None:
    sandbox.write("src/auth.py", "x\n")
    old = choose(sandbox, "Use md5")
    choose(sandbox, "Use bcrypt for password hashing.", because="Industry standard", alternatives=("argon2 (slower)",),
         affects=("src/auth.py",), impact=("user model",), supersedes=old)  # fmt: skip
    assert export(sandbox, everything=True) == [
        "0001-use-md5.md",
        "0002-use-bcrypt-for-password-hashing.md",
    ]
    first, *text = (
        sandbox.place("docs/adr/0002-use-bcrypt-for-password-hashing.md")
        .read_text()
        .splitlines()
    )
    assert first.startswith("<!-- cuedeck: decision:")
    assert text[2].startswith("Date: 20")
    assert [*text[:1], *text[3:]] == [
        "# Use bcrypt for password hashing", "",
        "## Status", "", "Accepted.", "", "Supersedes [Use md5](0001-use-md5.md).", "",
        "## Context", "", "Industry standard", "",
        "## Decision", "", "Use bcrypt for password hashing.", "",
        "## Alternatives", "", "- argon2 (slower)", "",
        "## Affects", "", "- `src/auth.py`", "- user model",
    ]  # fmt: skip
    replaced = sandbox.place("docs/adr/0001-use-md5.md").read_text()
    heir = "[Use bcrypt for password hashing](0002-use-bcrypt-for-password-hashing.md)"
    assert f"Superseded.\n\nSuperseded by {heir}.\n" in replaced


def test_a_decision_keeps_its_file_and_number(sandbox: Sandbox) -> None:
    a, b = choose(sandbox, "Use a"), choose(sandbox, "Use b")
    assert export(sandbox) == ["0001-use-a.md", "0002-use-b.md"]
    assert export(sandbox) == []
    supersede(sandbox.workspace(), a)
    c = choose(sandbox, "Use c", supersedes=b)
    # The file of a decision is updated after the decision was superseded, too.
    assert export(sandbox) == ["0001-use-a.md", "0002-use-b.md", "0003-use-c.md"]
    sandbox.place("docs/adr/0003-use-c.md").rename(
        sandbox.place("docs/adr/0007-renamed.md")
    )
    sandbox.place("docs/adr/0001-use-a.md").unlink()
    d = choose(sandbox, "Use d", supersedes=c)
    assert export(sandbox) == ["0002-use-b.md", "0007-renamed.md", "0008-use-d.md"]
    assert d in sandbox.place("docs/adr/0008-use-d.md").read_text()


def test_files_of_others_are_never_touched(sandbox: Sandbox) -> None:
    identity = choose(sandbox, "Use a")
    theirs = {
        "docs/adr/0001-use-a.md": f"# Mine\n\n<!-- cuedeck: decision:{identity} -->\n",
        "docs/adr/0002-other.md": "# Theirs\n",
        "docs/adr/README.txt": f"<!-- cuedeck: decision:{identity} -->\n",
    }
    for path, text in theirs.items():
        sandbox.write(path, text)
    sandbox.write("elsewhere.md", f"<!-- cuedeck: decision:{identity} -->\n")
    sandbox.place("docs/adr/0003-link.md").symlink_to("../../elsewhere.md")
    assert export(sandbox) == ["0004-use-a.md"]
    assert {path: sandbox.place(path).read_text() for path in theirs} == theirs
    assert sandbox.place("docs/adr/0003-link.md").is_symlink()
    sandbox.write(
        "docs/adr/0004-use-a.md", f"<!-- cuedeck: decision:{identity} -->\nedited\n"
    )
    assert export(sandbox) == ["0004-use-a.md"]
    assert "edited" not in sandbox.place("docs/adr/0004-use-a.md").read_text()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("../../etc/passwd", "0001-etcpasswd.md"),
        ("Use C++ & Rust -- both!", "0001-use-c-rust-both.md"),
        ("???", "0001-decision.md"),
        ("Zażółć 日本", "0001-zażółć-日本.md"),
        ("word " * 40, f"0001-{'-'.join(['word'] * 12)}.md"),
        ("x" * 200, f"0001-{'x' * 60}.md"),
        (f"Use ghp_{'a' * 36}", "0001-use.md"),
    ],
)
def test_a_file_is_named_after_the_decision(
    sandbox: Sandbox, text: str, name: str
) -> None:
    choose(sandbox, text)
    (written,) = export(sandbox, "out")
    assert written == name
    assert [path.name for path in sandbox.place("out").iterdir()] == [written]


def test_odd_ids_and_secrets_of_a_log_written_by_hand_do_not_get_out(
    sandbox: Sandbox,
) -> None:
    token = f"ghp_{'b' * 36}"
    sandbox.write(
        ".cuedeck/decisions.jsonl",
        f'{{"id": "a --> b", "decision": "Use {token}", "rationale": "{token}"}}\n',
    )
    (name,) = export(sandbox)
    text = sandbox.place(f"docs/adr/{name}").read_text()
    assert token not in text and token not in name
    assert "a --> b" not in text
    assert export(sandbox) == []


def test_a_file_in_the_place_of_the_folder_is_refused(sandbox: Sandbox) -> None:
    sandbox.write("docs/adr", "a file")
    with pytest.raises(UsageError):
        export(sandbox)
    assert sandbox.place("docs/adr").read_text() == "a file"
