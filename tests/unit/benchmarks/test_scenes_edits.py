"""Edits without a meaning, and their effect on a scene."""

from __future__ import annotations

import ast
import random

import pytest
from small_history import GUIDE, PRICE, case

from benchmarks.scenes.comment import add_comment, syntax_of
from benchmarks.scenes.edits import Edit, draw_edits, format_edits
from benchmarks.scenes.replay import Step, format_replay


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("a.py", PRICE, "# Hello\n"),
        ("a.rs", "fn a() {}\n", "// Hello\n"),
        ("a.css", "b { }", "/* Hello */\n"),
        ("a.md", GUIDE, "<!-- Hello -->\n"),
        ("Makefile", "all:\n", "# Hello\n"),
    ],
)
def test_comment_adds_one_line(path: str, text: str, line: str) -> None:
    rows = add_comment(path, text, "Hello", random.Random(1)).splitlines(keepends=True)
    rows.remove(line)
    assert "".join(rows).rstrip("\n") == text.rstrip("\n")


def test_comment_in_a_class_is_indented_like_the_next_line() -> None:
    text = "class A:\n    def f(self):\n        return 1\n"
    added = {
        add_comment("a.py", text, "Hello", random.Random(seed)) for seed in range(20)
    }
    assert len(added) == 2
    assert all(ast.dump(ast.parse(each)) == ast.dump(ast.parse(text)) for each in added)
    assert any("\n    # Hello\n    def f" in each for each in added)


def test_files_without_comment_syntax_are_unchanged() -> None:
    assert syntax_of("package.json") is None


def test_drawn_edits_are_stable() -> None:
    cases = [case("1" * 40)._replace(id=name) for name in "abc"]
    drawing = draw_edits(cases, 30)
    assert drawing == draw_edits(cases, 30)
    assert {draw.case for draw in drawing} == {"a", "b", "c"}


def test_edit_that_moves_earlier_bytes_is_reported() -> None:
    text = format_edits([Edit("a", "x.py", True, 0.9), Edit("b", "y.py", False, 0.1)])
    assert (
        "2 times: all bytes above its heading stay in 50.0%; unchanged prefix 50.0%"
        in text
    )
    assert "moved: `b`, `y.py`" in text


def test_commits_without_an_effect_are_counted_separately() -> None:
    text = format_replay([Step("1", 1.0), Step("2", 1.0), Step("3", 0.5)], "some+shop")
    assert "3 successive commits of some/shop" in text
    assert (
        "100.0% of the tokens (median); 50.0% over the 1 commits that changed the scene"
        in text
    )
