"""Keyword search of workspace files (`find`) and memory records (`recall`), with one
result format.
"""

from __future__ import annotations

from cuedeck.app.search.find_places import LIMIT, find
from cuedeck.app.search.search_records import recall

__all__ = ["LIMIT", "find", "recall"]
