from __future__ import annotations

import shlex
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory import CARD, Letters, card, tokens, views, walked

from cuedeck.model.scene_values import Visit
from cuedeck.scene.visit_heading import Labels, command

LONG = f"docs/{'x' * 200}.md"
AWS = "AKIA" + "QYLPMN5HHHFPZAM2"


def visit(address: str = "docs/a.md", **changes: object) -> Visit:
    found = walked({CARD: card("docs/a.md"), "docs/a.md": "text\n" * 9}).visit("docs/a.md")
    return replace(found, address=address, **changes)  # type: ignore[arg-type]


def labels(budget: int = 16_000) -> Labels:
    return views(walked({CARD: card()}), budget).labels


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("docs/a.md", "cuedeck read docs/a.md"),
        ("docs/a.md#Login-Flow", "cuedeck read docs/a.md#Login-Flow"),
        ("docs/über.md", "cuedeck read docs/über.md"),
        ("docs/a b.md#c d", "cuedeck read 'docs/a b.md#c d'"),
        ("it's.md", "cuedeck read 'it'\\''s.md'"),
        ("$(rm -rf x).md", "cuedeck read '$(rm -rf x).md'"),
        ("-x.md", "cuedeck read -- -x.md"),
        ("#x.md", "cuedeck read '#x.md'"),
    ],
)
def test_a_command_can_be_pasted_into_a_shell(address: str, expected: str) -> None:
    assert command(address) == expected


@given(st.text(min_size=1, max_size=30))
def test_a_shell_reads_back_the_address(address: str) -> None:
    assert shlex.split(command(address))[-1] == address


def test_a_heading_holds_the_address_alone_and_depth_view_and_reason_stand_below() -> None:
    assert labels().head(visit(), "full", (1, 9), None) == (
        f"### `docs/a.md` (lines 1-9)\ndepth 1, shown in full: named in the refs of {CARD} (line 5)\n\n"
    )
    assert labels().head(visit(), "line", (1, 9), 77) == (
        "### `docs/a.md` (lines 1-9)\n"
        f"depth 1, shown as line: named in the refs of {CARD} (line 5); all 77 tokens: `cuedeck read docs/a.md`\n\n"
    )


@pytest.mark.parametrize(
    ("spans", "lines", "shown"),
    [
        (((1, 9),), (1, 9), "lines 1-9"),
        (((4, 4),), (4, 4), "line 4"),
        (((1, 2), (5, 5)), (1, 5), "lines 1-2, 5"),
        (((1, 9),), (1, 3), "lines 1-3"),
        (((1, 1), (3, 3), (5, 5), (7, 7), (9, 9)), (1, 9), "lines 1, 3, 5 and 2 ranges more"),
    ],
)
def test_a_heading_names_the_lines(spans: tuple[tuple[int, int], ...], lines: tuple[int, int], shown: str) -> None:
    assert f" ({shown})\n" in labels().head(visit(spans=spans), "full", lines, None)


def test_a_small_budget_cuts_names_and_reasons_visibly_and_names_no_command_then() -> None:
    long = visit(LONG, why=f"reached by the link on line 1 of {LONG}")
    head = labels(200).head(long, "line", (1, 9), 77)
    assert "…`" in head and "cuedeck read" not in head
    assert tokens().count(labels(200).entry(long)) < 60
    assert labels().name(long) == LONG


def test_no_budget_cuts_the_address_of_a_card_with_a_usual_id() -> None:
    assert labels(200).name(visit(CARD)) == CARD


def test_an_address_that_was_changed_for_show_is_no_command() -> None:
    for address in (f"docs/a.md#key {AWS}", "a\nb.md"):
        head = labels().head(visit(address), "line", (1, 9), 77)
        assert "cuedeck read" not in head and AWS not in head
        assert head.count("\n") == 3


def test_an_address_with_a_backtick_is_shown_as_it_is() -> None:
    found = visit("docs/a`b.md", via="docs/a`b.md", why="linked in docs/a`b.md")
    assert labels().entry(found) == "- `` docs/a`b.md `` linked in docs/a'b.md\n"
    assert labels().head(found, "line", (1, 9), 77).startswith("### `` docs/a`b.md `` (lines 1-9)\n")
    assert "all 77 tokens: `` cuedeck read 'docs/a`b.md' ``\n" in labels().head(found, "line", (1, 9), 77)
    assert labels().row(found, 77, "over budget").startswith("> - `` docs/a`b.md `` (depth 1")
    assert labels().related(found, "full").startswith("### `` docs/a`b.md ``\n")


def test_names_stay_on_one_line_even_when_they_are_absurd() -> None:
    entry = labels().entry(visit("a" * 5_000 + "\n# x", why="b" * 5_000))
    assert entry.count("\n") == 1 and len(entry) < 1_000


def test_a_row_of_the_notice_names_size_reason_and_command() -> None:
    assert labels().row(visit(), 77, "over budget") == (
        "> - `docs/a.md` (depth 1, 77 tokens, over budget): `cuedeck read docs/a.md`\n"
    )


def test_a_reason_is_masked_by_what_the_file_it_names_knows() -> None:
    here = walked({CARD: card(f"'docs/a.md#key {AWS}'"), "docs/a.md": f"# key {AWS}\n\n[[b]]\n", "docs/b.md": ""})
    written = "".join(views(here).labels.entry(each) for each in here.visits)
    assert AWS not in written and written.count("<secret:aws-key:1>") == 2


def test_names_are_the_same_with_any_counter() -> None:
    here = walked({CARD: card()})
    assert views(here, count=Letters()).labels.name(visit()) == "docs/a.md"
