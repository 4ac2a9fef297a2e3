"""The commands for sessions of the cortex tree: `cortex add`, `commit`, `open`, `close`
and `sessions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import click

from cuedeck.knowledge.cortex.add_message import NewMessage, add_message, parse_metadata
from cuedeck.knowledge.cortex.change_cortex_session import (
    SessionDetails,
    close_cortex_session,
    open_cortex_session,
)
from cuedeck.knowledge.cortex.commit_session import commit_session
from cuedeck.knowledge.cortex.session_owners import checked_owners
from cuedeck.model.formatting import counted
from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import Shell, common, print_note, say, say_lines
from cuedeck.shells.cli.read_stdin import read_stdin
from cuedeck.shells.cli.session_list_command import show_sessions

session_option = click.option(
    "--session",
    "session",
    metavar="SESSION",
    default="",
    shell_complete=complete_arguments.cortex_session,
    help="Id of the session.  [default: cortex.session]",
)
_session_argument = click.argument(
    "session",
    metavar="[SESSION]",
    required=False,
    default="",
    shell_complete=complete_arguments.cortex_session,
)


def _owner_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options for the user and the agent of a session."""
    for name, completer in (
        ("agent", complete_arguments.cortex_agent),
        ("user", complete_arguments.cortex_user),
    ):
        option = click.option(
            f"--{name}",
            name,
            metavar="ID",
            default="",
            shell_complete=completer,
            help=f"The {name} of the session; an existing session must have the same."
            f"  [default: cortex.{name}]",
        )
        command = option(command)
    return command


_ADDING = """\b
Examples:
  cuedeck cortex add "I prefer vim as my editor"
  cuedeck cortex add --role assistant --session fix-login "The token was expired"
  cuedeck cortex add --session review --user ana --agent reviewer "Looks good"
  cat answer.md | cuedeck cortex add --role assistant -"""


@click.command("add", epilog=_ADDING)
@click.argument("text", metavar="TEXT", nargs=-1, required=True)
@click.option(
    "--role",
    default="user",
    show_default=True,
    metavar="ROLE",
    help="Who wrote the message: user, assistant or system.",
)
@session_option
@click.option(
    "--time",
    "time",
    metavar="TIME",
    default="",
    help="Time of the message, such as 2026-11-22T09:15:00+01:00.  [default: now]",
)
@click.option(
    "--participant",
    "participants",
    metavar="NAME",
    multiple=True,
    help="Who took part. Repeatable.  [default: user or agent of the session]",
)
@click.option(
    "--metadata",
    "metadata",
    metavar="JSON",
    default="",
    help='Values to store with the message, such as {"tags": ["auth"]}.',
)
@_owner_options
@common
def add(
    shell: Shell,
    text: tuple[str, ...],
    role: str,
    session: str,
    time: str,
    participants: tuple[str, ...],
    metadata: str,
    user: str,
    agent: str,
) -> int:
    """Add a message to the timeline of a session.

    Prints its address.

    TEXT is the message, or `-` to read it from stdin. Secrets in it are masked. The
    session is created if it does not exist; it keeps the user and the agent with which
    it is created.
    """
    content = " ".join(text)
    if content == "-":
        content = read_stdin()
    values = parse_metadata(metadata)
    workspace = shell.workspace()
    new = NewMessage(
        content,
        role,
        time,
        participants,
        metadata=values,
        owners=checked_owners(workspace, user, agent),
    )
    added = add_message(workspace, new, session)
    answer = {
        "address": added.address.text,
        "path": added.address.path,
        "session": added.session,
        "id": added.id,
        "seq": added.seq,
    }
    if added.note:
        answer["note"] = added.note

    def show() -> None:
        say(added.address.text)
        if added.note:
            print_note(added.note)

    shell.answer(answer, show)
    return 0


_COMMITTING = """\b
Examples:
  cuedeck cortex commit
  cuedeck cortex commit fix-login --json"""


@click.command("commit", epilog=_COMMITTING)
@_session_argument
@_owner_options
@common
def commit(shell: Shell, session: str, user: str, agent: str) -> int:
    """Write the memories in new messages and statements.

    The messages are those of the session. The statements are those that hooks captured
    in the session of a host with this id; without SESSION, in all. `memory tick`
    and the end of a session commit statements by themselves.

    Only explicit sentences count: remember, prefer, decide, names with roles, TODO,
    problem and solution. A second commit changes nothing. The session stays active.
    """
    workspace = shell.workspace()
    owners = checked_owners(workspace, user, agent)
    answer = shell.masked(commit_session(workspace, session, owners))
    shell.answer(answer, lambda: say_lines(_receipt_lines(answer)))
    return 0


def _receipt_lines(answer: dict[str, Any]) -> Iterator[str]:
    if answer["address"]:
        name, messages = answer["session"], counted(answer["messages"], "new message")
        yield f"session {name}: {messages}, committed up to {answer['seq']}"
    if answer["statements"]:
        yield counted(answer["statements"], "new statement")
    for verb in ("made", "updated", "reused"):
        for each in answer[verb]:
            yield f"{verb:<8} {each['address']}"
    layers = answer["layers"]
    if layers["made"]:
        yield f"built    {counted(len(layers['made']), 'layer')}"
    for each in (*layers["kept"], *layers["failed"]):
        yield f"layer of {each['address']}: {each['status']}"
    for each in answer["left_out"]:
        yield f"left out {each['address']}: {each['reason']}"
    if answer["stale_layers"]:
        stale = counted(answer["stale_layers"], "layer")
        yield f"stale    {stale} of other texts; `cuedeck layers build` builds them"


_OPENING = """\b
Examples:
  cuedeck cortex open fix-login --title "Fix login" --tag auth
  cuedeck cortex open"""


@click.command("open", epilog=_OPENING)
@_session_argument
@click.option("--title", metavar="TEXT", default="", help="Title of the session.")
@click.option(
    "--description", metavar="TEXT", default="", help="Description of the session."
)
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="Tag. Repeatable.")
@click.option(
    "--participant",
    "participants",
    metavar="NAME",
    multiple=True,
    help="Who takes part. Repeatable.",
)
@_owner_options
@common
def open_(
    shell: Shell,
    session: str,
    title: str,
    description: str,
    tags: tuple[str, ...],
    participants: tuple[str, ...],
    user: str,
    agent: str,
) -> int:
    """Create a session, or make a closed or archived one active again.

    Tags and participants are added to those of the session; title and description
    replace the old ones.
    """
    workspace = shell.workspace()
    owners = checked_owners(workspace, user, agent)
    details = SessionDetails(title, description, tags, participants, owners)
    found = open_cortex_session(workspace, session, details)
    answer = shell.masked(found)
    shell.answer(answer, lambda: say(_session_line(answer)))
    return 0


@click.command("close", epilog="\b\nExample:\n  cuedeck cortex close fix-login")
@_session_argument
@common
def close(shell: Shell, session: str) -> int:
    """Close a session; the next message makes it active again."""
    answer = shell.masked(close_cortex_session(shell.workspace(), session))
    shell.answer(answer, lambda: say(_session_line(answer)))
    return 0


@click.command("sessions", epilog="\b\nExample:\n  cuedeck cortex sessions")
@common
def sessions(shell: Shell) -> int:
    """List the sessions, as `session list` does."""
    return show_sessions(shell)


def _session_line(answer: dict[str, Any]) -> str:
    messages = counted(answer["message_count"], "message")
    return f"session {answer['session']}: {answer['status']}, {messages}"
