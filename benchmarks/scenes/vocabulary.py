"""Tokens of o200k_base, counted by tiktoken itself, because the scorer shares no code
with the product.
"""

from __future__ import annotations

import os

LONGEST_TOKEN = 12
"""Maximum mean number of characters of a token; a cut reads this many characters for
each token of the budget.
"""


class Vocabulary:
    """Counts and cuts tokens."""

    def __init__(self, folder: str) -> None:
        """Load the encoder from a folder with the rank file."""
        os.environ["TIKTOKEN_CACHE_DIR"] = folder
        import tiktoken

        self._encoding = tiktoken.get_encoding("o200k_base")

    def count(self, text: str) -> int:
        """Return the number of tokens."""
        return len(self._encoding.encode_ordinary(text))

    def cut(self, text: str, budget: int) -> str:
        """Return the first `budget` tokens as text."""
        text = text[: budget * LONGEST_TOKEN]
        tokens = self._encoding.encode_ordinary(text)
        return (
            text
            if len(tokens) <= budget
            else self._encoding.decode(tokens[:budget]).rstrip("\ufffd")
        )
