from __future__ import annotations

from itertools import pairwise

from memory import CARD, Letters, Walked, card, views, walked

from cuedeck.scene.budget import Plan, gives_way, plan
from cuedeck.scene.visit_heading import entry_tokens

COUNT = Letters()
TEXT = "# Heading\n\n" + "word " * 200
ROOT = {CARD: card(*(f"docs/{name}.md" for name in "abc"))}
DOCS: dict[str, str | bytes] = {f"docs/{name}.md": TEXT + "\n" for name in "bc"}
DEEP: dict[str, str | bytes] = {
    "docs/a.md": TEXT + " [[d]]\n",
    "docs/d.md": TEXT + " [[e]]\n",
    "docs/e.md": TEXT,
}
FILES: dict[str, str | bytes] = {**ROOT, **DOCS, **DEEP}
ENOUGH = 100_000


def planned(
    here: Walked, room: int, notice: int = 0, budget: int = 8_000, held: int = 0
) -> Plan:
    return plan(here.visits, views(here, budget, COUNT), room, notice, held)


def shown(result: Plan) -> dict[str, str]:
    return {
        each.visit.address.removeprefix("docs/"): each.view for each in result.shown
    }


def needed(result: Plan) -> int:
    for each in result.shown:
        assert each.tokens == COUNT.count(each.head) + COUNT.count(each.body)
        assert each.cost == each.tokens + (
            entry_tokens(each.entry, COUNT) if each.entry else 0
        )
    return sum(each.cost for each in result.shown)


def needed_in_full(here: Walked) -> int:
    return needed(planned(here, ENOUGH))


def test_without_pressure_everything_is_shown_as_planned() -> None:
    result = planned(walked(FILES), ENOUGH)
    assert not result.pressed and result.left_out == ()
    assert set(shown(result).values()) == {"full"}


def test_what_fits_exactly_is_not_pressed_and_needs_no_notice() -> None:
    here = walked(FILES)
    room = needed_in_full(here)
    assert not planned(here, room, notice=ENOUGH).pressed
    assert planned(here, room - 1).pressed


def test_the_notice_has_its_room_as_soon_as_something_gives_way() -> None:
    here = walked(FILES)
    room = needed_in_full(here) - 1
    assert needed(planned(here, room, notice=500)) <= room - 500


def test_the_far_end_gives_way_first_and_shrinks_before_it_leaves() -> None:
    here = walked(FILES)
    room = needed_in_full(here)
    states = [shown(planned(here, room - less)) for less in range(0, 1_200, 10)]
    assert states[1] == states[0] | {"e.md": "outline"}
    ways = ["full", "outline", "line", None]
    for before, after in pairwise(states):
        if before.get("d.md") == after.get("d.md"):
            assert ways.index(after.get("e.md")) >= ways.index(before.get("e.md"))
        if after["c.md"] == "line":
            assert {after.get("d.md"), after.get("e.md")} <= {"line", None}


def test_root_and_depth_1_keep_a_line_while_lines_fit() -> None:
    here = walked(FILES)
    for room in range(needed_in_full(here), 400, -25):
        assert {CARD, "a.md", "b.md", "c.md"} <= set(shown(planned(here, room)))


def test_where_not_even_lines_fit_the_nearest_and_first_are_kept() -> None:
    here = walked(FILES)
    near = [CARD, "a.md", "b.md", "c.md"]
    sizes = set()
    for room in range(60, 300, 7):
        kept = [name for name in shown(planned(here, room)) if name in near]
        assert kept == near[: len(kept)]
        sizes.add(len(kept))
    assert sizes >= {2, 3, 4}
    assert shown(planned(here, 10)) == {}


def test_a_root_too_long_keeps_its_head_with_a_visible_cut() -> None:
    here = walked(
        {
            **FILES,
            CARD: card(
                *(f"docs/{name}.md" for name in "abc"), body="words of the task\n" * 500
            ),
        }
    )
    result = planned(here, 1_500)
    root = result.shown[0]
    assert root.view == "section" and root.reduced
    assert root.body.endswith(
        f"\n⋮ {root.visit.lines[1] - root.lines[1]} lines\n```\n\n"
    )
    assert shown(result) | {CARD: ""} == {
        CARD: "",
        "a.md": "line",
        "b.md": "line",
        "c.md": "line",
    }
    assert 1_400 < needed(result) <= 1_500


def test_a_long_root_keeps_a_share_where_hundreds_of_lines_would_take_all() -> None:
    refs = [f"docs/{number}.md" for number in range(300)]
    files: dict[str, str | bytes] = {
        CARD: card(*refs, body="words of the task\n" * 500)
    }
    files |= dict.fromkeys(refs, TEXT)
    result = planned(walked(files), 4_000)
    assert 900 < result.shown[0].tokens < 1_200
    assert 30 < len(result.shown) < 300 and needed(result) > 3_900


def test_a_short_root_among_hundreds_is_shown_whole_and_holds_nothing_back() -> None:
    refs = [f"docs/{number}.md" for number in range(300)]
    files: dict[str, str | bytes] = {
        CARD: card(body="".join(f"[[{ref}]]" for ref in refs[:20]) + "\n")
    }
    files |= dict.fromkeys(refs, TEXT)
    result = planned(walked(files), 1_500)
    assert result.shown[0].view == "full"
    assert 1_500 - needed(result) < 95


def test_a_pin_is_planned_before_depth_1_however_deep_it_is() -> None:
    pinned = "---\nrefs:\n  - {ref: docs/e.md, pin: true}\n---\n" + TEXT
    here = walked({**FILES, "docs/d.md": pinned})
    assert here.visit("docs/e.md").depth == 3
    room = needed_in_full(here)
    result = shown(planned(here, room - 700))
    assert (result["e.md"], result["c.md"]) == ("full", "outline")
    few = [list(shown(planned(here, room))) for room in range(60, 200)]
    assert {tuple(kept) for kept in few if len(kept) == 2} == {(CARD, "e.md")}


def test_a_misfit_is_skipped_and_does_not_stop_the_rest() -> None:
    files: dict[str, str | bytes] = {
        **ROOT,
        **DOCS,
        "docs/a.md": "# A\n\n" + "word " * 5_000,
        "docs/c.md": "short\n",
    }
    result = shown(planned(walked(files), 1_500))
    assert result == {CARD: "full", "a.md": "outline", "b.md": "full", "c.md": "full"}


def test_a_task_shorter_than_its_line_is_shown_in_full() -> None:
    here = walked({CARD: "---\ntitle: Fix\n---\nx\n"})
    line = views(here, 8_000, COUNT).offer(here.visits[0], "line", ENOUGH)
    full = views(here, 8_000, COUNT).offer(here.visits[0], "full", ENOUGH)
    assert line is not None and full is not None and full.cost < line.cost
    assert [each.view for each in planned(here, full.cost).shown] == ["full"]


def test_a_line_view_is_a_map_line_alone() -> None:
    here = walked(FILES)
    result = planned(here, 200)
    lines = [each for each in result.shown if each.view == "line" and each.visit.depth]
    assert lines and all(
        (each.head, each.body, each.tokens) == ("", "", 0) and each.entry
        for each in lines
    )


def test_a_large_source_planned_by_its_outline_is_not_pressed() -> None:
    here = walked(
        {CARD: card("src/a.py"), "src/a.py": "def f():\n    pass\n\n\n" * 900}
    )
    result = planned(here, 8_000, budget=8_000)
    assert not result.pressed
    assert [each.view for each in result.shown] == ["full", "outline"]


def test_docs_that_only_docs_link_leave_the_room_that_is_held() -> None:
    """Docs that link one another fill any budget, and nothing the card's words find was
    shown.
    """
    here = walked(FILES)
    room = needed_in_full(here) + 500
    assert not planned(here, room, held=500).pressed
    result = planned(here, room, held=501)
    assert shown(result) == shown(planned(here, ENOUGH)) | {"e.md": "outline"}
    assert result.free >= 501


def test_what_the_card_names_gives_no_way() -> None:
    here = walked({**ROOT, **DOCS, "docs/a.md": TEXT})
    room = needed_in_full(here)
    assert planned(here, room, held=room) == planned(here, room)


def test_only_a_whole_doc_that_docs_link_gives_way() -> None:
    linked = {
        "docs/a.md": TEXT + " [[d#heading]] [[e]]\n",
        "docs/d.md": TEXT,
        "docs/e.md": TEXT,
    }
    here = walked({**ROOT, **DOCS, **linked})
    assert [visit.address for visit in here.visits if gives_way(visit)] == ["docs/e.md"]


def test_every_visit_is_shown_or_left_out() -> None:
    here = walked(FILES)
    for room in range(0, needed_in_full(here) + 100, 37):
        result = planned(here, room)
        addresses = [each.visit.address for each in result.shown] + [
            visit.address for visit in result.left_out
        ]
        assert sorted(addresses) == sorted(here.addresses)
        assert needed(result) <= room
