"""Names and phrases that were replaced by the terms of the field do not come back."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from source_trees import ROOT, source_modules

PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "changelog.d").glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]

RETIRED_NAMES = {
    "Ahead",
    "Begun",
    "Diary",
    "Drawn",
    "FollowedProject",
    "Following",
    "Ground",
    "Heard",
    "Hearer",
    "Keeper",
    "Ladder",
    "Leaving",
    "Making",
    "Meanings",
    "Met",
    "Occasion",
    "Placed",
    "Project",
    "Quiet",
    "Remembered",
    "Saying",
    "Sayings",
    "Shelf",
    "Sieve",
    "Sized",
    "Stock",
    "TELLING",
    "Tending",
    "Then",
    "Ticked",
    "Told",
    "Toolbox",
    "Warm",
    "Wire",
    "Wish",
    "Wishes",
    "_Draft",
    "_Shelf",
    "_Wishes",
    "going_on",
    "keep_true",
    "look_back",
    "on_one_line",
    "take_down",
    "take_stock",
}
"""Top-level functions and classes that have a standard name now."""

PHRASES = [
    (r"\bTell whether\b", 0),
    (r"\banew\b", 0),
    (r"\bgoes by\b", 0),
    (r"\ball the same\b", 0),
    (r"\bbe it\b", 0),
    (r"\bso many\b", 0),
    (r"\bstands? (?:for|in|behind|there)\b", 0),
    (r"\bis (?:told|said)\b", 0),
    (r"\b(?:what|who) (?:is|was|has|they|it|nobody|somebody)\b", 2),
    (r"\bbeside\b", 0),
    (r"\bmend(?:s|ed|ing)?\b", 0),
    (r"(?<![Tt]here )\bis no (?!longer\b)[a-z]+\b", 0),
]
"""A pattern and how often it may still occur in the code. Lower a number when you
rewrite a text; never raise it.
"""

_QUOTED = re.compile(
    r"^<!-- table: mcp-tools -->$.*?^<!-- /table -->$|^~~~.*?^~~~$",
    re.MULTILINE | re.DOTALL,
)
"""Texts of the program in pages."""


def test_no_retired_name_is_defined() -> None:
    defined = [
        (module.place, node.name)
        for module in source_modules()
        for node in module.tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    ]
    assert [each for each in defined if each[1] in RETIRED_NAMES] == []


@pytest.mark.parametrize(
    ("pattern", "most"), PHRASES, ids=[pattern for pattern, _ in PHRASES]
)
def test_a_phrase_becomes_rarer(pattern: str, most: int) -> None:
    found = sum(len(re.findall(pattern, module.text)) for module in source_modules())
    assert found <= most
    assert found > most - 15 or most < 15, (
        f"only {found} are left: lower the number of {pattern!r}"
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_contains_a_phrase(page: Path) -> None:
    text = _QUOTED.sub("", page.read_text("utf-8"))
    assert [pattern for pattern, _ in PHRASES if re.search(pattern, text)] == []


def test_a_module_name_is_used_once() -> None:
    names = [
        module.path.name
        for module in source_modules()
        if module.path.name not in ("__init__.py", "base.py")
    ]
    assert sorted({name for name in names if names.count(name) > 1}) == []
