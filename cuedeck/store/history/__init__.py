"""The git history that ends at HEAD: which files each commit touched, and which lines it added."""

from __future__ import annotations

from cuedeck.store.history.events import HeadEvents
from cuedeck.store.history.faults import SHALLOW
from cuedeck.store.history.head import read_head
from cuedeck.store.history.past import History

__all__ = ["SHALLOW", "HeadEvents", "History", "read_head"]
