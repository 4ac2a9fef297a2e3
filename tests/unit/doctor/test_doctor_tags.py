"""Tags that look alike are found without a look at every pair of them."""

from __future__ import annotations

import difflib
import random

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.doctor.check_tags import BigramIndex


@given(
    st.lists(
        st.text("abc-", min_size=1, max_size=14), min_size=2, max_size=12, unique=True
    )
)
def test_no_name_that_is_like_another_is_missed(names: list[str]) -> None:
    spellings = BigramIndex(names)
    for name in (each for each in names if len(each) > 3):
        like = difflib.get_close_matches(
            name, [each for each in names if each != name], len(names), 0.85
        )
        assert set(like) <= set(spellings.candidates(name))


def test_few_of_many_names_are_looked_at() -> None:
    """Every tag was compared with every other one: 2,000 of them took a quarter of a
    minute.
    """
    chance = random.Random(1)
    names = sorted(
        {
            "".join(chance.choices("etaoinshrdlu", k=chance.randint(4, 12)))
            for _ in range(600)
        }
    )
    spellings = BigramIndex(names)
    assert sum(len(spellings.candidates(name)) for name in names) < len(names)
    assert "frontend" in BigramIndex([*names, "frontend"]).candidates("frontent")
