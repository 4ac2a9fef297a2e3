"""A workspace whose commands run one after the other in one process, for transcripts.
`test_shared_process.py` checks that the results are those of separate processes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from crash_runner import CrashRunner
from sandbox import CommandOutcome, Sandbox, words_of

_OWN_PROCESS = ("mcp", "watch")
"""Commands that end only with their process."""


class SharedSandbox(Sandbox):
    """A workspace whose commands run in the process of a runner."""

    def __init__(
        self, root: Path, environ: Mapping[str, str], runner: CrashRunner
    ) -> None:
        super().__init__(root, environ)
        self._runner = runner

    def run(
        self, *arguments: str | bytes, text: str = "", **options: Any
    ) -> CommandOutcome:
        """Run a command to its end; with options of a process, or for a command of
        `_OWN_PROCESS`, in a process of its own.
        """
        arguments = words_of(arguments)
        words = [each for each in arguments if isinstance(each, str)]
        is_plain = len(words) == len(arguments) and "\0" not in "".join(words)
        if (
            not is_plain
            or options.keys() - {"environ", "cwd"}
            or set(_OWN_PROCESS) & set(words[:3])
            or "_CUEDECK_COMPLETE" in options.get("environ", ())
        ):
            return super().run(*arguments, text=text, **options)
        (ran,) = self._runner.run(
            Path(options.get("cwd", self.root)),
            words,
            text=text,
            environ={**self.environ, **options.get("environ", {})},
        ).ran
        return ran


@pytest.fixture
def sandbox(
    process_sandbox: Sandbox, shared_runner: CrashRunner
) -> Iterator[SharedSandbox]:
    """The empty workspace of `sandbox.py`."""
    made = SharedSandbox(process_sandbox.root, process_sandbox.environ, shared_runner)
    yield made
    made.close()
