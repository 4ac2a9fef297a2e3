"""Shared fixtures of the property tests."""

from sandbox import sandbox

__all__ = ["sandbox"]
