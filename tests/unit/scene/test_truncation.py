from __future__ import annotations

from collections.abc import Sequence

from memory import CARD, Letters, card, views, walked

from cuedeck.scene.budget import plan
from cuedeck.scene.footer import format_notice, least_notice, left_out

COUNT = Letters()
FILES: dict[str, str | bytes] = {CARD: card(*(f"docs/{n}.md" for n in range(9)))}
FILES |= {f"docs/{n}.md": "word " * 300 for n in range(9)}


def notice(
    cap: int, room: int = 150, budget: int = 8_000, crowded: Sequence[str] = ()
) -> str:
    here = walked(FILES)
    made = views(here, budget, COUNT)
    planned = plan(here.visits, made, room, 0)
    return format_notice(planned, left_out(planned, made), made, COUNT, cap, crowded)


def test_a_plan_without_pressure_has_no_notice() -> None:
    assert notice(1_000, room=10_000) == ""


def test_what_was_left_out_is_told_with_size_reason_and_command() -> None:
    text = notice(1_000)
    assert text.startswith(
        "> [!WARNING] Truncated\n> Over budget: 5 left out, 4 shown smaller.\n"
    )
    assert (
        "> - `docs/8.md` (depth 1, 376 tokens, over budget): `cuedeck read docs/8.md`\n"
        in text
    )
    assert text.count("\n> - `") == 5 and "more" not in text
    assert text.endswith("\n\n")


def test_what_does_not_fit_is_counted() -> None:
    text = notice(100)
    rows = text.count("\n> - `")
    assert 0 < rows < 5
    assert f"> - and {5 - rows} more, {376 * (5 - rows)} tokens\n" in text


def test_a_cap_too_small_for_a_row_leaves_the_count() -> None:
    assert notice(least_notice(10, COUNT)).startswith(
        "> [!WARNING] Truncated\n> Over budget: 5 left out, 4 shown"
    )
    assert "> - " not in notice(least_notice(10, COUNT))


def test_a_notice_never_exceeds_its_cap() -> None:
    for cap in range(least_notice(10, COUNT), 400):
        assert COUNT.count(notice(cap)) <= cap
        assert COUNT.count(notice(cap, crowded=("decisions", "memory"))) <= cap


def test_blocks_without_room_are_named_where_there_is_room_to() -> None:
    names = ("decisions", "memory")
    assert (
        "left out, 4 shown smaller; no room for blocks: decisions, memory.\n"
        in notice(1_000, crowded=names)
    )
    assert notice(least_notice(10, COUNT), crowded=names) == notice(
        least_notice(10, COUNT)
    )
    alone = "> [!WARNING] Truncated\n> Over budget: no room for blocks: decisions, memory.\n\n"
    assert notice(COUNT.count(alone), room=10_000, crowded=names) == alone
    assert notice(COUNT.count(alone) - 1, room=10_000, crowded=names) == ""


def test_views_that_shrank_make_a_notice_too() -> None:
    here = walked({CARD: card("docs/1.md"), "docs/1.md": "word " * 300})
    made = views(here, 8_000, COUNT)
    planned = plan(here.visits, made, 200, 0)
    assert "0 left out, 1 shown smaller" in format_notice(
        planned, left_out(planned, made), made, COUNT, 100
    )


def test_what_was_left_out_is_known_in_visit_order_with_the_whole_command() -> None:
    here = walked(
        FILES
        | {
            "docs/it's.md": "word " * 300,
            CARD: card(*(f"docs/{n}.md" for n in range(9)), "docs/it's.md"),
        }
    )
    made = views(here, 8_000, COUNT)
    gone = left_out(plan(here.visits, made, 120, 0), made)
    assert [each.address for each in gone][-2:] == ["docs/8.md", "docs/it's.md"]
    assert gone[-1].show == "cuedeck read 'docs/it'\\''s.md'"
    assert (gone[-1].tier, gone[-1].depth, gone[-1].tokens, gone[-1].reason) == (
        "explicit",
        1,
        376,
        "over budget",
    )
