"""Shared base of all commands: `--json`, `-C DIR`, the open workspace, output and error
reporting.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cuedeck.model.errors import CueDeckError, StorageError, UsageError
from cuedeck.shells.cli.text_table import printable, visible

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

Function = TypeVar("Function", bound=Callable[..., Any])
Value = TypeVar("Value")

_FILES = frozenset({"out", "folder"})
"""Options that name files, whose names may be arbitrary bytes."""

_MAY_BE_EMPTY = frozenset({("edit", "assignee"), ("new", "body")})
"""Options whose empty value clears the field or means an empty text.

Any other empty value is rejected, because it is usually an unset shell variable.
"""

directory_option = click.option(
    "-C",
    "directory",
    metavar="DIR",
    help="Work as if started in DIR.",
    expose_value=True,
)


class Group(click.Group):
    """A command group that suggests the nearest name for an unknown command."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command. Raises: UsageError with the nearest name."""
        name = args[0]
        known = self.list_commands(ctx)
        if name not in known and not name.startswith("-"):
            import difflib

            near = difflib.get_close_matches(name, known, 1)
            hint = (
                f"did you mean `{ctx.command_path} {near[0]}`?"
                if near
                else f"see `{ctx.command_path} --help`"
            )
            raise UsageError(f"no such command: `{ctx.command_path} {name}`", hint=hint)
        return super().resolve_command(ctx, args)


class OutputLost(StorageError):
    """The output of a command cannot be written."""


@contextmanager
def output() -> Iterator[None]:
    """Write to stdout. Raises: OutputLost; BrokenPipeError if the reader has closed the
    pipe.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputLost(
            f"cannot write the output: {error.strerror}",
            hint="check where stdout is redirected",
        ) from error


class Shell:
    """Context of one command: start folder, open workspace and output format."""

    def __init__(self, directory: str | None = None) -> None:
        self.directory = directory
        self.json = False
        self._workspace: Workspace | None = None

    @property
    def start(self) -> str:
        """The folder in which the command works. Raises: UsageError if it does not
        exist.
        """
        if self.directory == "":
            raise UsageError("-C is empty", hint="omit it, or give a folder")
        try:
            folder = os.path.join(os.getcwd(), self.directory or "")
        except FileNotFoundError:
            raise UsageError(
                "the current folder does not exist any more",
                hint="change to an existing folder",
            ) from None
        if not os.path.isdir(folder):
            raise UsageError(
                f"{self.directory} is not a folder",
                hint="give an existing folder to -C",
            )
        return folder

    def place(self, file: str) -> str:
        """Return the absolute path of a file argument."""
        return os.path.join(self.start, file)

    def target(self, file: str) -> str:
        """Return the absolute path of an output file. Raises: UsageError for `-`."""
        if file == "-":
            hint = "`cuedeck scene --print` and `cuedeck graph` write to stdout; for a file named `-` give `./-`"
            raise UsageError("`-` is not an output file", hint=hint)
        return self.place(file)

    def address(self, text: str) -> str:
        """Return an address; one typed with `./` or `../` is resolved against the
        current folder of the command line.

        An address that leads out of the workspace comes back as it is. Raises:
        UsageError, WorkspaceMissing.
        """
        from cuedeck.engine.open_workspace import address_from

        return address_from(self.start, text)

    def addresses(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        """Return addresses, each as `address` does."""
        return tuple(map(self.address, texts))

    def shown(self, place: str) -> str:
        """Return a path for display: relative to the open workspace, or absolute if
        outside it.
        """
        return (
            place
            if self._workspace is None
            else self.masked(self._workspace.paths.shown(place))
        )

    def workspace(self, *, or_folder: bool = False) -> Workspace:
        """Open the workspace; with `or_folder`, the project folder if there is none.
        Raises: WorkspaceMissing.
        """
        from cuedeck.engine.open_workspace import open_workspace

        self._workspace = open_workspace(self.start, os.environ, or_folder=or_folder)
        return self._workspace

    def close(self) -> None:
        """Close the workspace, if one was opened."""
        if self._workspace is not None:
            self._workspace.close()

    def masked(self, value: Value) -> Value:
        """Return an answer with every secret in its texts masked."""
        from cuedeck.engine.mask_answers import mask_answer

        if self._workspace is None:
            return value
        return mask_answer(value, self._workspace)

    def masked_again(self, value: Value) -> Value:
        """Return the same as `masked`, faster for an answer already known to contain no
        secret.
        """
        from cuedeck.engine.mask_answers import mask_kept

        if self._workspace is None:
            return value
        return mask_kept(value, self._workspace)

    def short(self, text: str) -> str:
        """Return an address for a person, with the id of a record or an experience as
        short as it is unique.
        """
        from cuedeck.ledger.records.memory_profiles import memory_of
        from cuedeck.ledger.records.record_lookup import with_short_ids

        if not text.startswith(("record:", "experience:")):
            return text
        return with_short_ids(memory_of(self.workspace()), text)

    def answer(self, value: dict[str, Any], show: Callable[[], object]) -> None:
        """Print `value` as JSON with `--json`, else call `show`. Raises: OutputLost."""
        with output():
            if self.json:
                _write_json(value)
            else:
                show()

    def fail(self, error: CueDeckError) -> int:
        """Print an error with its hint, masked by the rules of the open workspace;
        return the exit code.
        """
        from cuedeck.engine.error_report import error_report

        report = error_report(error, self._workspace)
        if self.json:
            with output():
                _write_json({"error": report})
            return error.exit_code
        from cuedeck.ledger.id_prefix import short_ids

        candidates = report["candidates"]
        lines = [f"  - {candidate}" for candidate in candidates]
        if report["hint"]:
            lines.append(f"hint: {report['hint']}")
        ids = [candidate.rpartition(":")[2] for candidate in candidates]
        further = short_ids("".join(f"\n{line}" for line in lines), ids)
        print_note(f"error: {report['message']}{further}")
        return error.exit_code


def _write_json(value: dict[str, Any]) -> None:
    import json

    write_text(json.dumps({"schema": 1, **value}, ensure_ascii=False, indent=2) + "\n")


def write_text(text: str) -> None:
    """Write file contents to stdout: unchanged into a pipe, with control characters
    escaped on a terminal.
    """
    if sys.stdout.isatty():
        text = visible(text.replace("\r\n", "\n"))
    sys.stdout.write(text)


def common(function: Function) -> Function:
    """Add `--json` and `-C DIR` to a command, and pass a `Shell` as its first
    argument.
    """
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
    """Return an option that may be given only once: click would silently ignore all but
    the last value.
    """

    def once(
        context: click.Context, option: click.Parameter, given: tuple[str, ...]
    ) -> str:
        if len(given) > 1:
            raise UsageError(
                f"{name} is given {len(given)} times", hint="give it only once"
            )
        return given[0] if given else ""

    return click.option(name, multiple=True, callback=once, **options)


def _check_empty(context: click.Context) -> None:
    """Raise UsageError if an option or argument is given with an empty value."""
    for each in context.command.params:
        name = str(each.name)
        value = context.params.get(name)
        has_empty_item = isinstance(value, tuple) and "" in value
        if value != "" and not has_empty_item:
            continue
        is_given = (
            context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        )
        if not is_given or (context.info_name, name) in _MAY_BE_EMPTY:
            continue
        what = each.human_readable_name.strip("[].").removesuffix("|-")
        if isinstance(each, click.Option):
            what = each.opts[0]
        hint = f"see `{context.command_path} --help`"
        if not each.required:
            hint = f"omit it, or give a value; {hint}"
        raise UsageError(f"{what} is empty", hint=hint)


def _check_text(value: Any) -> Any:
    """Return a value unchanged. Raises: UsageError if it is not valid UTF-8."""
    for each in value if isinstance(value, tuple) else (value,):
        if isinstance(each, str) and not each.isascii():
            try:
                each.encode()
            except UnicodeEncodeError:
                shown = os.fsencode(each).decode("utf-8", "backslashreplace")
                raise UsageError(
                    f"`{shown}` is not valid UTF-8", hint="encode it as UTF-8"
                ) from None
    return value


def say(text: str, *, nl: bool = True) -> None:
    """Print part of a human-readable answer. Raises: OutputLost."""
    with output():
        click.echo(printable(text), nl=nl)


def say_lines(lines: Iterable[str]) -> None:
    """Print lines of a human-readable answer. Raises: OutputLost."""
    say("\n".join(lines))


def print_note(text: str) -> None:
    """Print a message to stderr."""
    sys.stderr.write(printable(text) + "\n")
