"""The `session` commands and `resume`."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.ledger.sessions.session_summary import resume_sentence
from cuedeck.model.formatting import quoted
from cuedeck.parse.fence import quoted as as_data
from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import Group, Shell, common, print_note, say
from cuedeck.shells.cli.session_list_command import archive, list_, show, status
from cuedeck.shells.cli.session_notes_command import note_, step, touch
from cuedeck.shells.cli.text_table import Column, table

_LONGEST = 2_000
"""Characters of each text that `resume` prints."""


@click.command(
    "resume", epilog="\b\nExamples:\n  cuedeck resume\n  cuedeck resume fix-login"
)
@click.argument(
    "name",
    metavar="[SESSION]",
    shell_complete=complete_arguments.session,
    required=False,
)
@common
def resume(shell: Shell, name: str | None) -> int:
    """Resume a session and print what changed since.

    Another session that is open is closed first, with a checkpoint.
    """
    from cuedeck.work.sessions.resume_session import resume as resume_session

    answer = shell.masked_again(
        resume_session(shell.workspace(), name or "", switch=True)
    )
    shell.answer(answer, lambda: _show_resume(answer))
    return 0


def _quoted(text: str) -> str:
    """Return words of a session as quoted data, because agents read this output,
    too.
    """
    return as_data(text, _LONGEST)


def _show_resume(answer: dict[str, Any]) -> None:
    if answer["closed"]:
        back = f"`cuedeck resume {quoted(answer['closed'])}` resumes it"
        say(f"Closed session {answer['closed']} with a checkpoint; {back}.")
    say(
        resume_sentence(
            answer["title"], answer["last_action"] or "", answer["next"] or "", _quoted
        )
    )
    for each in answer["assumptions"]:
        say(_quoted(each["message"]))
    if answer["unchanged"]:
        say("Nothing changed since.")
    elif answer["changed"]:
        say("\nChanged since:")
        for each in answer["changed"]:
            where = ""
            if each["path"] != ".":
                where = f"{each['path']}  "
            say(f"  {where}{each['change']}")
    else:
        say("Linked files are unchanged; the rest of the scene changed.")
    if answer["working_set"]:
        say("\nFiles of the session:")

        columns = [Column("file"), Column("role"), Column("")]
        rows = []
        for each in answer["working_set"]:
            state = "" if each["hash"] else "gone"
            rows.append((each["path"], each["role"], state))
        click.echo(table(columns, rows))
    if answer["earlier"]:
        say(f"\n{answer['earlier'].rstrip()}")
    for path in answer["set_aside"]:
        print_note(
            f"warning: a session file could not be read; it is now {path}, and its backup was used"
        )


@click.group(
    cls=Group,
    epilog="\b\nExample:\n  cuedeck session start --card 2a9 --workflow bug-fix",
)
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
    shell_complete=complete_arguments.card,
    help="Card of the session; it becomes the active card.  [default: the active card]",
)
@click.option(
    "--workflow",
    metavar="NAME",
    help="Workflow whose steps the session follows: .cuedeck/workflows/NAME.toml.",
)
@common
def start(
    shell: Shell, name: str | None, card: str | None, workflow: str | None
) -> int:
    """Start a session.

    NAME becomes its id; by default the id is derived from the title of the card.
    """
    from cuedeck.work.sessions.start_session import start_session

    answer = shell.masked(
        start_session(
            shell.workspace(), name=name or "", card=card or "", workflow=workflow or ""
        )
    )
    shell.answer(answer, lambda: _show_start(answer))
    return 0


def _show_start(answer: dict[str, Any]) -> None:
    step = ""
    if answer["step"]:
        step = f", step {answer['step']} of {answer['workflow']}"
    say(
        f"session {answer['session']}"
        + (f" on card {answer['card']}" if answer["card"] else "")
        + step
    )
    for each in answer["assumptions"]:
        say(_quoted(each["message"]))
    if answer["cleaned"]:
        say(f"archived: {', '.join(answer['cleaned'])}")


@session.command(
    "checkpoint", epilog='\b\nExample:\n  cuedeck session checkpoint "Tests are green"'
)
@click.argument("text", metavar="[TEXT]", nargs=-1)
@common
def checkpoint(shell: Shell, text: tuple[str, ...]) -> int:
    """Record the work since the last checkpoint.

    That is files written, boxes checked, progress, decisions and commits.
    """
    from cuedeck.work.sessions.checkpoint import checkpoint as make

    answer = shell.masked(make(shell.workspace(), " ".join(text)))
    kinds = ("written", "checked", "done", "doing", "todo", "decisions", "commits")
    counts = ", ".join(f"{key} {len(answer[key])}" for key in kinds)

    def show_counts() -> None:
        if "git" in answer:
            print_note(
                f"warning: commits are not known: {answer['git']['message']}; {answer['git']['hint']}"
            )
        say(f"{answer['session']}: {counts}")

    shell.answer(answer, show_counts)
    return 0


@session.command("close", epilog='\b\nExample:\n  cuedeck session close "Login works"')
@click.argument("text", metavar="[TEXT]", nargs=-1)
@click.option(
    "--session",
    "name",
    metavar="SESSION",
    shell_complete=complete_arguments.session,
    default=None,
    help="Session to close; it must be the open one.",
)
@common
def close(shell: Shell, text: tuple[str, ...], name: str | None) -> int:
    """Close the session, after a last checkpoint."""
    from cuedeck.work.sessions.session_notes import close as end

    answer = shell.masked(end(shell.workspace(), " ".join(text), name or ""))
    shell.answer(answer, lambda: say(f"{answer['session']}: {answer['status']}"))
    return 0


@session.command("clean", epilog="\b\nExample:\n  cuedeck session clean --dry-run")
@click.option(
    "--dry-run", is_flag=True, help="List the sessions that would be moved; move none."
)
@common
def clean(shell: Shell, dry_run: bool) -> int:
    """Move unused sessions into a compressed archive.

    A session is unused if it was not accessed for `session.keep_days` days.
    """
    from cuedeck.work.sessions.archive_sessions import clean as clean_sessions

    answer = shell.masked(clean_sessions(shell.workspace(), dry_run=dry_run))
    message = "nothing to clean"
    if answer["removed"]:
        verb = "would go to" if dry_run else "went to"
        message = f"{', '.join(answer['removed'])} {verb} {answer['archive']}"
    shell.answer(answer, lambda: say(message))
    return 0


for _command in (resume, note_, touch, step, status, list_, show, archive):
    session.add_command(_command)
