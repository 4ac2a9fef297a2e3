"""The `progress` commands: done, doing and todo items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from cuedeck.model.session import State
from cuedeck.shells.cli.command_base import (
    Group,
    Shell,
    common,
    print_note,
    say,
    say_lines,
)

_WHAT: dict[State, str] = {
    "done": "Record a finished item.",
    "doing": "Record an item in progress.",
    "todo": "Record an open item.",
}


@click.group(
    cls=Group, epilog='\b\nExample:\n  cuedeck progress done "Created user model"'
)
def progress() -> None:
    """Record progress: done, doing and todo items."""


def _state_command(state: State) -> None:
    @progress.command(
        state,
        help=_WHAT[state],
        epilog=f'\b\nExample:\n  cuedeck progress {state} "Login endpoint"',
    )
    @click.argument("text", metavar="TEXT", nargs=-1, required=True)
    @common
    def record(shell: Shell, text: tuple[str, ...]) -> int:
        from cuedeck.work.sessions.session_progress import record_progress

        answer = shell.masked(record_progress(shell.workspace(), " ".join(text), state))
        if answer["started"]:
            print_note(f"session {answer['session']} was started for it")
        shell.answer(answer, lambda: say(answer["line"]))
        return 0


for _state in _WHAT:
    _state_command(_state)


@progress.command("list", epilog="\b\nExample:\n  cuedeck progress list")
@common
def list_(shell: Shell) -> int:
    """List the progress items and the check boxes of the card.

    If the open session is on another card than the active one, both are listed.
    """
    from cuedeck.work.sessions.session_progress import list_progress

    answer = shell.masked(list_progress(shell.workspace()))
    shell.answer(answer, lambda: say_lines(_lines(answer)))
    return 0


def _lines(answer: dict[str, Any]) -> Iterator[str]:
    """Yield the items below the card that they belong to."""
    heads = [(None, f"session {answer['session']}, without a card")]
    for card in answer["cards"]:
        notes = []
        if card["active"]:
            notes.append("active")
        if card["session"]:
            notes.append(f"session {card['session']}")
        head = " ".join(filter(None, ["card", card["id"], card["title"]]))
        heads.append((card["id"], f"{head} ({', '.join(notes)})"))
    for identity, head in heads:
        lines = [
            each["line"] for each in answer["progress"] if each["card"] == identity
        ]
        if not lines and identity is None:
            continue
        yield f"{head}:"
        yield from lines or ["nothing yet"]
    if len(heads) == 1 and not answer["progress"]:
        yield "nothing yet"
