"""`cuedeck resume`: going on after a restart."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.cli import complete
from cuedeck.cli.command import Shell, common, note, say
from cuedeck.model.shown import quoted


@click.command("resume", epilog="\b\nExamples:\n  cuedeck resume\n  cuedeck resume fix-login")
@click.argument("name", metavar="[SESSION]", shell_complete=complete.session, required=False)
@common
def resume(shell: Shell, name: str | None) -> int:
    """Resume a session and print what changed since.

    Another session that is open is closed first, with a checkpoint.
    """
    from cuedeck.app.sessions.resume import resume as resume_session

    answer = shell.masked_again(resume_session(shell.project(), name or "", switch=True))
    shell.answer(answer, lambda: _show_resume(answer))
    return 0


def _show_resume(answer: dict[str, Any]) -> None:
    if answer["closed"]:
        back = f"`cuedeck resume {quoted(answer['closed'])}` resumes it"
        say(f"Closed session {answer['closed']} with a checkpoint; {back}.")
    say(answer["summary"])
    for each in answer["assumptions"]:
        say(each["message"])
    if answer["unchanged"]:
        say("Nothing changed since.")
    elif answer["changed"]:
        say("\nChanged since:")
        for each in answer["changed"]:
            where = "" if each["path"] == "." else f"{each['path']}  "
            say(f"  {where}{each['change']}")
    else:
        say("Its files are unchanged; what the scene says is not.")
    if answer["working_set"]:
        say("\nWorking set:")
        from cuedeck.cli.table import Column, table

        rows = [(each["path"], each["role"], "" if each["hash"] else "gone") for each in answer["working_set"]]
        click.echo(table([Column("file"), Column("role"), Column("")], rows))
    for path in answer["set_aside"]:
        note(f"warning: a session file could not be read; it is now {path}, and its backup was used")
