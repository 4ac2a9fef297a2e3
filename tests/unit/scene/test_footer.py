from __future__ import annotations

import hashlib

import pytest
from memory import Memory, tokens

from cuedeck.model.scene_values import Unresolved
from cuedeck.parse.secrets import find_secrets
from cuedeck.scene.footer import Footer
from cuedeck.scene.mask import Mask

RECEIPT = hashlib.sha256(b"x").hexdigest()
AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
COUNT = tokens()


def miss(ref: str = "docs/x.md", **changes: object) -> Unresolved:
    found = Unresolved(ref, "docs/a.md", 3, "wiki", "missing", "", ())
    return found._replace(**changes)  # type: ignore[arg-type]


def footer(
    *unresolved: Unresolved, budget: int = 16_000, receipt: str = RECEIPT
) -> Footer:
    mask = Mask(Memory({"docs/a.md": "text\n", "a\nb": "text\n"}), find_secrets)
    return Footer("card.md", budget, COUNT, receipt, unresolved, mask)


def test_the_footer_names_card_budget_tokens_encoding_and_receipt() -> None:
    text, total = footer().text(1_000)
    line = f"card `card.md` · limit 16000 · {total} tokens o200k_base"
    assert text == f"## Receipt\n\n{line}\nsha256 {RECEIPT[:12]}\n"


@pytest.mark.parametrize(
    "used", [0, 1, 9, 90, 99, 900, 940, 950, 960, 999, 9_950, 99_940]
)
def test_the_number_of_tokens_counts_itself(used: int) -> None:
    for shift in range(60):
        text, total = footer().text(used + shift)
        assert total == used + shift + COUNT.count(text)


def test_dead_refs_are_listed_with_place_and_suggestion() -> None:
    text, _ = footer(
        miss(suggestion="docs/y.md"),
        miss("auth", reason="ambiguous", candidates=("a.md", "b.md")),
        miss("gone", source=".cuedeck/config.toml", line=0, form="pinned"),
    ).text(1_000)
    assert " · 3 unresolved\n" in text
    assert text.endswith(
        "\n\n- unresolved: `docs/x.md` (missing) on line 3 of docs/a.md; nearest: docs/y.md\n"
        "- unresolved: `auth` (ambiguous) on line 3 of docs/a.md; fits a.md, b.md\n"
        "- unresolved: `gone` (missing) in .cuedeck/config.toml\n"
    )


def test_names_with_a_backtick_are_shown_as_they_are() -> None:
    text, _ = footer(miss("a`c.md", suggestion="a`b.md")).text(1_000)
    assert text.endswith(
        "- unresolved: `` a`c.md `` (missing) on line 3 of docs/a.md; nearest: `` a`b.md ``\n"
    )


def test_dead_refs_that_do_not_fit_are_counted() -> None:
    text, total = footer(
        *(miss(f"docs/{n}.md") for n in range(10_000)), budget=500
    ).text(300)
    assert total <= 500
    assert "- unresolved: `docs/0.md`" in text and text.endswith(
        " more, see `cuedeck doctor`\n"
    )
    assert " · 10000 unresolved\n" in text


def test_what_is_set_aside_is_enough_for_what_is_written() -> None:
    for budget in (200, 400, 2_000, 16_000):
        for count in (0, 1, 5, 300):
            made = footer(*(miss(f"docs/{n}.md") for n in range(count)), budget=budget)
            for share in (0, 20, budget // 10):
                used = budget - made.most(share)
                assert made.text(used)[1] <= budget


def test_the_hash_does_not_move_the_plan_where_there_is_room() -> None:
    """The digits cost 4 to 12 tokens; with their own cost reserved each edit would move
    the views of the far end.
    """
    receipts = [hashlib.sha256(bytes([n])).hexdigest() for n in range(40)]
    assert len({COUNT.count(receipt[:12]) for receipt in receipts}) > 1
    assert len({footer(receipt=receipt).least for receipt in receipts}) == 1


def test_secrets_do_not_leave_by_a_dead_ref() -> None:
    text, _ = footer(
        miss(
            f"docs/{AWS}.md",
            suggestion=f"docs/a.md#{AWS}",
            candidates=(AWS,),
            reason="ambiguous",
        )
    ).text(9)
    assert AWS not in text


def test_a_ref_cannot_forge_a_line() -> None:
    text, _ = footer(miss("x`\n## Fake", source="a\nb")).text(9)
    assert "\n## Fake" not in text and text.count("\n") == 6
