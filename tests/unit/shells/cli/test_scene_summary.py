from __future__ import annotations

from typing import Any

from cuedeck.shells.operations.scene import MOST_ROWS, summary


def visit(address: str, tier: str = "explicit") -> dict[str, Any]:
    return {
        "address": address,
        "tier": tier,
        "depth": 1,
        "view": "full",
        "tokens": 1_234,
    }


def lines(*visits: dict[str, Any]) -> list[str]:
    report = {
        "visits": visits,
        "left_out": [],
        "unresolved": [],
        "path": "SCENE.md",
        "written": True,
        "blocks": [],
    }
    text = summary({**report, "tokens": 9, "budget": 10, "encoding": "letters"})
    return "\n".join(text).splitlines()


def test_one_tier_needs_no_column() -> None:
    assert lines(visit("a.md")) == [
        "depth  address  view  tokens",
        "    1  a.md     full   1,234",
        "SCENE.md: 9 of 10 tokens (letters)",
    ]
    assert lines() == ["SCENE.md: 9 of 10 tokens (letters)"]


def test_related_visits_follow_the_linked_ones() -> None:
    assert lines(visit("b.py", "related"), visit("a.md"), visit("a.py", "related"))[
        :4
    ] == [
        "tier     depth  address  view  tokens",
        "linked       1  a.md     full   1,234",
        "related      1  b.py     full   1,234",
        "related      1  a.py     full   1,234",
    ]


def test_the_rows_of_both_tiers_are_limited_together() -> None:
    many = [visit(f"{number}.md") for number in range(15)] + [
        visit(f"{number}.py", "related") for number in range(15)
    ]
    shown = lines(*many)
    assert len(shown) == 1 + MOST_ROWS + 2
    assert shown[-2] == "… and 10 more"
    assert shown[16].split()[:3] == ["related", "1", "0.py"]


def test_blocks_without_room_are_named() -> None:
    blocks = [
        {"name": name, "tokens": tokens, "cap": 10}
        for name, tokens in (("decisions", 0), ("memory", 9))
    ]
    report = {
        "visits": [],
        "left_out": [],
        "unresolved": [],
        "path": "SCENE.md",
        "written": True,
        "blocks": blocks,
    }
    whole = {**report, "tokens": 9, "budget": 10, "encoding": "letters"}
    shown = "\n".join(summary(whole))
    assert shown.splitlines()[1:] == ["no room for: decisions"]
