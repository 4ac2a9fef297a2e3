"""The classes of `datetime` without its version in Python, which older interpreters
compile first: that takes a hook as long as a search.
"""

from __future__ import annotations

from cuedeck.model.light_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import UTC, date, datetime, time, timedelta, tzinfo
else:
    try:
        from _datetime import date, datetime, time, timedelta, timezone, tzinfo

        UTC = timezone.utc
    except ImportError:  # another interpreter than CPython
        from datetime import UTC, date, datetime, time, timedelta, tzinfo

__all__ = ["UTC", "date", "datetime", "time", "timedelta", "tzinfo"]
