from __future__ import annotations

from typing import Any

from cuedeck.shells.operations.scene_summary import changes


def scene(receipt: str, tokens: int = 1_000, card: str = "card.md") -> dict[str, Any]:
    return {
        "receipt": receipt * 64,
        "tokens": tokens,
        "card": card,
        "budget": 16_000,
        "encoding": "o200k_base",
    }


def node(address: str, tokens: int) -> dict[str, Any]:
    return {
        "address": address,
        "tier": "explicit",
        "view": "full",
        "tokens": tokens,
        "why": "named",
    }


def change(address: str, **pairs: Any) -> dict[str, Any]:
    same = {
        "tier": ["explicit"] * 2,
        "view": ["full"] * 2,
        "tokens": [90, 90],
        "lines": ["1-9"] * 2,
        "why": ["as"] * 2,
    }
    return {"address": address, "text": False, "moved": False, **same, **pairs}


def diff_text(*changed: dict[str, Any], **parts: Any) -> str:
    answer = {
        "before": scene("a"),
        "after": scene("b", 1_200),
        "came": [],
        "went": [],
        "changed": list(changed),
    }
    lines = changes({**answer, "unchanged_prefix_tokens": 210, **parts})
    return "\n".join(lines) + "\n"


def test_one_row_for_each_visit_then_the_totals() -> None:
    both = diff_text(
        change("docs/c.md", view=["full", "outline"], tokens=[1_300, 90], text=True),
        change("docs/d.md", text=True, lines=["1-9", "1-10"]),
        change("docs/e.md", moved=True, why=["as", "because"]),
        came=[node("docs/a.md", 1_100)],
        went=[node("docs/b.md", 80)],
    )
    assert both.splitlines() == [
        "change         address    view                tokens  why",
        "added          docs/a.md  full             0 → 1,100  named",
        "removed        docs/b.md  full                80 → 0  named",
        "resized        docs/c.md  full → outline  1,300 → 90  as",
        "edited         docs/d.md  full                    90  as",
        "moved, reason  docs/e.md  full                    90  because",
        f"1,000 tokens (receipt {'a' * 12}) → 1,200 tokens (receipt {'b' * 12}); the first 210 tokens are equal",
    ]


def test_an_unchanged_scene_is_reported_as_unchanged() -> None:
    assert (
        diff_text(after=scene("a"))
        == f"nothing changed: 1,000 tokens, receipt {'a' * 12}\n"
    )
    assert diff_text().splitlines()[0] == "no file changed"
