"""What every command shares: `--json`, `-C DIR`, the open project, and how errors are told."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cuedeck.model.errors import CueDeckError, UsageError

if TYPE_CHECKING:
    from cuedeck.app.project import Project

Function = TypeVar("Function", bound=Callable[..., Any])

directory_option = click.option("-C", "directory", metavar="DIR", help="Work as if started in DIR.", expose_value=True)


class Shell:
    """What a command gets from the command line: where it runs and how it answers."""

    def __init__(self, directory: str | None = None) -> None:
        self.directory = directory
        self.json = False

    @property
    def start(self) -> str:
        """The folder the command works in. Raises: UsageError when it does not exist."""
        folder = self.directory or os.getcwd()
        if not os.path.isdir(folder):
            raise UsageError(f"{folder} is no folder", hint="give an existing folder to -C")
        return folder

    def project(self) -> Project:
        """Open the workspace. Raises: WorkspaceMissing."""
        from cuedeck.app.project import open_project

        return open_project(self.start, os.environ)

    def answer(self, value: dict[str, Any], show: Callable[[], None]) -> None:
        """Print `value` as JSON when asked for, else what `show` prints."""
        if self.json:
            import json

            sys.stdout.write(json.dumps({"schema": 1, **value}, ensure_ascii=False, indent=2) + "\n")
        else:
            show()


def common(function: Function) -> Function:
    """Give a command `--json`, `-C DIR` and a `Shell` as its first argument."""
    from functools import wraps

    @wraps(function)
    def call(*args: Any, directory: str | None, as_json: bool, **options: Any) -> Any:
        shell = click.get_current_context().ensure_object(Shell)
        shell.directory = directory or shell.directory
        shell.json = as_json
        return function(shell, *args, **options)

    call = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")(call)
    return directory_option(call)  # type: ignore[return-value]


def fail(error: CueDeckError, as_json: bool) -> int:
    """Tell what went wrong and what to do next; return the exit code."""
    if as_json:
        import json

        told = {"code": error.code, "message": error.message, "hint": error.hint, "candidates": list(error.candidates)}
        sys.stdout.write(json.dumps({"schema": 1, "error": told}, ensure_ascii=False, indent=2) + "\n")
    else:
        lines = [f"error: {error.message}", *(f"  - {each}" for each in error.candidates)]
        if error.hint:
            lines.append(f"hint: {error.hint}")
        sys.stderr.write("\n".join(lines) + "\n")
    return error.exit_code


def note(text: str) -> None:
    """Say something beside the result, on stderr."""
    sys.stderr.write(text + "\n")
