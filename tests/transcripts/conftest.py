"""The fixtures these tests share."""

from crash_runner import crash_runner, shared_runner
from sandbox import sandbox

__all__ = ["crash_runner", "sandbox", "shared_runner"]
