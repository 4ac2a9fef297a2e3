"""Generation of ids: six characters that a person can read aloud and type."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

from cuedeck.model.errors import Invalid

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base32 in lower case: without i, l, o and u."""

LENGTH = 6
_ATTEMPTS = 1_000


def new_id(seed: bytes, taken: Callable[[str], bool]) -> str:
    """Return the first free id derived from `seed`; the same seed and taken ids give
    the same id.

    An id starts with a letter, so that no YAML parser reads it as a number (`123456`,
    `12e456`).

    Raises: Invalid if a thousand candidates are taken.
    """
    for candidate in _candidates(seed):
        if not taken(candidate):
            return candidate
    raise Invalid(f"no free id was found among {_ATTEMPTS:,}", hint="try again")


def _candidates(seed: bytes) -> Iterator[str]:
    # Hashing the seed separately from the attempt number keeps one seed from continuing
    # the sequence of another.
    root = hashlib.sha256(seed).digest()
    for attempt in range(_ATTEMPTS):
        number = int.from_bytes(
            hashlib.sha256(root + attempt.to_bytes(4, "big")).digest(), "big"
        )
        number, first = divmod(number, len(ALPHABET) - 10)
        rest = (ALPHABET[number >> 5 * place & 31] for place in range(LENGTH - 1))
        yield ALPHABET[10 + first] + "".join(rest)
