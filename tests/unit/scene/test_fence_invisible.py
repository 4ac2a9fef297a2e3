"""Quoted text hides nothing from a reader that a model reads."""

from __future__ import annotations

import pytest

from cuedeck.scene.fence import fold, quoted


@pytest.mark.parametrize(
    "mark", ["\u061c", "\u200b", "\u2060", "\ufeff", "\U000e0041\U000e0042"]
)
def test_invisible_characters_of_a_ledger_become_blanks(mark: str) -> None:
    assert quoted(f"a{mark}b", 80) == "“a b”"


def test_joiners_of_scripts_and_emoji_are_kept() -> None:
    assert (
        fold("क\u200dष \U0001f469\u200d\U0001f4bb", 80)
        == "क\u200dष \U0001f469\u200d\U0001f4bb"
    )
