"""A compaction record that is shown in few characters shows its newest facts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ledger.records.compaction_record import newest_facts

TEXT = """2026-11-01 to 2026-11-20, main: parser
- the oldest one [f1df838f]
- the newest one
  in two lines [0a1b2c3d 11-20]
2026-11-05, main: other
- one between them [=r1]"""


def test_newest_facts_keep_their_headings() -> None:
    assert (
        newest_facts(TEXT, 90)
        == "2026-11-20, main: parser\n- the newest one\n  in two lines [0a1b2c3d]"
    )
    assert newest_facts(TEXT, len(TEXT)) == TEXT


@given(st.integers(0, 250))
def test_newest_facts_never_exceed_their_room(room: int) -> None:
    assert len(newest_facts(TEXT, room)) <= room
