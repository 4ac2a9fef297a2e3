"""What every command shares: `--json`, `-C DIR`, the open project, and how errors are told."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cuedeck.cli.text_table import printable, visible
from cuedeck.model.display import quoted
from cuedeck.model.errors import CueDeckError, StorageError, UsageError

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

Function = TypeVar("Function", bound=Callable[..., Any])
Value = TypeVar("Value")

_FILES = frozenset({"out", "folder"})
"""Options that name files, whose names may be any bytes."""

_MAY_BE_EMPTY = frozenset({("edit", "assignee")})
"""Commands and options of which an empty one takes away what is there. Any other is a script with an unset variable."""

directory_option = click.option("-C", "directory", metavar="DIR", help="Work as if started in DIR.", expose_value=True)


class Group(click.Group):
    """A group of commands that names the nearest one when there is none of that name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command. Raises: UsageError with the nearest name."""
        name = args[0]
        known = self.list_commands(ctx)
        if name not in known and not name.startswith("-"):
            import difflib

            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean `{ctx.command_path} {near[0]}`?" if near else f"see `{ctx.command_path} --help`"
            if not near and any(each.name == "card" for each in self.params):
                hint = f"`{ctx.command_path} --card {quoted(name)}` takes a card"
            raise UsageError(f"no such command: `{ctx.command_path} {name}`", hint=hint)
        return super().resolve_command(ctx, args)


class OutputLost(StorageError):
    """What a command answers cannot be written."""


@contextmanager
def output() -> Iterator[None]:
    """Write to stdout. Raises: OutputLost; BrokenPipeError when nobody reads it any more."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputLost(
            f"cannot write the output: {error.strerror}", hint="check where stdout is redirected"
        ) from error


class Shell:
    """What a command gets from the command line: where it runs and how it answers."""

    def __init__(self, directory: str | None = None) -> None:
        self.directory = directory
        self.json = False
        self._project: Workspace | None = None

    @property
    def start(self) -> str:
        """The folder the command works in. Raises: UsageError when it does not exist."""
        if self.directory == "":
            raise UsageError("-C is empty", hint="omit it, or give a folder")
        try:
            folder = os.path.join(os.getcwd(), self.directory or "")
        except FileNotFoundError:
            raise UsageError(
                "the current folder does not exist any more", hint="change to an existing folder"
            ) from None
        if not os.path.isdir(folder):
            raise UsageError(f"{self.directory} is not a folder", hint="give an existing folder to -C")
        return folder

    def place(self, file: str) -> str:
        """Return where a file is that the person names."""
        return os.path.join(self.start, file)

    def target(self, file: str) -> str:
        """Return where a file is that the person wants written. Raises: UsageError for `-`, which names none."""
        if file == "-":
            hint = "`cuedeck scene --print` and `cuedeck graph` write to stdout; for a file named `-` give `./-`"
            raise UsageError("`-` is not an output file", hint=hint)
        return self.place(file)

    def shown(self, place: str) -> str:
        """Return where a file of the open workspace is as an answer names it; one outside by its absolute path."""
        return place if self._project is None else self.masked(self._project.workspace.shown(place))

    def project(self) -> Workspace:
        """Open the workspace. Raises: WorkspaceMissing."""
        from cuedeck.app.workspace import open_project

        self._project = open_project(self.start, os.environ)
        return self._project

    def masked(self, value: Value) -> Value:
        """Return what app answered, the whole of it, with every secret in its texts masked."""
        from cuedeck.app.mask_answers import mask_answer

        return value if self._project is None else mask_answer(value, self._project)

    def masked_again(self, value: Value) -> Value:
        """Return what `masked` does, for an answer that is likely to be the one of the last time."""
        from cuedeck.app.mask_answers import mask_kept

        return value if self._project is None else mask_kept(value, self._project)

    def answer(self, value: dict[str, Any], show: Callable[[], object]) -> None:
        """Print `value` as JSON when asked for, else what `show` prints. Raises: OutputLost."""
        with output():
            if self.json:
                _write_json(value)
            else:
                show()

    def fail(self, error: CueDeckError) -> int:
        """Tell what went wrong and what to do next, masked as the open project says; return the exit code."""
        from cuedeck.app.error_report import error_report

        told = error_report(error, self._project)
        if self.json:
            with output():
                _write_json({"error": told})
            return error.exit_code
        lines = [f"error: {told['message']}", *(f"  - {each}" for each in told["candidates"])]
        if told["hint"]:
            lines.append(f"hint: {told['hint']}")
        print_note("\n".join(lines))
        return error.exit_code


def _write_json(value: dict[str, Any]) -> None:
    import json

    write_text(json.dumps({"schema": 1, **value}, ensure_ascii=False, indent=2) + "\n")


def write_text(text: str) -> None:
    """Write the text of files to stdout: exactly into a pipe, without control characters to a terminal."""
    if sys.stdout.isatty():
        text = visible(text.replace("\r\n", "\n"))
    sys.stdout.write(text)


def common(function: Function) -> Function:
    """Give a command `--json`, `-C DIR` and a `Shell` as its first argument."""
    from functools import wraps

    @wraps(function)
    def call(*args: Any, directory: str | None, as_json: bool, **options: Any) -> Any:
        context = click.get_current_context()
        shell = context.ensure_object(Shell)
        shell.directory = shell.directory if directory is None else directory
        shell.json = as_json
        _check_empty(context)
        for name, value in options.items():
            options[name] = value if name in _FILES else _check_text(value)
        return function(shell, *args, **options)

    call = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")(call)
    return directory_option(call)  # type: ignore[return-value]


def filter_option(name: str, **options: Any) -> Callable[[Function], Function]:
    """Return an option that may be given once: of two, all but the last would filter nothing."""

    def once(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> str:
        if len(given) > 1:
            raise UsageError(f"{name} is given {len(given)} times", hint="give it only once")
        return given[0] if given else ""

    return click.option(name, multiple=True, callback=once, **options)


def _check_empty(context: click.Context) -> None:
    """Raises: UsageError for an option or argument that is given and empty."""
    for each in context.command.params:
        value, name = context.params.get(str(each.name)), str(each.name)
        if value != "" and not (isinstance(value, tuple) and "" in value):
            continue
        given = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if given and (context.info_name, name) not in _MAY_BE_EMPTY:
            what = each.opts[0] if isinstance(each, click.Option) else each.human_readable_name.strip("[].")
            raise UsageError(f"{what} is empty", hint="omit it, or give a value")


def _check_text(value: Any) -> Any:
    """Return an option or argument as it is. Raises: UsageError for bytes that are no text."""
    for each in value if isinstance(value, tuple) else (value,):
        if isinstance(each, str) and not each.isascii():
            try:
                each.encode()
            except UnicodeEncodeError:
                shown = os.fsencode(each).decode("utf-8", "backslashreplace")
                raise UsageError(f"`{shown}` is not valid UTF-8", hint="encode it as UTF-8") from None
    return value


def say(text: str, *, nl: bool = True) -> None:
    """Print a part of an answer for a person. Raises: OutputLost."""
    with output():
        click.echo(printable(text), nl=nl)


def print_note(text: str) -> None:
    """Say something beside the result, on stderr."""
    sys.stderr.write(printable(text) + "\n")
