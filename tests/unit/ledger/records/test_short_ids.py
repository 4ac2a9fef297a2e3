"""Short forms of ids: short, but never ambiguous."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ledger.records.short_ids import MARK, Marks, Named, names

IDS = st.lists(
    st.one_of(
        st.uuids().map(str),
        st.from_regex(r"f1df838f(-[0-9a-f]{0,3})?", fullmatch=True),
        st.text(min_size=1, max_size=50),
        st.sampled_from(
            [
                "r1",
                "r10",
                "exp_1795224699017_a2c6jasl",
                "F1DF838F-FCFE",
                "a b",
                "[x]",
                "=r1",
                "f1df838f",
            ]
        ),
    ),
    min_size=1,
    max_size=8,
    unique=True,
)


@given(IDS)
def test_each_short_id_matches_exactly_one_id(ids: list[str]) -> None:
    marks = Marks(ids)
    for identity in ids:
        mark = marks.of(identity)
        assert re.fullmatch(MARK, mark)
        assert [each for each in ids if names(mark, each)] == [identity]
        assert [each for each in ids if mark in Named([each])] == [identity]


def test_uuid_is_shortened_to_eight_characters_or_more_if_ambiguous() -> None:
    ids = [
        "f1df838f-fcfe-480d-b07c-1331ba8e2f3c",
        "f1df838f-fcff-480d-b07c-1331ba8e2f3c",
        "0a1b2c3d-0000-4000-8000-0",
    ]
    assert [Marks(ids).of(each) for each in ids] == [
        "f1df838f-fcfe",
        "f1df838f-fcff",
        "0a1b2c3d",
    ]
