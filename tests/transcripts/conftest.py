"""Shared fixtures: the commands of `sandbox` run in one process, those of
`process_sandbox` in processes of their own.
"""

from crash_runner import crash_runner, shared_runner
from sandbox import sandbox as process_sandbox
from shared_process import sandbox

__all__ = ["crash_runner", "process_sandbox", "sandbox", "shared_runner"]
