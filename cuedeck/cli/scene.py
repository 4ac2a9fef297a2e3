"""`cuedeck scene`: build the scene, write it, or give it elsewhere; `scene diff` compares two."""

from __future__ import annotations

import os
import sys

import click

from cuedeck.cli import complete
from cuedeck.cli.command import Group, Shell, common, note
from cuedeck.cli.meter import progress_bar
from cuedeck.model.errors import UsageError
from cuedeck.model.places import SCENE
from cuedeck.model.scene import LARGEST_BUDGET, SMALLEST_BUDGET

EPILOG = """\b
Examples:
  cuedeck scene                       write .cuedeck/SCENE.md for the active card
  cuedeck scene --print | less        look at it without writing
  cuedeck scene --card 2a9 --budget 4000 --json
  cuedeck scene diff                  what the next one would change"""

DIFF_EPILOG = """\b
Examples:
  cuedeck scene diff                  SCENE.md against what the files give now
  cuedeck scene diff --text           the lines that changed as well
  cuedeck scene diff 6fe89 --json     against the kept scene with this receipt"""

card_option = click.option(
    "--card",
    metavar="CARD",
    shell_complete=complete.card,
    help="Build it for this card: id, unique prefix, path or title.",
)
budget_option = click.option(
    "--budget", type=click.IntRange(SMALLEST_BUDGET, LARGEST_BUDGET), metavar="N", help="Token limit of the whole file."
)
related_option = click.option("--no-related", is_flag=True, help="Leave out the related tier.")


@click.group(cls=Group, invoke_without_command=True, subcommand_metavar="[diff]", epilog=EPILOG)
@card_option
@budget_option
@click.option("--print", "to_stdout", is_flag=True, help="Give exactly the text on stdout; write nothing.")
@click.option("--out", metavar="FILE", help="Write it to FILE instead of SCENE.md.")
@click.option("--copy", is_flag=True, help="Also put it on the clipboard.")
@related_option
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
    if _goes_on():
        return 0
    from cuedeck.app import deliver as app
    from cuedeck.app.scene import Request

    project = shell.project()
    request = Request(card, budget, not no_related)
    if strict:
        app.check_cycles(project, request)
    if verify:
        differs = app.verify_scene(project, request)
        shell.answer(
            {"path": SCENE, "verified": not differs, "difference": differs},
            lambda: note(differs or f"{SCENE} is what the files give"),
        )
        return 1 if differs else 0
    place = shell.target(out) if out else None
    writes = not (to_stdout or out or dry_run)
    with progress_bar("reading files") as progress:
        made = app.deliver(project, request, write=writes, out=None if dry_run else place, progress=progress)
    report = {"path": shell.shown(place) if place else SCENE, **made.told}
    if copy:
        note(app.copy_text(made.text, os.environ) or "copied to the clipboard")
    shell.answer(report, lambda: sys.stdout.write(made.text) if to_stdout else click.echo(_summary(report, dry_run)))
    return 0


def _summary(report: dict[str, object], dry_run: bool) -> str:
    from cuedeck.cli.scene_summary import summary

    return summary(report, dry_run=dry_run)


def _goes_on() -> bool:
    """Tell whether a command of the group follows. Raises: UsageError for options before it that it would not see."""
    context = click.get_current_context()
    name = context.invoked_subcommand
    if name is None:
        return False
    for option in context.command.params:
        given = context.get_parameter_source(str(option.name)) is click.core.ParameterSource.COMMANDLINE
        if given and option.name != "directory":
            hint = f"the options of `{name}` stand behind it: see `{context.command_path} {name} --help`"
            raise UsageError(f"{option.opts[0]} stands before `{name}`", hint=hint)
    return True


@scene.command(epilog=DIFF_EPILOG)
@click.argument("receipt", required=False)
@card_option
@budget_option
@related_option
@click.option("--text", "with_text", is_flag=True, help="Show which lines of the changed nodes differ.")
@common
def diff(
    shell: Shell, receipt: str | None, card: str | None, budget: int | None, no_related: bool, with_text: bool
) -> int:
    """Say what changed between the last scene and the one the files give now; nothing is written.

    The last scene is SCENE.md, or the one of the last few whose receipt begins with RECEIPT. The options are
    those of the scene of now.
    """
    from cuedeck.app.scene import Request
    from cuedeck.app.scene_diff import diff_scene
    from cuedeck.cli.scene_changes import changes

    request = Request(card, budget, not no_related)
    answer = shell.masked(diff_scene(shell.project(), request, receipt or "", with_text=with_text))
    shell.answer(answer, lambda: click.echo(changes(answer), nl=False))
    return 0
