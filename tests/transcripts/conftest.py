"""The fixtures these tests share."""

from crash_runner import crash_runner, shared_runner
from desk import desk

__all__ = ["crash_runner", "desk", "shared_runner"]
