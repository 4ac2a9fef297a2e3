"""Every check of the table with a defect it finds and a twin without the defect that it
leaves alone.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
from plain_git import git

from cuedeck.doctor.examine import CHECKS
from cuedeck.knowledge.recall.recall import recall

Plant = Callable[[Any], Any]


class Case(NamedTuple):
    check: str
    defect: Plant
    found: tuple[str, str, int, str]
    """Level, path, line and code."""
    twin: Plant


CARD = ".cuedeck/cards/abc123.md"
CONFIG = ".cuedeck/config.toml"
ASSUMED = '[[assumption]]\nid = "a"\ntext = "There is a source"\ncheck = { file_exists = "a.py" }\n'


def waiting(first: str, second: str) -> Plant:
    return lambda place: (place.card("aaa111", first), place.card("bbb222", second))


def docs(**texts: str) -> Plant:
    return lambda place: [
        place.write(f"{name}.md", text) for name, text in texts.items()
    ]


def pointer(text: str, *fields: str) -> Plant:
    return lambda place: (
        place.card("abc123", *fields),
        place.write(".cuedeck/active", text),
    )


def ledger(
    name: str, *rows: dict[str, str], rest: str = "", files: Sequence[str] = ()
) -> Plant:
    text = "".join(json.dumps(row) + "\n" for row in rows) + rest
    return lambda place: [
        place.write(f".cuedeck/{name}.jsonl", text),
        *(place.write(path, "x") for path in files),
    ]


def tracked(name: str) -> Plant:
    """Plant an index of one file, as git writes it."""
    path = f".cuedeck/{name}".encode()
    mode = 0o100644
    entry = (
        bytes(24)
        + mode.to_bytes(4, "big")
        + bytes(12 + 20)
        + len(path).to_bytes(2, "big")
        + path
    )
    entry += bytes(8 - len(entry) % 8)
    content = b"DIRC" + (2).to_bytes(4, "big") + (1).to_bytes(4, "big") + entry

    def plant(place: Any) -> None:
        of_git(content + hashlib.sha1(content, usedforsecurity=False).digest())(place)

    return plant


def of_git(index: bytes) -> Plant:
    def plant(place: Any) -> None:
        repository("ref: refs/heads/main\n")(place)
        (place.root / ".git/refs").mkdir()
        place.write(".git/index", index)

    return plant


def repository(head: str) -> Plant:
    return lambda place: (place.write(".git/HEAD", head).parent / "objects").mkdir()


def corrupt_index(place: Any) -> None:
    place.card("abc123")
    place.examine()
    index = place.root / place.index
    data = bytearray(index.read_bytes())
    data[4096:] = bytes(byte ^ 0x5A for byte in data[4096:])
    index.write_bytes(data)


def searched(place: Any) -> None:
    place.write(".cuedeck/USER.md", "Likes tea.\n")
    assert recall(place.workspace(), "tea")["total"] == 1


def corrupt_recall_index(place: Any) -> None:
    searched(place)
    index = place.root / place.recall_index
    data = bytearray(index.read_bytes())
    data[4096:] = bytes(byte ^ 0x5A for byte in data[4096:])
    index.write_bytes(data)


def in_worktree(name: str) -> Plant:
    """Make the workspace a linked worktree with a private file."""

    def plant(place: Any) -> None:
        main = place.root.parent / "main"
        (main / ".cuedeck").mkdir(parents=True)
        tree = place.root.parent / "tree"
        git(main, "init", "-q")
        git(main, "commit", "-q", "--allow-empty", "-m", "One")
        git(main, "worktree", "add", "-q", str(tree))
        (tree / ".git").rename(place.root / ".git")
        git(main, "worktree", "repair", str(place.root))
        place.write(f".cuedeck/{name}")

    return plant


def use_qmd(place: Any, command: str) -> None:
    """Choose the backend qmd with a command."""
    place.environ.update(
        CUEDECK_MEMORY__BACKEND="qmd", CUEDECK_MEMORY__QMD_COMMAND=command
    )


CASES = (
    Case(
        "config",
        lambda place: place.write(CONFIG, "[scene]\nbudget = 3\n"),
        ("error", CONFIG, 2, "bad-config"),
        lambda place: place.write(CONFIG, "[scene]\nbudget = 3000\n"),
    ),
    Case(
        "config-keys",
        lambda place: place.write(CONFIG, "[scene]\nbudgt = 3000\n"),
        ("warning", CONFIG, 2, "unknown-key"),
        lambda place: place.write(CONFIG, "[scene]\nbudget = 3000\n"),
    ),
    Case(
        "folders",
        lambda place: (place.root / ".cuedeck/docs").rmdir(),
        ("warning", ".cuedeck/docs", 0, "missing-folder"),
        lambda place: None,
    ),
    Case(
        "strays",
        lambda place: place.write(".cuedeck/cards/ARCHIVE/old.md", "# Old\n"),
        ("warning", ".cuedeck/cards/ARCHIVE", 0, "nested-card"),
        lambda place: place.card("old", "status: archived"),
    ),
    Case(
        "worktree",
        in_worktree("USER.md"),
        ("warning", ".cuedeck/USER.md", 0, "left-memory"),
        lambda place: place.write(".cuedeck/USER.md"),
    ),
    Case(
        "gitignore",
        lambda place: place.write(".cuedeck/.gitignore", "SCENE.md\n"),
        ("warning", ".cuedeck/.gitignore", 0, "not-ignored"),
        lambda place: place.write(".cuedeck/.gitignore", "*\n!/cards\n!/docs\n"),
    ),
    Case(
        "tracked",
        tracked("SCENE.md"),
        ("warning", ".cuedeck/SCENE.md", 0, "tracked"),
        tracked("config.toml"),
    ),
    Case(
        "front-matter",
        lambda place: place.card("abc123", "title: [a"),
        ("error", CARD, 2, "bad-yaml"),
        lambda place: place.card("abc123", "title: '[a'"),
    ),
    Case(
        "card-fields",
        lambda place: place.card("abc123", "status: bogus"),
        ("warning", CARD, 3, "unknown-status"),
        lambda place: place.card("abc123", "status: blocked"),
    ),
    Case(
        "card-titles",
        lambda place: place.write(CARD, "---\nstatus: todo\n---\ntext\n"),
        ("warning", CARD, 1, "no-title"),
        lambda place: place.write(CARD, "---\nstatus: todo\n---\n# Heading\n"),
    ),
    Case(
        "card-ids",
        lambda place: (place.card("abc123"), place.card("zzz999", "id: abc123")),
        ("error", ".cuedeck/cards/zzz999.md", 3, "duplicate-id"),
        lambda place: (place.card("abc123", "id: abc123"), place.card("zzz999")),
    ),
    Case(
        "card-dates",
        lambda place: place.card("abc123", "created: not-a-date"),
        ("warning", CARD, 3, "bad-date"),
        lambda place: place.card(
            "abc123", "created: 2026-05-03", "updated: 2026-05-03T10:00:00Z"
        ),
    ),
    Case(
        "active",
        pointer("nobody\n"),
        ("error", ".cuedeck/active", 1, "bad-active"),
        pointer("abc123\n"),
    ),
    Case(
        "depends-on",
        waiting("depends_on: [bbb223]", "tags: []"),
        ("error", ".cuedeck/cards/aaa111.md", 3, "missing-dependency"),
        waiting("depends_on: [bbb222]", "tags: []"),
    ),
    Case(
        "depends-on-cycles",
        waiting("depends_on: [bbb222]", "depends_on: [aaa111]"),
        ("error", ".cuedeck/cards/aaa111.md", 3, "dependency-cycle"),
        waiting("depends_on: [bbb222]", "depends_on: []"),
    ),
    Case(
        "ref-items",
        lambda place: place.card("abc123", "refs: [https://example.org]"),
        ("warning", CARD, 3, "bad-ref"),
        lambda place: place.card("abc123", "refs: []"),
    ),
    Case(
        "refs",
        docs(a="# A\n\n[b](gone.md)\n"),
        ("warning", "a.md", 3, "dead-ref"),
        docs(a="# A\n\n[b](b.md#b)\n", b="# B\n"),
    ),
    Case(
        "ref-cycles",
        docs(a="[b](b.md)\n", b="\n[c](c.md)\n", c="[[a]]\n"),
        ("warning", "a.md", 1, "ref-cycle"),
        docs(a="# H\n[b](b.md) [here](#h) [me](a.md)\n", b="\n[c](c.md)\n", c="C\n"),
    ),
    Case(
        "readable",
        lambda place: place.write("old.md", "caf\u00e9\n".encode("cp1252")),
        ("warning", "old.md", 0, "encoding"),
        lambda place: place.write("old.md", "caf\u00e9\n"),
    ),
    Case(
        "ledgers",
        ledger("attempts", {"id": "a", "tried": "x", "failed": "y"}, rest="{"),
        ("warning", ".cuedeck/attempts.jsonl", 2, "bad-entry"),
        ledger("attempts", {"id": "a", "tried": "x", "failed": "y"}, rest="\n"),
    ),
    Case(
        "decisions",
        ledger(
            "decisions",
            {"id": "a", "decision": "Use md5", "subject": "hashing", "file": "a.py"},
            {
                "id": "b",
                "decision": "Use bcrypt",
                "subject": "Hashing.",
                "file": "a.py",
            },
            files=["a.py"],
        ),
        ("error", ".cuedeck/decisions.jsonl", 2, "contradiction"),
        ledger(
            "decisions",
            {"id": "a", "decision": "Use md5", "subject": "hashing", "file": "a.py"},
            {
                "id": "b",
                "decision": "Use bcrypt",
                "subject": "hashing",
                "file": "a.py",
                "supersedes": "a",
            },
            files=["a.py"],
        ),
    ),
    Case(
        "cited",
        ledger("decisions", {"id": "a", "decision": "Use md5", "file": "b.py"}),
        ("warning", ".cuedeck/decisions.jsonl", 0, "dead-cite"),
        ledger(
            "decisions",
            {"id": "a", "decision": "Use md5", "file": "b.py"},
            files=["b.py"],
        ),
    ),
    Case(
        "assumptions",
        lambda place: place.write(".cuedeck/assumptions.toml", ASSUMED),
        ("warning", ".cuedeck/assumptions.toml", 1, "assumption"),
        lambda place: (
            place.write(".cuedeck/assumptions.toml", ASSUMED),
            place.write("a.py"),
        ),
    ),
    Case(
        "sessions",
        lambda place: place.write(".cuedeck/sessions/s.json", "{"),
        ("error", ".cuedeck/sessions/s.json", 0, "bad-session"),
        lambda place: place.write(".cuedeck/sessions/s.json", '{"sessionId": "s"}'),
    ),
    Case(
        "workflows",
        lambda place: place.write(".cuedeck/workflows/w.toml", "[[step]]\n"),
        ("error", ".cuedeck/workflows/w.toml", 0, "bad-workflow"),
        lambda place: place.write(
            ".cuedeck/workflows/w.toml", '[[step]]\nname = "one"\n'
        ),
    ),
    Case(
        "memory",
        lambda place: place.write(".cuedeck/MEMORY.md", "- {}\n"),
        ("warning", ".cuedeck/MEMORY.md", 1, "bad-record"),
        lambda place: place.write(".cuedeck/MEMORY.md", "- a bullet\n"),
    ),
    Case(
        "cortex",
        lambda place: place.write(".cuedeck/cortex/notes/a.md", "text\n"),
        ("warning", ".cuedeck/cortex/notes", 0, "cortex-stray"),
        lambda place: place.write(".cuedeck/cortex/resources/a/b.md", "text\n"),
    ),
    Case(
        "layers",
        lambda place: place.write(".cuedeck/cortex/user/a/.abstract.md", "text\n"),
        ("warning", ".cuedeck/cortex/user/a/.abstract.md", 0, "foreign-layer"),
        lambda place: place.write(".cuedeck/cortex/resources/a/b.md", "text\n"),
    ),
    Case(
        "history",
        repository("0" * 40),
        ("warning", ".git", 0, "git-failed"),
        repository("ref: refs/heads/main\n"),
    ),
    Case(
        "git-index",
        of_git(b"no index"),
        ("warning", ".git/index", 0, "git-failed"),
        tracked("config.toml"),
    ),
    Case(
        "index",
        corrupt_index,
        ("error", "<index>", 0, "corrupt-index"),
        lambda place: place.examine(),
    ),
    Case(
        "recall-index",
        corrupt_recall_index,
        ("error", "<recall>", 0, "corrupt-index"),
        searched,
    ),
    Case(
        "extra",
        lambda place: place.environ.update(CUEDECK_FILES__EXTRA="nowhere"),
        ("warning", ".", 0, "missing-extra"),
        lambda place: place.environ.update(CUEDECK_FILES__EXTRA=str(place.root)),
    ),
    Case(
        "qmd",
        lambda place: use_qmd(place, "no-such-qmd"),
        ("warning", ".", 0, "missing-qmd"),
        lambda place: use_qmd(place, sys.executable),
    ),
)


def _named(place: Any, path: str) -> str:
    path = path.replace(place.index, "<index>")
    return path.replace(place.recall_index, "<recall>")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.check)
def test_finds_the_planted_defect_and_nothing_else(case: Case, place: Any) -> None:
    case.defect(place)
    found = place.found()
    rows = [
        (each.level, _named(place, each.path), each.line, each.code) for each in found
    ]
    assert ([each.check for each in found], rows) == ([case.check], [case.found])
    assert found[0].message
    assert found[0].hint


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.check)
def test_leaves_the_healthy_twin_alone(case: Case, place: Any) -> None:
    case.twin(place)
    assert place.found() == []


def test_every_check_has_a_defect_and_a_twin() -> None:
    assert sorted(case.check for case in CASES) == sorted(
        check.name for check in CHECKS
    )


def test_every_check_is_described_in_one_sentence() -> None:
    assert len({check.name for check in CHECKS}) == len(CHECKS)
    for check in CHECKS:
        assert check.doc
        assert "." not in check.doc.replace("config.toml", "").replace(".cuedeck/", "")


def test_an_empty_workspace_is_healthy(place: Any) -> None:
    report = place.examine()
    assert report.findings == ()
    assert report.healthy(strict=True)
