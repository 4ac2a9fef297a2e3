"""Shared fixtures of the transcript tests."""

from crash_runner import crash_runner, shared_runner
from sandbox import sandbox

__all__ = ["crash_runner", "sandbox", "shared_runner"]
