from __future__ import annotations

from itertools import pairwise

from memory import CARD, LetterCounter, WalkedWorkspace, card, views, walk_files

from cuedeck.context.scene.budget import Plan, plan
from cuedeck.context.scene.visit_heading import entry_tokens

COUNT = LetterCounter()
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


def plan_scene(
    here: WalkedWorkspace,
    room: int,
    notice_cost: int = 0,
    budget: int = 8_000,
    reserved: int = 0,
) -> Plan:
    return plan(here.visits, views(here, budget, COUNT), room, notice_cost, reserved)


def shown_views(result: Plan) -> dict[str, str]:
    return {
        each.visit.address.removeprefix("docs/"): each.view for each in result.shown
    }


def total_cost(result: Plan) -> int:
    for each in result.shown:
        assert each.tokens == COUNT.count(each.head) + COUNT.count(each.body)
        assert each.cost == each.tokens + (
            entry_tokens(each.entry, COUNT) if each.entry else 0
        )
    return sum(each.cost for each in result.shown)


def total_cost_in_full(here: WalkedWorkspace) -> int:
    return total_cost(plan_scene(here, ENOUGH))


def test_deepest_visits_are_reduced_first_and_then_dropped() -> None:
    here = walk_files(FILES)
    room = total_cost_in_full(here)
    states = [
        shown_views(plan_scene(here, room - less)) for less in range(0, 1_200, 10)
    ]
    assert states[1] == states[0] | {"e.md": "outline"}
    ways = ["full", "outline", "line", None]
    for before, after in pairwise(states):
        if before.get("d.md") == after.get("d.md"):
            assert ways.index(after.get("e.md")) >= ways.index(before.get("e.md"))
        if after["c.md"] == "line":
            assert {after.get("d.md"), after.get("e.md")} <= {"line", None}


def test_root_and_depth_1_keep_a_line_while_lines_fit() -> None:
    here = walk_files(FILES)
    for room in range(total_cost_in_full(here), 400, -25):
        assert {CARD, "a.md", "b.md", "c.md"} <= set(
            shown_views(plan_scene(here, room))
        )


def test_nearest_and_first_visits_are_kept_when_not_all_lines_fit() -> None:
    here = walk_files(FILES)
    near = [CARD, "a.md", "b.md", "c.md"]
    sizes = set()
    for room in range(60, 300, 7):
        kept = [name for name in shown_views(plan_scene(here, room)) if name in near]
        assert kept == near[: len(kept)]
        sizes.add(len(kept))
    assert sizes >= {2, 3, 4}
    assert shown_views(plan_scene(here, 10)) == {}


def test_long_root_is_cut_visibly() -> None:
    here = walk_files(
        {
            **FILES,
            CARD: card(
                *(f"docs/{name}.md" for name in "abc"), body="words of the task\n" * 500
            ),
        }
    )
    result = plan_scene(here, 1_500)
    root = result.shown[0]
    assert root.view == "section" and root.reduced
    assert root.body.endswith(
        f"\n⋮ {root.visit.lines[1] - root.lines[1]} lines\n```\n\n"
    )
    assert shown_views(result) | {CARD: ""} == {
        CARD: "",
        "a.md": "line",
        "b.md": "line",
        "c.md": "line",
    }
    assert 1_400 < total_cost(result) <= 1_500


def test_long_root_keeps_a_share_when_hundreds_of_lines_would_take_all_room() -> None:
    refs = [f"docs/{number}.md" for number in range(300)]
    files: dict[str, str | bytes] = {
        CARD: card(*refs, body="words of the task\n" * 500)
    }
    files |= dict.fromkeys(refs, TEXT)
    result = plan_scene(walk_files(files), 4_000)
    assert 900 < result.shown[0].tokens < 1_200
    assert 30 < len(result.shown) < 300 and total_cost(result) > 3_900


def test_short_root_among_hundreds_of_refs_is_shown_in_full() -> None:
    refs = [f"docs/{number}.md" for number in range(300)]
    files: dict[str, str | bytes] = {
        CARD: card(body="".join(f"[[{ref}]]" for ref in refs[:20]) + "\n")
    }
    files |= dict.fromkeys(refs, TEXT)
    result = plan_scene(walk_files(files), 1_500)
    assert result.shown[0].view == "full"
    assert 1_500 - total_cost(result) < 95


def test_pinned_visit_is_planned_before_depth_1() -> None:
    pinned = "---\nrefs:\n  - {ref: docs/e.md, pin: true}\n---\n" + TEXT
    here = walk_files({**FILES, "docs/d.md": pinned})
    assert here.visit("docs/e.md").depth == 3
    room = total_cost_in_full(here)
    result = shown_views(plan_scene(here, room - 700))
    assert (result["e.md"], result["c.md"]) == ("full", "outline")
    few = [list(shown_views(plan_scene(here, room))) for room in range(60, 200)]
    assert {tuple(kept) for kept in few if len(kept) == 2} == {(CARD, "e.md")}


def test_visit_that_does_not_fit_is_skipped_without_stopping_the_others() -> None:
    files: dict[str, str | bytes] = {
        **ROOT,
        **DOCS,
        "docs/a.md": "# A\n\n" + "word " * 5_000,
        "docs/c.md": "short\n",
    }
    result = shown_views(plan_scene(walk_files(files), 1_500))
    assert result == {CARD: "full", "a.md": "outline", "b.md": "full", "c.md": "full"}


def test_task_shorter_than_its_line_is_shown_in_full() -> None:
    here = walk_files({CARD: "---\ntitle: Fix\n---\nx\n"})
    line = views(here, 8_000, COUNT).offer(here.visits[0], "line", ENOUGH)
    full = views(here, 8_000, COUNT).offer(here.visits[0], "full", ENOUGH)
    assert line is not None and full is not None and full.cost < line.cost
    assert [each.view for each in plan_scene(here, full.cost).shown] == ["full"]


def test_docs_that_only_docs_link_leave_the_reserved_room() -> None:
    """Docs that link each other used to fill any budget, and no result of the card's
    words was shown.
    """
    here = walk_files(FILES)
    room = total_cost_in_full(here) + 500
    assert not plan_scene(here, room, reserved=500).pressed
    result = plan_scene(here, room, reserved=501)
    assert shown_views(result) == shown_views(plan_scene(here, ENOUGH)) | {
        "e.md": "outline"
    }
    assert result.free >= 501


def test_every_visit_is_either_shown_or_left_out() -> None:
    here = walk_files(FILES)
    for room in range(0, total_cost_in_full(here) + 100, 37):
        result = plan_scene(here, room)
        addresses = [each.visit.address for each in result.shown] + [
            visit.address for visit in result.left_out
        ]
        assert sorted(addresses) == sorted(here.addresses)
        assert total_cost(result) <= room
