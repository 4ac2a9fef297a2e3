"""Recall with the user's own qmd command, replaced by a fake executable.

The fake qmd prints the output that qmd documents for `--json --full-path`: a list of
objects with `score`, `file`, `line`, `title` and `snippet`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.engine.open_workspace import open_workspace
from cuedeck.knowledge.recall.recall import recall
from cuedeck.knowledge.recall.sync_index import open_recall

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs executable scripts")

TOKEN = "ghp_" + "Q" * 36


class Qmd:
    """A fake qmd and a workspace that uses it."""

    def __init__(self, sandbox: Sandbox, folder: Path) -> None:
        self.sandbox = sandbox
        self.folder = folder
        self.calls = folder / "calls.jsonl"
        self.place = folder / "bin/qmd"
        self.place.parent.mkdir()
        self.environ = {
            "CUEDECK_MEMORY__BACKEND": "qmd",
            "PATH": f"{self.place.parent}{os.pathsep}{os.environ['PATH']}",
        }
        sandbox.write("docs/meals.md", "# Meals\n\nCookie loves carrots.\n\nNo fish.\n")
        sandbox.write("docs/dogs.md", "The dog sleeps in the garden.\n")
        self.behave("print('[]')")

    def behave(self, code: str) -> None:
        """Write the body of the fake qmd; the script logs its arguments first."""
        self.place.write_text(
            f"#!{sys.executable}\nimport json, os, sys, time\n"
            f"with open({str(self.calls)!r}, 'a') as log:\n"
            "    call = {'pid': os.getpid(), 'cwd': os.getcwd(), 'argv': sys.argv[1:]}\n"
            "    log.write(json.dumps(call) + '\\n')\n"
            f"{code}\n"
        )
        self.place.chmod(0o755)

    def print(self, *results: Mapping[str, Any]) -> None:
        self.behave(f"print({json.dumps(list(results))!r})")

    def result(self, path: str, line: int = 1, **fields: Any) -> dict[str, Any]:
        place = os.path.realpath(self.sandbox.place(path))
        snippet = "@@ -1,3 @@ (0 before, 0 after)\ntext of qmd"
        return {"score": 0.9, "file": place, "line": line, "snippet": snippet, **fields}

    def ask(self, text: str, *options: str, **variables: str) -> dict[str, Any]:
        """Return the answer of the command, with hits or without."""
        environ = {**self.environ, **variables}
        ran = self.sandbox.run("recall", text, "--json", *options, environ=environ)
        assert ran.code in (0, 1), ran
        answer: dict[str, Any] = ran.json
        return answer

    def snippets(self, text: str, *options: str, **variables: str) -> list[str]:
        return [hit["snippet"] for hit in self.ask(text, *options, **variables)["hits"]]

    def called(self) -> list[dict[str, Any]]:
        if not self.calls.exists():
            return []
        return [json.loads(line) for line in self.calls.read_text().splitlines()]


@pytest.fixture
def qmd(sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Qmd:
    return Qmd(sandbox, tmp_path_factory.mktemp("qmd"))


def test_a_place_of_qmd_is_a_hit_without_a_common_word(qmd: Qmd) -> None:
    qmd.print(qmd.result("docs/meals.md", 3))
    answer = qmd.ask("what does my dog eat", "--explain")
    first = answer["hits"][0]
    assert first["snippet"] == "Cookie loves carrots."
    assert first["citation"] == "docs/meals.md#L3"
    assert first["why"] == "found by qmd"
    assert first["parts"]["qmd"] == 1
    assert "The dog sleeps in the garden." in [
        hit["snippet"] for hit in answer["hits"]
    ], "the built-in search still counts"
    assert answer["notes"] == []
    scores = [hit["score"] for hit in answer["hits"]]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("--help", "help"),
        ("-n 5", "n 5"),
        ("dogs -cats", "dogs cats"),
        ("multi-agent", "multi-agent"),
        ("two\nlines", "two lines"),
        ("a\0b", "a b"),
        ('a "b OR', "a b OR"),
        ('a "b c"', 'a "b c"'),
        ("intent: deploy", "intent  deploy"),
        ("Lex:cap", "Lex cap"),
        ("the vec: line", "the vec: line"),
        ("é ñ", "é ñ"),
        ("x" * 5_000, "x" * 2_000),
    ],
)
def test_a_query_is_one_line_of_plain_words(qmd: Qmd, query: str, sent: str) -> None:
    workspace = open_workspace(
        str(qmd.sandbox.root),
        {
            "CUEDECK_MEMORY__BACKEND": "qmd",
            "CUEDECK_MEMORY__QMD_COMMAND": str(qmd.place),
            "CUEDECK_MEMORY__QMD_MODE": "query",
        },
    )
    answer = recall(workspace, query)
    open_recall(workspace).close()
    workspace.close()
    call = qmd.called()[0]
    assert call["argv"][:-1] == ["query", "--json", "--full-path", "-n", "50", "--"]
    assert call["argv"][-1] == sent
    assert not [note for note in answer["notes"] if "qmd" in note]


def test_a_query_of_a_secret_alone_starts_no_command(qmd: Qmd) -> None:
    assert qmd.ask(TOKEN)["notes"] == []
    assert qmd.called() == []


def test_a_secret_of_the_query_is_no_argument(qmd: Qmd) -> None:
    qmd.ask(f"who uses {TOKEN}")
    assert TOKEN not in qmd.calls.read_text()


def test_qmd_does_not_run_in_the_repository(qmd: Qmd) -> None:
    """qmd takes the configuration of its current folder, which a repository has."""
    qmd.ask("dog")
    home = os.path.realpath(qmd.sandbox.environ["HOME"])
    assert os.path.realpath(qmd.called()[0]["cwd"]) == home


def test_relative_paths_count_from_the_folder_of_qmd(qmd: Qmd) -> None:
    notes = Path(qmd.sandbox.environ["HOME"]) / "notes of qmd"
    notes.mkdir(exist_ok=True)
    (notes / "trip.md").write_text("Lisbon in spring.\n")
    found = qmd.result("docs/meals.md", file="./notes of qmd/trip.md")
    qmd.print(found)
    extra = {"CUEDECK_FILES__EXTRA": str(notes)}
    assert qmd.snippets("holiday", **extra) == ["Lisbon in spring."]
    assert qmd.snippets("holiday") == []


def test_a_heading_names_the_paragraph_below_it(qmd: Qmd) -> None:
    qmd.print(qmd.result("docs/meals.md", 2))
    assert qmd.snippets("supper") == ["Cookie loves carrots."]


def test_files_that_recall_may_not_read_are_dropped(
    qmd: Qmd, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "private.md"
    outside.write_text("The diary of Ana.\n")
    qmd.sandbox.write("src/code.py", "print('x')\n")
    qmd.sandbox.write(".cuedeckignore", "")
    (qmd.sandbox.root / "docs/link.md").symlink_to(outside)
    qmd.print(
        qmd.result("x", file=str(outside)),
        qmd.result("docs/link.md"),
        qmd.result("x", file=str(qmd.sandbox.root / "docs/../../private.md")),
        qmd.result("src/code.py"),
        qmd.result(".git/config"),
        qmd.result("x", file="/etc/passwd"),
        qmd.result("x", file="\0"),
        qmd.result("x", file="/\ud800"),
        qmd.result("docs/dogs.md", 1),
    )
    answer = qmd.ask("diary zebra")
    assert [hit["path"] for hit in answer["hits"]] == ["docs/dogs.md"]
    assert "diary of Ana" not in json.dumps(answer)


def test_secret_superseded_and_forgotten_records_stay_hidden(qmd: Qmd) -> None:
    run = qmd.sandbox.ok
    old = run("remember", "Cookie eats apples").out.strip()
    new = run("remember", "Cookie eats pears").out.strip()
    run("memory", "supersede", old, "--by", new)
    run("remember", "--sensitivity", "secret", "The safe opens with violets")
    run("remember", f"The robot logs in with {TOKEN}")
    memory = qmd.sandbox.place(".cuedeck/MEMORY.md").read_text().splitlines()
    every = range(1, len(memory) + 1)
    qmd.print(*(qmd.result(".cuedeck/MEMORY.md", line) for line in every))
    found = qmd.ask("zebra")
    shown = json.dumps(found)
    assert "pears" in shown
    for hidden in ("apples", "violets", TOKEN):
        assert hidden not in shown
    assert len(found["hits"]) == 2


def test_text_of_qmd_is_never_shown(qmd: Qmd) -> None:
    qmd.print(qmd.result("docs/dogs.md", snippet=TOKEN, title=TOKEN, context=TOKEN))
    assert TOKEN not in json.dumps(qmd.ask("zebra"))


def test_filters_hold_for_places_of_qmd(qmd: Qmd) -> None:
    qmd.sandbox.ok("remember", "Cookie loves turnips")
    qmd.print(qmd.result("docs/meals.md", 3), qmd.result("docs/dogs.md", 1))
    assert qmd.snippets("turnips", "--kind", "record") == ["Cookie loves turnips"]
    assert qmd.snippets("zebra", "--since", "2026-01-01") == []


def test_the_same_text_of_two_files_is_one_hit(qmd: Qmd) -> None:
    qmd.sandbox.ok("remember", "Cookie loves turnips")
    day = next(qmd.sandbox.place(".cuedeck/memory").glob("20*.md"))
    lines = day.read_text().splitlines()
    line = next(at for at, text in enumerate(lines, 1) if "turnips" in text)
    path = day.relative_to(qmd.sandbox.root).as_posix()
    qmd.print(qmd.result(path, line))
    hits = qmd.ask("turnips", "--explain")["hits"]
    assert [hit["path"] for hit in hits] == [".cuedeck/MEMORY.md"]
    assert hits[0]["score"] == 2, "first in both rankings"


def test_doctor_finds_a_missing_command(qmd: Qmd) -> None:
    healthy = qmd.sandbox.run("doctor", "--json", environ=qmd.environ).json
    assert "missing-qmd" not in [each["code"] for each in healthy["findings"]]
    qmd.place.unlink()
    ran = qmd.sandbox.run("doctor", "--json", environ=qmd.environ)
    assert "missing-qmd" in [each["code"] for each in ran.json["findings"]]
    unused = qmd.sandbox.run("doctor", "--json").json
    assert "missing-qmd" not in [each["code"] for each in unused["findings"]]


@pytest.mark.parametrize(
    "code", ["sys.exit(3)", "print('No results found.')", "print('{}')", ""]
)
def test_a_failure_gives_the_builtin_answer_and_one_warning(
    qmd: Qmd, code: str
) -> None:
    qmd.behave(code)
    answer = qmd.ask("dog garden")
    assert [hit["path"] for hit in answer["hits"]] == ["docs/dogs.md"]
    (note,) = answer["notes"]
    assert note.startswith("qmd is not used, only the built-in search:")


def test_a_file_of_the_repository_cannot_choose_the_command(qmd: Qmd) -> None:
    settings = '[memory]\nbackend = "qmd"\nqmd_command = ["qmd"]\n'
    qmd.sandbox.write(".cuedeck/config.toml", settings)
    path = {"PATH": qmd.environ["PATH"]}
    qmd.sandbox.ok("recall", "dog", environ=path)
    assert qmd.called() == []
    findings = qmd.sandbox.run("doctor", "--json", environ=path).json["findings"]
    lines = [each["line"] for each in findings if each["code"] == "personal-setting"]
    assert lines == [2, 3]
