from __future__ import annotations

import hashlib

import pytest
from memory import Memory, tokens

from cuedeck.context.scene.idle_scene import render_idle
from cuedeck.context.scene.visit_heading import VisitRenderer
from cuedeck.model.scene_values import Scene
from cuedeck.parse.secrets import find_secrets
from cuedeck.parse.secrets.mask import Mask

AWS = "AKIA" + "QYLPMN5HHHFPZAM2"


def build_without_active_card(
    cards: int, budget: int = 16_000, encoding: str = "o200k_base"
) -> Scene:
    rows = [
        (f".cuedeck/cards/{n:06}.md", "todo", f"Card `{n}` {AWS}\nx")
        for n in range(cards)
    ]
    memory = Memory({path: "" for path, _, _ in rows})
    mask = Mask(memory, find_secrets)
    renderer = VisitRenderer(memory, mask, tokens(encoding), budget)
    receipt = hashlib.sha256(bytes([cards % 256])).hexdigest()
    return render_idle(rows, renderer, receipt)


def test_open_cards_are_listed_without_an_active_card() -> None:
    scene = build_without_active_card(2)
    assert scene.text.startswith("# Scene: no active card\n\n> ")
    assert (
        "- `.cuedeck/cards/000001.md` todo · “Card '1' <secret:aws-key:1> x”\n\n## Receipt\n"
        in scene.text
    )
    assert (scene.card, scene.visits, scene.left_out) == ("", (), ())


def test_card_command_is_named_without_any_open_card() -> None:
    text = build_without_active_card(0).text
    assert '> Create one: `cuedeck card new --activate -- "TITLE"`\n' in text
    assert (
        "Choose one" not in text and "Choose one" in build_without_active_card(1).text
    )


@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
@pytest.mark.parametrize("cards", [0, 1, 5, 400])
def test_list_of_open_cards_stays_within_the_budget(cards: int, encoding: str) -> None:
    for budget in (200, 220, 300, 1_000, 16_000):
        scene = build_without_active_card(cards, budget, encoding)
        exact = len(tokens(encoding).load().encode_ordinary(scene.text))
        assert exact == scene.tokens <= budget
        listed = scene.text.count("- `.cuedeck")
        assert (
            listed == cards
            or f"- and {cards - listed} more: `cuedeck list`\n" in scene.text
        )
