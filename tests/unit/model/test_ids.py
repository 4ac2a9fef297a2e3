from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.model.errors import Invalid
from cuedeck.model.ids import new_id


def free(_: str) -> bool:
    return False


@given(st.binary())
def test_an_id_is_six_crockford_characters_and_no_number(seed: bytes) -> None:
    """Pins a bug of an earlier tool: a card whose id was `123456` was read as a number
    and lost.
    """
    assert re.fullmatch(r"[a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{5}", new_id(seed, free))


@given(st.binary())
def test_the_same_seed_gives_the_same_id(seed: bytes) -> None:
    assert new_id(seed, free) == new_id(seed, free)


def test_ids_are_stable_between_releases() -> None:
    assert (new_id(b"x", free), new_id(b"y", free)) == ("qv7nkt", "wdfja1")


def test_a_taken_id_leads_to_the_next_one() -> None:
    seen: list[str] = []
    for _ in range(5):
        seen.append(new_id(b"seed", seen.__contains__))
    assert len(set(seen)) == 5
    assert seen[0] == new_id(b"seed", free)


def test_thousands_of_seeds_rarely_collide() -> None:
    ids = {new_id(str(number).encode(), free) for number in range(3_000)}
    assert len(ids) >= 2_998


def test_it_gives_up_when_every_id_is_taken() -> None:
    with pytest.raises(Invalid):
        new_id(b"seed", lambda _: True)
