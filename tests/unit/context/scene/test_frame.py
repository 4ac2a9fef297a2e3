from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
import seed_workspace
from memory import CARD, LetterCounter, Memory, card, tokens, views, walk_files

from cuedeck.context.scene.budget import Plan, plan
from cuedeck.context.scene.frame import (
    Footer,
    format_notice,
    least_notice,
    left_out,
    receipt,
)
from cuedeck.context.scene.visit_heading import VisitRenderer
from cuedeck.context.scene.visit_views import Views
from cuedeck.model.scene_values import Unresolved, Visit
from cuedeck.parse.secrets import find_secrets
from cuedeck.parse.secrets.mask import Mask

RECEIPT = hashlib.sha256(b"x").hexdigest()
COUNT = tokens()


def unresolved_ref(ref: str = "docs/x.md", **changes: object) -> Unresolved:
    found = Unresolved(ref, "docs/a.md", 3, "wiki", "missing", "", ())
    return found._replace(**changes)  # type: ignore[arg-type]


def footer(
    *unresolved: Unresolved, budget: int = 16_000, receipt: str = RECEIPT
) -> Footer:
    memory = Memory({"docs/a.md": "text\n", "a\nb": "text\n"})
    renderer = VisitRenderer(memory, Mask(memory, find_secrets), COUNT, budget)
    return Footer(renderer, "card.md", receipt, unresolved)


def test_footer_names_card_budget_tokens_encoding_and_receipt() -> None:
    text, total = footer().text(1_000)
    line = f"card `card.md` · limit 16000 · {total} tokens o200k_base"
    assert text == f"## Receipt\n\n{line}\nsha256 {RECEIPT[:12]}\n"


@pytest.mark.parametrize(
    "used", [0, 1, 9, 90, 99, 900, 940, 950, 960, 999, 9_950, 99_940]
)
def test_token_count_includes_its_own_digits(used: int) -> None:
    for shift in range(60):
        text, total = footer().text(used + shift)
        assert total == used + shift + COUNT.count(text)


def test_dead_refs_are_listed_with_place_and_suggestion() -> None:
    text, _ = footer(
        unresolved_ref(suggestion="docs/y.md"),
        unresolved_ref("auth", reason="ambiguous", candidates=("a.md", "b.md")),
        unresolved_ref("gone", source=".cuedeck/config.toml", line=0, form="pinned"),
    ).text(1_000)
    assert " · 3 unresolved\n" in text
    assert text.endswith(
        "\n\n- unresolved: `docs/x.md` (missing) on line 3 of docs/a.md; nearest: docs/y.md\n"
        "- unresolved: `auth` (ambiguous) on line 3 of docs/a.md; fits a.md, b.md\n"
        "- unresolved: `gone` (missing) in .cuedeck/config.toml\n"
    )


def test_dead_refs_that_do_not_fit_are_counted() -> None:
    text, total = footer(
        *(unresolved_ref(f"docs/{n}.md") for n in range(10_000)), budget=500
    ).text(300)
    assert total <= 500
    assert "- unresolved: `docs/0.md`" in text and text.endswith(
        " more, see `cuedeck doctor`\n"
    )
    assert " · 10000 unresolved\n" in text


def test_reserved_tokens_cover_the_footer() -> None:
    for budget in (200, 400, 2_000, 16_000):
        for count in (0, 1, 5, 300):
            made = footer(
                *(unresolved_ref(f"docs/{n}.md") for n in range(count)), budget=budget
            )
            for share in (0, 20, budget // 10):
                used = budget - made.most(share)
                assert made.text(used)[1] <= budget


def test_ref_cannot_forge_a_line() -> None:
    text, _ = footer(unresolved_ref("x`\n## Fake", source="a\nb")).text(9)
    assert "\n## Fake" not in text and text.count("\n") == 6


VISITS = walk_files(seed_workspace.FILES).visits
HASHES = {"b": "2", "a": "1"}
MISS = Unresolved("x", "y", 1, "wiki", "missing", "", ())


def make_receipt(
    choices: dict[str, object] | None = None,
    hashes: dict[str, str] | None = None,
    visits: tuple[Visit, ...] = VISITS,
    unresolved: tuple[Unresolved, ...] = (),
) -> str:
    return receipt(choices or {"budget": 1}, hashes or HASHES, visits, unresolved)


def test_every_input_of_the_text_changes_the_receipt() -> None:
    first = VISITS[1]
    others = [
        make_receipt(choices={"budget": 2}),
        make_receipt(hashes={"a": "1", "b": "3"}),
        make_receipt(visits=VISITS[:-1]),
        make_receipt(visits=(VISITS[0], VISITS[2], VISITS[1], VISITS[3])),
        make_receipt(unresolved=(MISS,)),
        make_receipt(unresolved=(MISS._replace(suggestion="z"),)),
        make_receipt(unresolved=(MISS._replace(candidates=("z",)),)),
        *(
            make_receipt(visits=(VISITS[0], changed, *VISITS[2:]))
            for changed in (
                replace(first, why="other"),
                replace(first, spans=((1, 2),)),
                replace(first, parts=((1, 2),)),
                replace(first, pinned=True),
                replace(first, wants_full=not first.wants_full),
            )
        ),
    ]
    assert len({make_receipt(), *others}) == len(others) + 1


def test_lone_surrogates_are_hashed() -> None:
    assert make_receipt(unresolved=(MISS._replace(ref="\ud800"),)) != make_receipt()


LETTERS = LetterCounter()
NINE_DOCS: dict[str, str | bytes] = {CARD: card(*(f"docs/{n}.md" for n in range(9)))}
NINE_DOCS |= {f"docs/{n}.md": "word " * 300 for n in range(9)}


@cache
def plan_nine_docs(room: int, budget: int) -> tuple[Plan, Views]:
    here = walk_files(NINE_DOCS)
    made = views(here, budget, LETTERS)
    return plan(here.visits, made, room, 0), made


def truncation_notice(
    cap: int, room: int = 150, budget: int = 8_000, crowded: Sequence[str] = ()
) -> str:
    planned, made = plan_nine_docs(room, budget)
    return format_notice(planned, left_out(planned, made), made.renderer, cap, crowded)


def test_omitted_visit_has_size_reason_and_command() -> None:
    text = truncation_notice(1_000)
    assert text.startswith(
        "> [!WARNING] Truncated\n> Cut to fit: 5 left out, 4 reduced.\n"
    )
    assert (
        "> - `docs/8.md` (depth 1, 376 tokens, over budget): `cuedeck read docs/8.md`\n"
        in text
    )
    assert text.count("\n> - `") == 5 and "more" not in text
    assert text.endswith("\n\n")


def test_blocks_without_room_are_named_when_the_names_fit() -> None:
    names = ("decisions", "memory")
    assert (
        "left out, 4 reduced; no room for: decisions, memory.\n"
        in truncation_notice(1_000, crowded=names)
    )
    assert truncation_notice(
        least_notice(10, LETTERS), crowded=names
    ) == truncation_notice(least_notice(10, LETTERS))
    alone = "> [!WARNING] Truncated\n> Cut to fit: no room for: decisions, memory.\n\n"
    assert truncation_notice(LETTERS.count(alone), room=10_000, crowded=names) == alone
    assert truncation_notice(LETTERS.count(alone) - 1, room=10_000, crowded=names) == ""


def test_omitted_visits_are_listed_in_visit_order_with_the_whole_command() -> None:
    here = walk_files(
        NINE_DOCS
        | {
            "docs/it's.md": "word " * 300,
            CARD: card(*(f"docs/{n}.md" for n in range(9)), "docs/it's.md"),
        }
    )
    made = views(here, 8_000, LETTERS)
    gone = left_out(plan(here.visits, made, 120, 0), made)
    assert [each.address for each in gone][-2:] == ["docs/8.md", "docs/it's.md"]
    assert gone[-1].show == "cuedeck read 'docs/it'\\''s.md'"
    assert (gone[-1].tier, gone[-1].depth, gone[-1].tokens, gone[-1].reason) == (
        "explicit",
        1,
        376,
        "over budget",
    )
