"""The `scene` and `scene diff` commands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from cuedeck.cli import complete_arguments
from cuedeck.cli.command_base import Group, Shell, common, print_note, write_text
from cuedeck.cli.progress_bar import progress_bar
from cuedeck.model.budget_bounds import LARGEST_BUDGET, SMALLEST_BUDGET
from cuedeck.model.errors import Stale, UsageError
from cuedeck.model.paths import SCENE

if TYPE_CHECKING:
    from cuedeck.app.scene.build_scene import Request
    from cuedeck.app.workspace import Workspace

EPILOG = """\b
Examples:
  cuedeck scene                       write .cuedeck/SCENE.md for the active card
  cuedeck scene --print | less        read it without writing a file
  cuedeck scene --card 2a9 --budget 4000 --json
  cuedeck scene diff                  what the next build would change"""

DIFF_EPILOG = """\b
Examples:
  cuedeck scene diff                  SCENE.md against the current files
  cuedeck scene diff --text           also the lines that changed
  cuedeck scene diff 6fe89 --json     against the cached scene with this receipt"""

card_option = click.option(
    "--card",
    metavar="CARD",
    shell_complete=complete_arguments.card,
    help="Use this card: id, unique prefix, path or title.",
)
budget_option = click.option(
    "--budget", type=click.IntRange(SMALLEST_BUDGET, LARGEST_BUDGET), metavar="N", help="Token limit of the whole file."
)
related_option = click.option("--no-related", is_flag=True, help="Leave out related files.")


@click.group(cls=Group, invoke_without_command=True, subcommand_metavar="[diff]", epilog=EPILOG)
@card_option
@budget_option
@click.option("--print", "to_stdout", is_flag=True, help="Print exactly the text to stdout; write no file.")
@click.option("--out", metavar="FILE", help="Write to FILE instead of SCENE.md.")
@click.option("--copy", is_flag=True, help="Also copy the text to the clipboard.")
@related_option
@click.option("--strict", is_flag=True, help="Fail if refs form a cycle (code 1002).")
@click.option("--verify", is_flag=True, help="Rebuild without the index and compare with SCENE.md.")
@click.option("--dry-run", is_flag=True, help="Print what the scene would contain; write no file.")
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

    The file contains the card, the files that its refs lead to and related files, within a token limit.
    The same files give the same bytes.
    """
    if _has_subcommand():
        return 0
    from cuedeck.app.scene import deliver_scene as app
    from cuedeck.app.scene.build_scene import Request

    workspace = shell.workspace()
    request = Request(card, budget, not no_related)
    if strict:
        app.check_cycles(workspace, request)
    if verify:
        return _verify(shell, workspace, request)
    place = shell.target(out) if out else None
    writes = not (to_stdout or out or dry_run)
    target = None if dry_run else place
    with progress_bar("reading files and commits") as progress:
        made = app.deliver(workspace, request, write=writes, out=target, progress=progress)
    report = {"path": shell.shown(place) if place else SCENE, **made.masked_report}
    if copy:
        print_note(app.copy_text(made.text, os.environ) or "copied to the clipboard")
    if to_stdout:
        shell.answer(report, lambda: write_text(made.text))
    else:
        shell.answer(report, lambda: _print_summary(report, dry_run))
    return 0


def _verify(shell: Shell, workspace: Workspace, request: Request) -> int:
    from cuedeck.app.scene.deliver_scene import verify_scene

    difference = verify_scene(workspace, request)
    code = Stale.code if difference else None
    answer = {"path": SCENE, "verified": not difference, "difference": difference, "code": code}
    shell.answer(answer, lambda: print_note(difference or f"{SCENE} matches the files"))
    return 1 if difference else 0


def _print_summary(report: dict[str, object], dry_run: bool) -> None:
    from cuedeck.cli.scene_summary import summary

    click.echo(summary(report, dry_run=dry_run))


def _has_subcommand() -> bool:
    """Return whether a subcommand follows. Raises: UsageError for options before it, which it would ignore."""
    context = click.get_current_context()
    name = context.invoked_subcommand
    if name is None:
        return False
    for option in context.command.params:
        given = context.get_parameter_source(str(option.name)) is click.core.ParameterSource.COMMANDLINE
        if given and option.name != "directory":
            hint = f"put options after `{name}`: see `{context.command_path} {name} --help`"
            raise UsageError(f"{option.opts[0]} is given before `{name}`", hint=hint)
    return True


@scene.command(epilog=DIFF_EPILOG)
@click.argument("receipt", required=False)
@card_option
@budget_option
@related_option
@click.option("--text", "with_text", is_flag=True, help="Also print the lines that differ.")
@common
def diff(
    shell: Shell, receipt: str | None, card: str | None, budget: int | None, no_related: bool, with_text: bool
) -> int:
    """Compare SCENE.md with the scene built from the current files; write no file.

    With RECEIPT, the older side is the cached scene whose receipt begins with it. The options apply to the new scene.
    """
    from cuedeck.app.scene.build_scene import Request
    from cuedeck.app.scene.diff_scenes import diff_scene
    from cuedeck.cli.scene_diff_text import changes

    request = Request(card, budget, not no_related)
    answer = shell.masked(diff_scene(shell.workspace(), request, receipt or "", with_text=with_text))
    shell.answer(answer, lambda: click.echo(changes(answer), nl=False))
    return 0
