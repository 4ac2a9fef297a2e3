"""Recall: places of the workspace and records of the memory, found by words and given in one shape."""

from __future__ import annotations

from cuedeck.app.recall.finding import find
from cuedeck.app.recall.records import recall

__all__ = ["find", "recall"]
