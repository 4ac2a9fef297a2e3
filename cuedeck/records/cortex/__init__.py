"""Formats and rules of the cortex tree: messages, session metadata, markers in messages
and the memory cards made from them.
"""

from __future__ import annotations
