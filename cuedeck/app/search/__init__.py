"""Keyword search of the files of the workspace (`find`)."""

from __future__ import annotations

from cuedeck.app.search.find_places import LIMIT, find

__all__ = ["LIMIT", "find"]
