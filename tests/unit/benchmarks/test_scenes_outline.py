"""Parsing of the output of any system."""

from __future__ import annotations

import pytest

from benchmarks.scenes.lines import canonical, weight
from benchmarks.scenes.outline import Paths, read_outline

TREE = ["README.md", "docs/the guide.md", "src/a.py", "src/deep/b.py", ".github/ci.yml"]


@pytest.mark.parametrize(
    "line",
    [
        "def f( a ):",
        "│    def f( a ):",
        "  12: def  f( a ):",
        "12 | def f( a ):",
        "⋮ def f( a ):",
        "> def f( a ):  ",
    ],
)
def test_bars_numbers_and_blanks_are_ignored(line: str) -> None:
    assert canonical(line) == "def f( a ):"
    assert weight(canonical(line)) == 8


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("see src/a.py, or ./src/deep/b.py.", ["src/a.py", "src/deep/b.py"]),
        ("/home/me/work/src/a.py:12", ["src/a.py"]),
        ("`src/a.py#Login`", ["src/a.py"]),
        ("<file path='README.md'>", ["README.md"]),
        ("other/README.md", []),
        ("a.py", []),
        ("docs/the guide.md and src/a.py", ["src/a.py", "docs/the guide.md"]),
        (".github/ci.yml", [".github/ci.yml"]),
        ("no path at all", []),
    ],
)
def test_paths_are_found_in_running_text(line: str, found: list[str]) -> None:
    assert Paths(TREE).within(line) == found


def test_heading_is_a_path_with_little_else() -> None:
    text = (
        "about src/a.py\nsrc/a.py and README.md\n### `src/deep/b.py` (lines 1-4)\nx = 1\n"
        + "y" * 41
        + " README.md\n"
    )
    outline = read_outline(text, Paths(TREE))
    assert outline.headed == ["src/a.py", "src/deep/b.py"]
    assert outline.named == {"src/a.py", "README.md", "src/deep/b.py"}
    assert outline.shown["src/deep/b.py"][1] == "x = 1"
    assert outline.shown["README.md"] == [
        "src/a.py and README.md",
        "y" * 41 + " README.md",
    ]
