"""The fixtures these tests share."""

from desk import desk

__all__ = ["desk"]
