"""The diary: entries are split, and lines about deleted records removed."""

from __future__ import annotations

from cuedeck.knowledge.dreaming.diary_text import (
    HEADER,
    named_ids,
    split_nights,
    without_ids,
)

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
