"""The age from which a fingerprint detects every change."""

from __future__ import annotations

import pytest

from cuedeck.store.files.fingerprint import Print, is_settled

SECOND = 1_000_000_000


@pytest.mark.parametrize(
    ("mtime_ns", "ctime_ns", "at_ns", "settled"),
    [
        (5 * SECOND + 1, 5 * SECOND + 1, 5 * SECOND + 20_000_001, False),
        (5 * SECOND + 1, 5 * SECOND + 1, 5 * SECOND + 20_000_002, True),
        (1, 5 * SECOND, 5 * SECOND + 1, False),
        (5 * SECOND, 5 * SECOND, 7 * SECOND, False),
        (5 * SECOND, 5 * SECOND, 7 * SECOND + 1, True),
    ],
)
def test_a_file_is_settled_a_tick_after_its_times(
    mtime_ns: int, ctime_ns: int, at_ns: int, settled: bool
) -> None:
    """A file that was just restored with an old mtime was treated as settled."""
    assert is_settled(Print(1, mtime_ns, ctime_ns, 1), at_ns) is settled
