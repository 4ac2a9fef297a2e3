"""The `session` commands `status`, `list`, `show` and `archive`."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import Shell, common, print_note, say
from cuedeck.shells.cli.text_table import Column, table
from cuedeck.work.sessions.list_sessions import list_sessions, show_session
from cuedeck.work.sessions.list_sessions import status as session_status


@click.command("status", epilog="\b\nExample:\n  cuedeck session status")
@common
def status(shell: Shell) -> int:
    """Show card, progress, decisions and files of the open session."""
    answer = shell.masked(session_status(shell.workspace()))
    shell.answer(answer, lambda: _show_status(answer))
    return 0


def _show_status(answer: dict[str, Any]) -> None:
    step = answer["step"]
    rows = [
        ("session", answer["session"]),
        ("card", " ".join(each for each in (answer["card"], answer["title"]) if each)),
        (
            "workflow",
            f"{answer['workflow']}, step {step['number']} of {step['of']}: {step['name']}"
            if step
            else "",
        ),
        ("branch", answer["branch"] or ""),
        ("last", answer["last_action"] or ""),
        ("next", answer["next"] or ""),
        ("decided", "; ".join(each["title"] for each in answer["decisions"])),
        (
            "files",
            ", ".join(
                f"{each['path']} ({each['role']})" for each in answer["working_set"]
            ),
        ),
    ]
    for name, value in rows:
        if value:
            say(f"{name:<9} {value}")
    if answer["progress"]:
        say("\nProgress so far this session:")
    for each in answer["progress"]:
        say(f"- {each['line']}")


@click.command("list", epilog="\b\nExample:\n  cuedeck session list")
@common
def list_(shell: Shell) -> int:
    """List the sessions with their timelines, the last used first."""
    return show_sessions(shell)


def show_sessions(shell: Shell) -> int:
    """Answer with the list of sessions."""
    answer = shell.masked(list_sessions(shell.workspace()))
    for fault in answer["faults"]:
        print_note(f"warning: {fault['path']}: {fault['message']}; {fault['hint']}")

    columns = [
        Column("session"),
        Column("status"),
        Column("host"),
        Column("card"),
        Column("start"),
        Column("last access"),
        Column("files", right=True),
        Column("turns", right=True),
        Column("timeline"),
    ]
    columns.append(Column("title", wraps=True))
    rows = [
        (
            each["session"],
            each["status"],
            ", ".join(each["hosts"]),
            each["card"] or "",
            _minute(each["created"]),
            _minute(each["last_access"]),
            f"{each['files']:,}",
            f"{each['message_count']:,}",
            "yes" if each["address"] else "no",
            each["title"] or "",
        )
        for each in answer["sessions"]
    ]
    shell.answer(answer, lambda: click.echo(table(columns, rows) or "no sessions"))
    return 0


def _minute(timestamp: str) -> str:
    return timestamp[:16].replace("T", " ")


@click.command(
    "show",
    epilog="\b\nExamples:\n  cuedeck session show\n  cuedeck session show fix-login",
)
@click.argument(
    "name",
    metavar="[SESSION]",
    shell_complete=complete_arguments.session,
    required=False,
)
@common
def show(shell: Shell, name: str | None) -> int:
    """Print everything recorded in a session, as JSON.

    Without SESSION, prints the open session."""
    import json

    answer = shell.masked(show_session(shell.workspace(), name or ""))
    shell.answer(answer, lambda: say(json.dumps(answer, ensure_ascii=False, indent=2)))
    return 0


@click.command("archive", epilog="\b\nExample:\n  cuedeck session archive fix-login")
@click.argument(
    "name", metavar="SESSION", shell_complete=complete_arguments.cortex_session
)
@common
def archive(shell: Shell, name: str) -> int:
    """Archive a timeline: its messages stay, and new ones are refused.

    SESSION is a session of the cortex tree. `cuedeck cortex open SESSION` makes it
    active again.
    """
    from cuedeck.knowledge.cortex.change_cortex_session import archive_cortex_session

    answer = shell.masked(archive_cortex_session(shell.workspace(), name))
    shell.answer(answer, lambda: say(f"session {answer['session']}: archived"))
    return 0
