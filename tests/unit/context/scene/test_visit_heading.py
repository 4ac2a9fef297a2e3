from __future__ import annotations

from dataclasses import replace

import pytest
from memory import CARD, card, tokens, views, walk_files

from cuedeck.context.scene.visit_heading import VisitRenderer, command
from cuedeck.model.scene_values import Visit

LONG = f"docs/{'x' * 200}.md"
AWS = "AKIA" + "QYLPMN5HHHFPZAM2"


def visit(address: str = "docs/a.md", **changes: object) -> Visit:
    found = walk_files({CARD: card("docs/a.md"), "docs/a.md": "text\n" * 9}).visit(
        "docs/a.md"
    )
    return replace(found, address=address, **changes)  # type: ignore[arg-type]


def map_line(visit: Visit, budget: int = 16_000) -> str:
    """Return the map line of a visit that is shown in full."""
    return renderer(budget).show(visit, "full", "", visit.spans, 9).entry


def renderer(budget: int = 16_000) -> VisitRenderer:
    return views(walk_files({CARD: card()}), budget).renderer


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
def test_command_can_be_pasted_into_a_shell(address: str, expected: str) -> None:
    assert command(address) == expected


def test_heading_has_only_the_address_with_depth_view_and_reason_below() -> None:
    assert renderer().show(visit(), "full").head == (
        f"### `docs/a.md`\ndepth 1, shown in full: named in the refs of {CARD} (line 5)\n\n"
    )
    assert renderer().show(visit(), "outline", size=77).head == (
        "### `docs/a.md`\n"
        f"depth 1, shown as outline: named in the refs of {CARD} (line 5); all 77 tokens: `cuedeck read docs/a.md`\n\n"
    )


@pytest.mark.parametrize(
    ("spans", "shown"),
    [
        (((1, 9),), "1-9"),
        (((4, 4),), "4"),
        (((1, 2), (5, 5)), "1-2, 5"),
        (((1, 1), (3, 3), (5, 5), (7, 7), (9, 9)), "1, 3, 5, 7, 9"),
        (
            ((1, 1), (3, 3), (5, 5), (7, 7), (9, 9), (110, 120), (130, 140)),
            "1, 3, 5, 7, 9 +2",
        ),
        (((1_000_001, 2_000_002), (3_000_003, 3_000_004)), "1000001-2000002 +1"),
    ],
)
def test_map_line_names_line_ranges_and_counts_the_others(
    spans: tuple[tuple[int, int], ...], shown: str
) -> None:
    reason = f"named in the refs of {CARD} (line 5)"
    related = visit(edge="text", tier="related")
    assert (
        renderer().show(visit(), "section", "", spans, 9, 77).entry
        == f"- `docs/a.md` {shown}: {reason}\n"
    )
    assert (
        renderer().show(related, "section", "", spans, 9).entry
        == f"- `docs/a.md` {shown}: words in its text\n"
    )


def test_map_line_without_shown_lines_names_the_view() -> None:
    reason = f"named in the refs of {CARD} (line 5)"
    assert (
        renderer().show(visit(), "line", "", (), 9, 77).entry
        == f"- `docs/a.md` not shown, 77 tokens: {reason}\n"
    )
    assert (
        renderer().show(visit(), "outline", "", (), 9, 77).entry
        == f"- `docs/a.md` outline of 9 lines: {reason}\n"
    )
    assert renderer().show(visit(), "line").entry == f"- `docs/a.md` {reason}\n"
    assert renderer().show(visit(depth=0), "full", "", ((1, 9),), 9).entry == ""


def test_status_and_priority_of_the_root_are_masked_and_on_one_line() -> None:
    text = f'---\ntitle: Fix\nstatus: "{AWS}"\npriority: "high\\n# x"\n---\n'
    here = walk_files({CARD: text})
    head = views(here).renderer.show(here.visits[0], "full").head
    assert AWS not in head and head.count("\n") == 3


def test_small_budget_cuts_names_and_reasons_and_omits_the_command() -> None:
    long = visit(LONG, why=f"reached by the link on line 1 of {LONG}")
    head = renderer(200).show(long, "outline", size=77).head
    assert "…`" in head and "cuedeck read" not in head
    assert tokens().count(map_line(long, 200)) < 70
    assert renderer().name(long) == LONG


def test_address_of_a_card_with_a_usual_id_is_never_cut() -> None:
    assert renderer(200).name(visit(CARD)) == CARD


def test_masked_or_folded_address_has_no_command() -> None:
    for address in (f"docs/a.md#key {AWS}", "a\nb.md"):
        head = renderer().show(visit(address), "outline", size=77).head
        assert "cuedeck read" not in head and AWS not in head
        assert head.count("\n") == 3


def test_reason_is_masked_with_the_secrets_of_the_file_it_names() -> None:
    here = walk_files(
        {
            CARD: card(f"'docs/a.md#key {AWS}'"),
            "docs/a.md": f"# key {AWS}\n\n[[b]]\n",
            "docs/b.md": "",
        }
    )
    made = views(here).renderer
    written = "".join(
        made.show(each, "full", "", each.spans, 9).entry for each in here.visits
    )
    assert AWS not in written and written.count("<secret:aws-key:1>") == 2
