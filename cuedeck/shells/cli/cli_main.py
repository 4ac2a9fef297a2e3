"""Entry point of the command line; a command's module is imported when it runs."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import NoReturn

import click

from cuedeck import __version__
from cuedeck.model.errors import (
    EXTRAS,
    CueDeckError,
    MissingPackage,
    StorageError,
    UsageError,
)
from cuedeck.shells.cli.command_base import Group, OutputLost, Shell, output
from cuedeck.shells.cli.operation_command import command_of
from cuedeck.shells.operation import COMMANDS, FIRST, GROUPS, load


class LazyGroup(Group):
    """A command group that imports each command on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the command names in table order."""
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command, or `help`, which is in no table."""
        if args[0] == "help":
            return "help", _help, args[1:]
        return super().resolve_command(ctx, args)

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the first commands, or all, under the headings of their groups."""
        longest = max(map(len, COMMANDS))
        room = formatter.width - longest - 6
        groups = GROUPS if ctx.meta.get(_ALL) else FIRST
        for heading, names in groups.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            rows = [
                (name.ljust(longest), each.get_short_help_str(room))
                for name, each in commands
                if each
            ]
            with formatter.section(heading):
                formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the way to the other commands, or the variables after all of them."""
        self.epilog = _VARIABLES if ctx.meta.get(_ALL) else _MORE
        super().format_epilog(ctx, formatter)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return one command after importing it, or None if it does not exist."""
        if cmd_name == "help":
            return _help
        load(cmd_name)
        return command_of(cmd_name)


_ALL = "cuedeck.all"
"""Key of the context: whether the help shows all commands."""


@click.command("help")
@click.argument("names", metavar="[all | COMMAND]", nargs=-1)
@click.pass_context
def _help(ctx: click.Context, names: tuple[str, ...]) -> None:
    """Show all commands, or the help of one."""
    assert ctx.parent is not None
    if not names or names == ("all",):
        ctx.meta[_ALL] = bool(names)
        click.echo(ctx.parent.get_help())
        return
    cuedeck.main([*names, "--help"], prog_name="cuedeck", standalone_mode=False)


_MORE = "`cuedeck help all` shows all commands."
_VARIABLES = """\b
Variables:
  CUEDECK_SCENE__BUDGET=8000  overrides a setting; `cuedeck config show` lists them
  CUEDECK_NO_BACKGROUND=1     start no background process
  CUEDECK_TRACEBACK=1         print the traceback of an internal error"""


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("-C", "directory", metavar="DIR", help="Work as if started in DIR.")
@click.version_option(__version__, prog_name="cuedeck", message="%(prog)s %(version)s")
@click.pass_context
def cuedeck(ctx: click.Context, directory: str | None) -> None:
    """Build the context of a task for an AI coding agent. The same files give the same
    bytes.

    \b
    cuedeck start "Fix login"    create a workspace, a card and its scene
    cuedeck scene                write .cuedeck/SCENE.md again
    """
    ctx.ensure_object(Shell).directory = directory


INTERRUPTED = 130
"""Exit code after Ctrl-C."""


def main() -> NoReturn:
    """Run the command line and exit with the documented exit code."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; return its exit code."""
    shell = Shell()
    shell.json = "--json" in (
        arguments[: arguments.index("--")] if "--" in arguments else arguments
    )
    try:
        code = _run(arguments, shell)
        with output():
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        _close_stdout()  # the reader closed the pipe, which is not an error
        return 0
    except OutputLost as error:
        _close_stdout()
        shell.json = False  # JSON would go to stdout, which cannot be written
        return shell.fail(error)
    finally:
        shell.close()


def _run(arguments: list[str], shell: Shell) -> int:
    try:
        return _invoke(arguments, shell)
    except (BrokenPipeError, OutputLost):
        raise
    except CueDeckError as error:
        return shell.fail(error)
    except OSError as error:
        where = (
            f"{os.fsdecode(error.filename)}: "
            if isinstance(error.filename, str | bytes)
            else ""
        )
        return shell.fail(
            StorageError(
                f"{where}{error.strerror or error}",
                hint="check permissions and free space",
            )
        )
    except Exception as error:
        # Outermost frame: print an internal error as one line, not a traceback.
        if isinstance(error.__cause__, KeyboardInterrupt):
            # Python 3.11 wraps one that meets the creation of a class.
            return INTERRUPTED
        if isinstance(error, ImportError) and error.name in EXTRAS:
            return shell.fail(MissingPackage(str(error.name)))
        if os.environ.get("CUEDECK_TRACEBACK"):
            raise
        hint = "this is a bug in CueDeck; CUEDECK_TRACEBACK=1 prints the traceback"
        return shell.fail(
            CueDeckError(f"internal error: {type(error).__name__}: {error}", hint=hint)
        )


def _hint(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    if context is None:
        return "see `cuedeck --help`"
    if isinstance(error, click.NoSuchOption) and not _is_misspelled(error):
        for parameter in context.command.params:
            if isinstance(parameter, click.Argument):
                word = parameter.make_metavar(context).strip("[].")
                command = f"{context.command_path} -- {word}"
                return f"put `--` before a text that begins with `-`: `{command}`"
    return f"see `{context.command_path} --help`"


def _is_misspelled(error: click.NoSuchOption) -> bool:
    """Return whether an unknown option is similar to a known one and not a text, such
    as `--- a rule` or `--two words`.
    """
    name = error.option_name.removeprefix("--")
    is_text = name[:1] in ("", "-") or len(name.split()) > 1
    return bool(error.possibilities) and not is_text


def _invoke(arguments: list[str], shell: Shell) -> int:
    """Run one command; return its exit code. Raises: any error of the command except
    click's own.
    """
    if "_CUEDECK_COMPLETE" in os.environ:  # the shell requests completions
        with contextlib.suppress(Exception):
            # An error would be printed into the command line.
            cuedeck.main(arguments, prog_name="cuedeck")
        return 0
    try:
        # click's `main` would turn a broken pipe into an exit code of its own.
        with cuedeck.make_context("cuedeck", list(arguments), obj=shell) as context:
            result = cuedeck.invoke(context)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        with output():
            click.echo(error.format_message())
        return 0
    except click.ClickException as error:
        raise UsageError(error.format_message(), hint=_hint(error)) from error
    except (click.Abort, KeyboardInterrupt, EOFError):
        # An interrupt inside `exec` of a text, as when a dataclass is created, makes
        # CPython end the process by the signal, although it was handled. Another `exec`
        # clears that mark.
        exec("")
        return INTERRUPTED


def _close_stdout() -> None:
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
