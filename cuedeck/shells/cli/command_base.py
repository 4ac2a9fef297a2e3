"""Shared base of all commands: `--json`, `-C DIR`, the open workspace, output and error
reporting.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any

import click

from cuedeck.model.errors import CueDeckError, StorageError, UsageError
from cuedeck.model.ports import Json
from cuedeck.shells.call import Call, Note, Raw, Styled
from cuedeck.shells.text_table import printable, visible

if TYPE_CHECKING:
    from cuedeck.model.ports import Json, Progress


def call_options() -> list[click.Parameter]:
    """Return the options that every command has."""
    folder = "Work as if started in DIR."
    return [
        click.Option(["-C", "directory"], metavar="DIR", help=folder),
        click.Option(["--json", "as_json"], is_flag=True, help="Answer in JSON."),
    ]


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


class Shell(Call):
    """Call of an operation by a command, and the form of its answer."""

    def take(self, options: Json) -> None:
        """Take `-C` and `--json` out of the options of a command."""
        directory = options.pop("directory")
        self.directory = self.directory if directory is None else directory
        self.json = options.pop("as_json")

    def progress(self, label: str) -> AbstractContextManager[Progress | None]:
        """Return a context with the callback that draws the progress of long work."""
        return progress_bar(label)

    def choose(self, count: int) -> int:
        """Return which of `count` rows the person chooses, without a question if there
        is one; 0 for none, and in a pipe.
        """
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            return 0
        if count == 1:
            return 1
        chosen: int = click.prompt(
            "open",
            default=1,
            type=click.IntRange(0, count),
            prompt_suffix=" (0 for none): ",
        )
        return chosen

    def tell(self, event: Json, text: str, *, is_note: bool = False) -> None:
        """Print an event as a line of JSON with `--json`, else its text."""
        if not self.json and is_note:
            print_note(text)
        elif not self.json:
            say(text)
        else:
            with output():
                _write_json(event, None)
                sys.stdout.flush()

    def answer(self, value: Any, show: Callable[[], object]) -> None:
        """Print `value` as JSON with `--json`, else call `show`. Raises: OutputLost."""
        with output():
            if isinstance(value, Raw):
                write_text(value)
            elif not self.json:
                show()
            elif isinstance(value, list):
                for each in value:
                    _write_json(each, None)
            else:
                _write_json(value)

    def fail(self, error: CueDeckError) -> int:
        """Print an error with its hint, masked by the rules of the open workspace;
        return the exit code.
        """
        from cuedeck.engine.mask_answers import error_report

        report = error_report(error, self.opened)
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


def _write_json(value: Json, indent: int | None = 2) -> None:
    import json

    answer = {"schema": 1, **value}
    write_text(json.dumps(answer, ensure_ascii=False, indent=indent) + "\n")


def write_text(text: str) -> None:
    """Write file contents to stdout: unchanged into a pipe, with control characters
    escaped on a terminal.
    """
    if sys.stdout.isatty():
        text = visible(text.replace("\r\n", "\n"))
    sys.stdout.write(text)


def check_given(context: click.Context, may_be_empty: Container[str] = ()) -> None:
    """Raise UsageError if an option or argument is given with an empty value, which is
    usually an unset variable.
    """
    for each in context.command.params:
        name = str(each.name)
        value = context.params.get(name)
        has_empty_item = isinstance(value, tuple) and "" in value
        if value != "" and not has_empty_item:
            continue
        is_given = (
            context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        )
        if not is_given or name in may_be_empty:
            continue
        what = each.human_readable_name.strip("[].").removesuffix("|-")
        if isinstance(each, click.Option):
            what = each.opts[0]
        hint = f"see `{context.command_path} --help`"
        if not each.required:
            hint = f"omit it, or give a value; {hint}"
        raise UsageError(f"{what} is empty", hint=hint)


def check_text(value: Any) -> None:
    """Raise UsageError for text that is not valid UTF-8."""
    for each in value if isinstance(value, tuple) else (value,):
        if isinstance(each, str) and not each.isascii():
            try:
                each.encode()
            except UnicodeEncodeError:
                shown = os.fsencode(each).decode("utf-8", "backslashreplace")
                raise UsageError(
                    f"`{shown}` is not valid UTF-8", hint="encode it as UTF-8"
                ) from None


def say(text: str, *, nl: bool = True) -> None:
    """Print part of a human-readable answer. Raises: OutputLost."""
    with output():
        click.echo(printable(text), nl=nl)


def show_text(text: str | Iterable[str]) -> None:
    """Print the parts of a human-readable answer. Raises: OutputLost."""
    for part in (text,) if isinstance(text, str) else text:
        if isinstance(part, Note):
            print_note(part)
        elif isinstance(part, Raw):
            write_text(part)
        elif isinstance(part, Styled):
            click.echo(part)
        else:
            say(part)


def print_note(text: str) -> None:
    """Print a message to stderr."""
    sys.stderr.write(printable(text) + "\n")


_PATIENCE_SECONDS = 1.0


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a function to call with (done, total); None if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    started = time.monotonic()
    drawn = False

    def show(done: int, total: int) -> None:
        nonlocal drawn
        if time.monotonic() - started < _PATIENCE_SECONDS:
            return
        drawn = True
        filled = 30 * done // max(total, 1)
        sys.stderr.write(
            f"\r{label} {'█' * filled}{'░' * (30 - filled)} {done:,}/{total:,}"
        )
        sys.stderr.flush()

    try:
        yield show
    finally:
        if drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
