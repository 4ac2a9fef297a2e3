"""The `session note`, `session touch` and `session step` commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cuedeck.model.errors import Invalid, UsageError
from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import Shell, common, say

if TYPE_CHECKING:
    from cuedeck.model.session import Role


@click.command(
    "note",
    epilog='\b\nExample:\n  cuedeck session note "Added JWT middleware" --next "Integrate with login"',
)
@click.argument("text", metavar="TEXT", nargs=-1)
@click.option("--next", "following", metavar="TEXT", default="", help="Next step.")
@common
def note_(shell: Shell, text: tuple[str, ...], following: str) -> int:
    """Record the last action and the next step."""
    from cuedeck.work.sessions.session_notes import add_note

    answer = shell.masked(add_note(shell.workspace(), " ".join(text), following))
    shell.answer(answer, lambda: say(_noted(answer)))
    return 0


def _noted(answer: dict[str, Any]) -> str:
    parts = []
    if answer["note"]:
        parts.append(answer["note"])
    if answer["next"]:
        parts.append(f"next: {answer['next']}")
    return f"{answer['session']}: {'; '.join(parts)}"


@click.command(
    "touch", epilog="\b\nExample:\n  cuedeck session touch src/auth.py --write"
)
@click.argument(
    "files",
    metavar="FILE...",
    shell_complete=complete_arguments.address,
    nargs=-1,
    required=True,
)
@click.option("--read", "reads", is_flag=True, help="The files were read (default).")
@click.option("--write", "writes", is_flag=True, help="The files were written.")
@common
def touch(shell: Shell, files: tuple[str, ...], reads: bool, writes: bool) -> int:
    """Record that files were read or written."""
    from cuedeck.work.sessions.session_notes import touch as touch_files

    role: Role = "write" if writes else "read"
    if reads and writes:
        role = "both"
    answer = shell.masked(touch_files(shell.workspace(), shell.start, files, role))
    shell.answer(
        answer,
        lambda: say(
            "\n".join(f"{each['path']}: {each['role']}" for each in answer["touched"])
        ),
    )
    return 0


@click.command(
    "step",
    epilog="\b\nExamples:\n  cuedeck session step\n  cuedeck session step next\n  cuedeck session step set 3",
    context_settings={
        "ignore_unknown_options": True
    },  # `-1` must reach the number check
)
@click.argument(
    "where", metavar="[next|set]", type=click.Choice(["next", "set"]), required=False
)
@click.argument("number", metavar="[N]", required=False)
@common
def step(shell: Shell, where: str | None, number: str | None) -> int:
    """Show the step of the workflow, or go to another step."""
    from cuedeck.work.sessions import session_notes

    if where is None:
        answer = shell.masked(session_notes.current_step(shell.workspace()))
    else:
        wanted = _number(where, number)
        answer = shell.masked(session_notes.step(shell.workspace(), wanted))
    message = f"step {answer['step']} of {answer['of']}: {answer['name']}"
    if answer["text"]:
        message += f": {answer['text']}"
    shell.answer(answer, lambda: say(message))
    return 0


def _number(where: str, number: str | None) -> int | None:
    """Return the requested step; None for the next. Raises: UsageError, Invalid for a
    malformed number.
    """
    if where == "next":
        if number is not None:
            raise UsageError(
                "`step next` takes no number", hint="`cuedeck session step set N`"
            )
        return None
    if number is None:
        raise UsageError(
            "`step set` needs a number", hint="`cuedeck session step set N`"
        )
    if not number.isascii() or not number.isdigit():
        raise Invalid(f"`{number}` is not a step", hint="give a number from 1")
    return int(number)
