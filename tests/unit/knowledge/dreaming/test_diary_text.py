"""The diary: entries are split, and lines about deleted records removed."""

from __future__ import annotations

from cuedeck.knowledge.dreaming.diary_text import (
    HEADER,
    named_ids,
    split_nights,
    without_ids,
)
from cuedeck.knowledge.dreaming.promoted_records import ledger_without, promoted_ids

DIARY = (
    HEADER
    + """
## 2026-11-21 03:00

2 recalled facts, 9 recalls.

### Themes

- port, staging: 3 facts on 2 days (`record:aa-1`, `record:bb-2`, `.cuedeck/memory/2026-11-21.md#L3`)

### Promoted into MEMORY.md

- The port is 5433 (`record:aa-1`; score 0.80; 3 recalls on 2 days by 2 queries)

## 2026-11-22 03:00

1 recalled fact, 2 recalls.

### Not yet

- `record:bb-2`: 1 of 2 recalls in 14 days
"""
)


def test_entries_are_split_at_their_headings() -> None:
    nights = split_nights(DIARY + "\n## by hand\n\nA note.\n")
    assert [moment for moment, _ in nights] == ["2026-11-21 03:00", "2026-11-22 03:00"]
    assert nights[1][1].endswith("A note.")


def test_lines_that_name_a_record_are_removed() -> None:
    assert named_ids(DIARY) == {"aa-1", "bb-2"}
    left = without_ids(DIARY, {"aa-1"})
    assert "5433" not in left and "port, staging" not in left
    assert "`record:bb-2`: 1 of 2" in left
    assert without_ids(DIARY, ()) == DIARY


def test_promotions_of_a_record_leave_the_ledger() -> None:
    ledger = '{"id":"aa-1","key":"k1"}\nbroken\n{"id":"bb-2","key":"k2"}\n'
    assert promoted_ids(ledger) == {"aa-1", "bb-2"}
    assert ledger_without(ledger, {"aa-1"}) == 'broken\n{"id":"bb-2","key":"k2"}\n'


def test_a_malformed_line_of_the_ledger_goes_with_the_record_that_it_names() -> None:
    ledger = '{"id":["aa-1"],"key":"k1"}\n{"id":{},"key":"k2"}\n'
    assert ledger_without(ledger, {"aa-1": ""}) == '{"id":{},"key":"k2"}\n'
