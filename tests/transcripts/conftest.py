"""The fixtures these tests share."""

from children import children, witness
from desk import desk

__all__ = ["children", "desk", "witness"]
