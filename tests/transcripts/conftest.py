"""The fixtures these tests share."""

from children import children
from desk import desk

__all__ = ["children", "desk"]
