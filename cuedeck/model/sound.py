"""Texts that can be stored and sent."""

from __future__ import annotations


def sound(text: str) -> str:
    """Return a text without halves of surrogate pairs, which front matter and names of files may hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
