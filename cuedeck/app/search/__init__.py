"""Recall: places of the workspace and records of the memory, found by words and given in one shape."""

from __future__ import annotations

from cuedeck.app.search.find_places import find
from cuedeck.app.search.search_records import recall

__all__ = ["find", "recall"]
