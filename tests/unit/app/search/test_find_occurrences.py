"""Lines that `find` lists for an identifier."""

from __future__ import annotations

from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.app.search.find_places import find


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A workspace with several spellings of one identifier."""
    sandbox.write(
        "src/kinds.py",
        "class Finding:\n    DEAD_LINK = 1\n\n    def push(self):\n        return 1\n",
    )
    sandbox.write(
        "src/checks.ts", "export const deadLink = 'dead-link'\n\nfinding.push()\n"
    )
    sandbox.write(
        "docs/checks.md", "# Checks\n\nUse `--dead-link`. A dead link is bad.\n"
    )
    sandbox.write("CHANGELOG.md", "# Changes\n\n- Report a DeadLink once\n")
    sandbox.write(".github/workflows/ci.yml", "run: check --dead-link\n")
    sandbox.write("package-lock.json", '{"dead-link": 1}\n')
    return sandbox


def occurrences(
    sandbox: Sandbox, query: str, **options: Any
) -> list[tuple[str, int, str]]:
    answer = find(sandbox.workspace(), query, **options)
    return [
        (each["path"], each["line"], each["text"]) for each in answer["occurrences"]
    ]


@pytest.mark.parametrize(
    "query",
    ["dead_link", "DeadLink", "--dead-link", "`DEAD_LINK`", "Finding.DEAD_LINK"],
)
def test_every_line_with_the_identifier_is_found_in_any_spelling(
    shop: Sandbox, query: str
) -> None:
    assert sorted(occurrences(shop, query)) == [
        (".github/workflows/ci.yml", 1, "run: check --dead-link"),
        ("CHANGELOG.md", 3, "- Report a DeadLink once"),
        ("docs/checks.md", 3, "Use `--dead-link`. A dead link is bad."),
        ("src/checks.ts", 1, "export const deadLink = 'dead-link'"),
        ("src/kinds.py", 2, "DEAD_LINK = 1"),
    ]


def test_qualified_name_gives_the_definition_and_then_the_lines_of_its_last_part(
    shop: Sandbox,
) -> None:
    answer = find(shop.workspace(), "Finding.push")
    assert answer["hits"][0]["address"] == "src/kinds.py#Finding.push"
    assert {(each["path"], each["line"]) for each in answer["occurrences"]} == {
        ("src/kinds.py", 4),
        ("src/checks.ts", 3),
    }


@pytest.mark.parametrize("query", ["docs/checks.md", "a dead link", "…"])
def test_query_that_is_no_identifier_has_no_occurrences(
    shop: Sandbox, query: str
) -> None:
    assert occurrences(shop, query) == []


def test_limit_and_offset_apply_to_the_lines(shop: Sandbox) -> None:
    every = occurrences(shop, "dead_link")
    answer = find(shop.workspace(), "dead_link", limit=2)
    assert (len(answer["occurrences"]), answer["occurrences_total"]) == (2, 5)
    assert occurrences(shop, "dead_link", limit=2, offset=2) == every[2:4]


def test_kind_filter_applies_to_the_lines(shop: Sandbox) -> None:
    assert {path for path, _, _ in occurrences(shop, "dead_link", kinds=("doc",))} == {
        "docs/checks.md",
        "CHANGELOG.md",
    }


def test_secret_in_a_line_is_masked(shop: Sandbox) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    shop.write("src/secret.py", f'open_door("{secret}")\n')
    assert secret not in str(find(shop.workspace(), "open_door"))


def test_identifier_of_stop_words_is_found_whole(shop: Sandbox) -> None:
    shop.write("src/add.py", "def add_error():\n    return 1\n")
    assert occurrences(shop, "addError") == [("src/add.py", 1, "def add_error():")]
