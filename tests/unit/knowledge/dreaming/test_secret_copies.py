"""Copies of secret texts are found in other texts."""

from __future__ import annotations

import pytest

from cuedeck.knowledge.dreaming.secret_copies import SecretTexts

SECRETS = SecretTexts(["The vault combination is tangerine falcon nineteen.", "🔐 !"])


@pytest.mark.parametrize(
    "text",
    [
        "the vault combination is **tangerine falcon nineteen**",
        "Note: The vault combination is\n  tangerine falcon nineteen",
        "- [x] The vault combination is tangerine falcon nineteen 🔐",
        "| Ana | The vault combination is tangerine falcon nineteen | open |",
        "Hello. The vault combination is tangerine falcon nineteen. Bye for now.",
    ],
)
def test_a_text_around_the_copy_does_not_matter(text: str) -> None:
    assert SECRETS.are_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "🔐 !",
        "The vault combination is not written here",
        "The vault combination is tangerine falcon nineteenth",
    ],
)
def test_other_texts_are_no_copies(text: str) -> None:
    assert not SECRETS.are_in(text)


def test_without_secret_records_no_text_is_a_copy() -> None:
    assert not SecretTexts([]).are_in("")
