"""Copies of the texts of secret records in other texts."""

from __future__ import annotations

from collections.abc import Iterable

from cuedeck.ledger.records.recall_hit_line import words_of


class SecretTexts:
    """Texts of the secret records of a memory."""

    def __init__(self, texts: Iterable[str]) -> None:
        phrases = map(_phrase, texts)
        self._phrases = frozenset(phrase for phrase in phrases if phrase.strip())

    def are_in(self, text: str) -> bool:
        """Return whether a text contains one of them, whatever the case and marks: a
        copy may have a label or another sentence around it.
        """
        if not self._phrases:
            return False
        phrase = _phrase(text)
        return any(each in phrase for each in self._phrases)


def _phrase(text: str) -> str:
    """Return the words of a text with a space before and after each."""
    words = " ".join(words_of(text))
    return f" {words} "
