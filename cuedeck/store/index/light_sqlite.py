"""`sqlite3` without its adapters of dates, which load `datetime` and are not used."""

from __future__ import annotations

from cuedeck.model.light_typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
else:
    try:
        import _sqlite3 as sqlite3
    except ImportError:  # another interpreter than CPython
        import sqlite3

__all__ = ["sqlite3"]
