"""`cuedeck session …`: one stretch of work, from its start through restarts to its end."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.cli import complete
from cuedeck.cli.command import Group, Shell, common, say
from cuedeck.cli.resume import resume
from cuedeck.cli.session_notes import note_, step, touch
from cuedeck.cli.session_views import list_, show, status


@click.group(cls=Group, epilog="\b\nExample:\n  cuedeck session start --card 2a9 --workflow bug-fix")
def session() -> None:
    """Start, record, resume and close sessions of work."""


@session.command(
    "start",
    epilog="\b\nExamples:\n"
    "  cuedeck session start feature-auth-123\n"
    "  cuedeck session start --card 2a9 --workflow feature-development",
)
@click.argument("name", metavar="[NAME]", required=False)
@click.option(
    "--card",
    metavar="CARD",
    shell_complete=complete.card,
    help="Card of the session; it becomes the active card.  [default: the active card]",
)
@click.option(
    "--workflow", metavar="NAME", help="Workflow whose steps the session follows: .cuedeck/workflows/NAME.toml."
)
@common
def start(shell: Shell, name: str | None, card: str | None, workflow: str | None) -> int:
    """Start a session.

    NAME becomes its id; by default the id is made of the title of the card.
    """
    from cuedeck.app.sessions.start import start_session

    answer = shell.masked(start_session(shell.project(), name=name or "", card=card or "", workflow=workflow or ""))
    shell.answer(answer, lambda: _show_start(answer))
    return 0


def _show_start(answer: dict[str, Any]) -> None:
    step = f", step {answer['step']} of {answer['workflow']}" if answer["step"] else ""
    say(f"session {answer['session']}" + (f" on card {answer['card']}" if answer["card"] else "") + step)
    for each in answer["assumptions"]:
        say(each["message"])
    if answer["cleaned"]:
        say(f"archived: {', '.join(answer['cleaned'])}")


@session.command("checkpoint", epilog='\b\nExample:\n  cuedeck session checkpoint "Tests are green"')
@click.argument("text", metavar="[TEXT]", nargs=-1)
@common
def checkpoint(shell: Shell, text: tuple[str, ...]) -> int:
    """Record files written, boxes checked, progress, decisions and commits since the last checkpoint."""
    from cuedeck.app.sessions.checkpoint import checkpoint as make

    answer = shell.masked(make(shell.project(), " ".join(text)))
    kinds = ("written", "checked", "done", "doing", "todo", "decisions", "commits")
    counts = ", ".join(f"{len(answer[key])} {key}" for key in kinds)
    shell.answer(answer, lambda: say(f"{answer['session']}: {counts}"))
    return 0


@session.command("close", epilog='\b\nExample:\n  cuedeck session close "Login works"')
@click.argument("text", metavar="[TEXT]", nargs=-1)
@click.option(
    "--session",
    "name",
    metavar="SESSION",
    shell_complete=complete.session,
    default=None,
    help="Session to close; it must be the open one.",
)
@common
def close(shell: Shell, text: tuple[str, ...], name: str | None) -> int:
    """Close the session, after a last checkpoint."""
    from cuedeck.app.sessions.notes import close as end

    answer = shell.masked(end(shell.project(), " ".join(text), name or ""))
    shell.answer(answer, lambda: say(f"{answer['session']}: {answer['status']}"))
    return 0


@session.command("clean", epilog="\b\nExample:\n  cuedeck session clean --dry-run")
@click.option("--dry-run", is_flag=True, help="List the sessions that would be moved; move none.")
@common
def clean(shell: Shell, dry_run: bool) -> int:
    """Move sessions that were not used for `session.keep_days` into a compressed archive."""
    from cuedeck.app.sessions.clean import clean as clean_sessions

    answer = shell.masked(clean_sessions(shell.project(), dry_run=dry_run))
    verb = "would go to" if dry_run else "went to"
    told = f"{', '.join(answer['removed'])} {verb} {answer['archive']}" if answer["removed"] else "nothing to clean"
    shell.answer(answer, lambda: say(told))
    return 0


for _command in (resume, note_, touch, step, status, list_, show):
    session.add_command(_command)
