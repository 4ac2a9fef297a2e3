"""The `backfill` command: statements of transcripts of before the set-up."""

from __future__ import annotations

import click

from cuedeck.shells.cli.command_base import Shell, common, say_lines
from cuedeck.shells.cli.progress_bar import progress_bar

EPILOG = "\b\nExample:\n  cuedeck backfill claude --dry-run"


@click.command(epilog=EPILOG)
@click.argument("host", metavar="HOST")
@click.option(
    "--from",
    "folder",
    metavar="FOLDER",
    default="",
    help="Read the newest transcripts in this folder that have changed.",
)
@click.option("--dry-run", is_flag=True, help="Count statements, and add none.")
@common
def backfill(shell: Shell, host: str, folder: str, dry_run: bool) -> int:
    """Add the statements of earlier transcripts of a host.

    Only transcripts whose working folder is in this workspace are read.
    """
    from cuedeck.knowledge.statements.backfill import backfill as run

    with progress_bar("transcripts") as progress:
        answer = run(
            shell.workspace(), host, folder=folder, dry_run=dry_run, progress=progress
        )
    answer = shell.masked(answer)
    shell.answer(answer, lambda: say_lines(_lines(answer)))
    return 0


def _lines(answer: dict[str, object]) -> list[str]:
    """Return one line for each session, and the sum."""
    sessions = answer["sessions"]
    assert isinstance(sessions, list)
    lines = [
        f"{each['session']}: {each['statements']:,} statements, {each['added']:,} new"
        for each in sessions
    ]
    total = sum(each["added"] for each in sessions)
    verb = "would add" if answer["dry_run"] else "added"
    lines.append(
        f"{verb} {total:,} statements of {len(sessions):,} sessions"
        f" ({answer['transcripts']:,} transcripts of {answer['host']})"
    )
    return lines
