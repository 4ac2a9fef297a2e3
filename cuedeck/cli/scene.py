"""`cuedeck scene`: build the scene, write it, or give it elsewhere."""

from __future__ import annotations

import os
import sys

import click

from cuedeck.cli.command import Shell, common, note
from cuedeck.cli.progress import progress_bar

EPILOG = """\b
Examples:
  cuedeck scene                       write .cuedeck/SCENE.md for the active card
  cuedeck scene --print | less        look at it without writing
  cuedeck scene --card 2a9 --budget 4000 --json"""


@click.command(epilog=EPILOG)
@click.option("--card", metavar="CARD", help="Build it for this card: id, unique prefix, path or title.")
@click.option("--budget", type=click.IntRange(200, 10_000_000), metavar="N", help="Token limit of the whole file.")
@click.option("--print", "to_stdout", is_flag=True, help="Give exactly the text on stdout; write nothing.")
@click.option("--out", metavar="FILE", help="Write it to FILE instead of SCENE.md.")
@click.option("--copy", is_flag=True, help="Also put it on the clipboard.")
@click.option("--no-related", is_flag=True, help="Leave out the related tier.")
@click.option("--strict", is_flag=True, help="Fail when refs run in a circle (code 1002).")
@click.option("--verify", is_flag=True, help="Build it again without the index and compare with SCENE.md.")
@click.option("--dry-run", is_flag=True, help="Say what it would hold; write nothing.")
@common
def scene(
    shell: Shell,
    card: str | None,
    budget: int | None,
    to_stdout: bool,
    out: str | None,
    copy: bool,
    no_related: bool,
    strict: bool,
    verify: bool,
    dry_run: bool,
) -> int:
    """Build the context of a card and write it to .cuedeck/SCENE.md.

    The file holds the card, then what its refs lead to, within a hard token budget. The same files give
    the same bytes.
    """
    from cuedeck.app import deliver as app
    from cuedeck.app.scene import Request

    project = shell.project()
    request = Request(card, budget, not no_related)
    if strict:
        app.check_cycles(project, request)
    if verify:
        differs = app.verify_scene(project, request)
        shell.answer(
            {"path": app.SCENE, "verified": not differs, "difference": differs},
            lambda: note(differs or f"{app.SCENE} is what the files give"),
        )
        return 1 if differs else 0
    place = shell.place(out) if out and not dry_run else None
    with progress_bar("reading files") as progress:
        made = app.deliver(project, request, write=not (to_stdout or out or dry_run), out=place, progress=progress)
    report = {**made.told, "path": out or app.SCENE}
    if copy:
        note(app.copy_text(made.text, os.environ) or "copied to the clipboard")
    shell.answer(report, lambda: sys.stdout.write(made.text) if to_stdout else click.echo(_summary(report, dry_run)))
    return 0


def _summary(report: dict[str, object], dry_run: bool) -> str:
    from cuedeck.cli.scene_summary import summary

    return summary(report, dry_run=dry_run)
