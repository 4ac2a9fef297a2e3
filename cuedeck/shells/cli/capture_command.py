"""The `capture` commands: the user's agreement to record sessions."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.engine.capture import NOT_ANSWERED, capture_status, set_capture
from cuedeck.shells.cli.command_base import Group, Shell, common, say_lines

EPILOG = "\b\nExample:\n  cuedeck capture "


@click.group(cls=Group, epilog=f"{EPILOG}status")
def capture() -> None:
    """Agree that sessions of this workspace are recorded, or decline.

    The answer is yours alone: it is in your own state folder, not in the repository.
    `cuedeck setup HOST` agrees, too.
    """


@capture.command("on", epilog=f"{EPILOG}on")
@common
def on(shell: Shell) -> int:
    """Record sessions of this workspace from now on."""
    return _show(shell, set_capture(shell.workspace(), "on"))


@capture.command("off", epilog=f"{EPILOG}off")
@common
def off(shell: Shell) -> int:
    """Stop recording; existing records and messages are kept."""
    return _show(shell, set_capture(shell.workspace(), "off"))


@capture.command("status", epilog=f"{EPILOG}status")
@common
def status(shell: Shell) -> int:
    """Print whether sessions are recorded, and where."""
    return _show(shell, capture_status(shell.workspace()))


def _show(shell: Shell, answer: dict[str, Any]) -> int:
    answer = shell.masked(answer)
    shell.answer(answer, lambda: say_lines(capture_lines(answer)))
    return 0


def capture_lines(status: dict[str, Any]) -> list[str]:
    """Return the lines that describe a status to the user."""
    rows = [f"{row['what']} in {row['path']}" for row in status["recorded"]]
    recorded = "; ".join(rows)
    if status["capture"] != "on":
        reason = "you declined"
        if status["capture"] == NOT_ANSWERED:
            reason = "you have not agreed"
        return [
            f"capture is off in {status['folder']}: {reason}",
            f"`cuedeck capture on` records {recorded}",
        ]
    exposed = [row["path"] for row in status["recorded"] if not row["is_ignored"]]
    git = "git ignores all of it"
    if exposed:
        hint = "`cuedeck doctor --repair` adds the lines"
        git = f"git does not ignore {', '.join(exposed)}: {hint}"
    return [
        f"capture is on in {status['folder']}, for you alone",
        f"recorded, with secrets masked: {recorded}",
        f"{git}; `cuedeck capture off` stops it",
    ]
