"""The `scene` and `scene diff` commands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from cuedeck.model.budget_bounds import LARGEST_BUDGET, SMALLEST_BUDGET
from cuedeck.model.errors import Stale, UsageError, WorkspaceMissing
from cuedeck.model.formatting import abbreviate, quoted
from cuedeck.model.paths import SCENE
from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import Group, Shell, common, print_note, write_text
from cuedeck.shells.cli.progress_bar import progress_bar
from cuedeck.shells.cli.read_stdin import read_stdin

if TYPE_CHECKING:
    from cuedeck.context.scene.build_scene import Request
    from cuedeck.engine.workspace import Workspace

EPILOG = """\b
Examples:
  cuedeck scene                       write .cuedeck/SCENE.md for the active card
  cuedeck scene --print | less        read it without writing a file
  cuedeck scene --card 2a9 --budget 4000 --json
  cuedeck scene "Fix login for expired tokens"   print it for a task without a card, in any folder
  gh issue view 12 | cuedeck scene -             the same for a text on stdin
  cuedeck scene diff                  what the next build would change"""

DIFF_EPILOG = """\b
Examples:
  cuedeck scene diff                  SCENE.md against the current files
  cuedeck scene diff --text           also the lines that changed
  cuedeck scene diff 6fe89 --json     against the cached scene with this receipt"""

_SAME_WORD = 0.8
"""Similarity from which on a text is taken for a misspelled subcommand; `tiff` has
0.75.
"""

card_option = click.option(
    "--card",
    metavar="CARD",
    shell_complete=complete_arguments.card,
    help="Use this card: id, unique prefix, path or title.",
)
budget_option = click.option(
    "--budget",
    type=click.IntRange(SMALLEST_BUDGET, LARGEST_BUDGET),
    metavar="N",
    help="Token limit of the whole file.",
)
related_option = click.option(
    "--no-related", is_flag=True, help="Leave out related files."
)


class SceneGroup(Group):
    """The `scene` command, whose first argument is a subcommand or the text of a task.

    Options may follow the text, and after `--` the text may be the name of a subcommand
    or begin with `-`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; the texts are the parameter `texts`."""
        _, left, _ = self.make_parser(ctx).parse_args(list(args))
        is_marked = bool(left) and args[: -len(left)][-1:] == ["--"]
        if not left or (left[0] in self.commands and not is_marked):
            ctx.params["texts"] = ()
            return super().parse_args(ctx, args)
        import difflib

        if not is_marked and difflib.get_close_matches(
            left[0], self.commands, 1, _SAME_WORD
        ):
            hint = f"did you mean `cuedeck scene diff`? For a task of this word: `cuedeck scene -- {quoted(left[0])}`"
            raise UsageError(f"no such command: `cuedeck scene {left[0]}`", hint=hint)
        ctx.allow_interspersed_args = True
        texts = click.Command.parse_args(self, ctx, args)
        ctx.params["texts"] = tuple(texts)
        return texts


@click.group(
    cls=SceneGroup,
    invoke_without_command=True,
    subcommand_metavar="[TEXT | diff]",
    epilog=EPILOG,
)
@card_option
@budget_option
@click.option(
    "--print",
    "to_stdout",
    is_flag=True,
    help="Print exactly the text to stdout; write no file.",
)
@click.option("--out", metavar="FILE", help="Write to FILE instead of SCENE.md.")
@click.option("--copy", is_flag=True, help="Also copy the text to the clipboard.")
@related_option
@click.option("--strict", is_flag=True, help="Fail if refs form a cycle (code 1002).")
@click.option(
    "--verify",
    is_flag=True,
    help="Rebuild without the index and compare with SCENE.md.",
)
@click.option(
    "--dry-run", is_flag=True, help="Print what the scene would contain; write no file."
)
@common
def scene(
    shell: Shell,
    texts: tuple[str, ...],
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

    The file contains the card, the files that its refs lead to and related files,
    within a token limit. The same files give the same bytes.

    With TEXT, build and print the context of a task that has no card; it also works in
    a folder without .cuedeck/. Files and definitions that TEXT names are linked:
    src/auth.py, Login.verify, [[docs/auth]].
    """
    if _has_subcommand():
        return 0
    from cuedeck.context.scene import deliver_scene as app
    from cuedeck.context.scene.build_scene import Request

    request = Request(
        card=card, budget=budget, related=not no_related, task=_task(texts, card)
    )
    workspace = _open(shell, request)
    if strict:
        app.check_cycles(workspace, request)
    if verify:
        return _verify(shell, workspace, request)
    place = shell.target(out) if out else None
    prints = to_stdout or bool(request.task and not (out or dry_run))
    writes = not (prints or out or dry_run)
    target = None if dry_run else place
    with progress_bar("reading files and commits") as progress:
        made = app.deliver(
            workspace, request, write=writes, out=target, progress=progress
        )
    if copy:
        print_note(app.copy_text(made.text, os.environ) or "copied to the clipboard")
    report = {"path": _shown_path(shell, place, request), **made.masked_report}
    if prints:
        _print_scene(shell, report, made.text, request)
    else:
        shell.answer(report, lambda: _print_summary(report, dry_run))
    return 0


def _shown_path(shell: Shell, place: str | None, request: Request) -> str | None:
    """Return the path of the file that a scene is written to; None for the scene of a
    task, which is only printed.
    """
    if place is not None:
        return shell.shown(place)
    return None if request.task else SCENE


def _print_scene(
    shell: Shell, report: dict[str, object], text: str, request: Request
) -> None:
    """Print the text; the JSON of a task contains it, because it is in no file."""
    answer = {**report, "text": text} if request.task else report
    shell.answer(answer, lambda: write_text(text))


def _task(texts: tuple[str, ...], card: str | None) -> str:
    """Return the text of the task; empty without one. Raises: UsageError."""
    if not texts:
        return ""
    if len(texts) > 1:
        given = quoted(abbreviate(" ".join(texts)))
        raise UsageError(
            f"TEXT is one argument, not {len(texts)}",
            hint=f"quote it: `cuedeck scene {given}`",
        )
    if card is not None:
        raise UsageError(
            "--card is given together with a text",
            hint="give the card or the text of a task, not both",
        )
    is_stdin = texts[0] == "-"
    text = read_stdin() if is_stdin else texts[0]
    if not text.strip():
        raise UsageError(
            "the text on stdin is empty" if is_stdin else "TEXT is empty",
            hint='describe the task: `cuedeck scene "Fix login for expired tokens"`',
        )
    return text


def _open(shell: Shell, request: Request) -> Workspace:
    """Open the workspace; for a task, the project folder will do. Raises:
    WorkspaceMissing.
    """
    try:
        return shell.workspace(or_folder=bool(request.task))
    except WorkspaceMissing as error:
        if request.task:
            raise
        hint = f'{error.hint}, or describe the task: `cuedeck scene "TEXT"` works without a workspace'
        raise WorkspaceMissing(error.message, hint=hint) from None


def _verify(shell: Shell, workspace: Workspace, request: Request) -> int:
    from cuedeck.context.scene.deliver_scene import verify_scene

    difference = verify_scene(workspace, request)
    code = Stale.code if difference else None
    path = None if request.task else SCENE
    answer = {
        "path": path,
        "verified": not difference,
        "difference": difference,
        "code": code,
    }
    shell.answer(
        answer,
        lambda: print_note(difference or f"{path or 'the scene'} matches the files"),
    )
    return 1 if difference else 0


def _print_summary(report: dict[str, object], dry_run: bool) -> None:
    from cuedeck.shells.cli.scene_summary import summary

    click.echo(summary(report, dry_run=dry_run))


def _has_subcommand() -> bool:
    """Return whether a subcommand follows. Raises: UsageError for options before it,
    which it would ignore.
    """
    context = click.get_current_context()
    name = context.invoked_subcommand
    if name is None:
        return False
    for option in context.command.params:
        given = (
            context.get_parameter_source(str(option.name))
            is click.core.ParameterSource.COMMANDLINE
        )
        if given and option.name != "directory":
            hint = f"put options after `{name}`: see `{context.command_path} {name} --help`"
            raise UsageError(f"{option.opts[0]} is given before `{name}`", hint=hint)
    return True


@scene.command(epilog=DIFF_EPILOG)
@click.argument("receipt", required=False)
@card_option
@budget_option
@related_option
@click.option(
    "--text", "with_text", is_flag=True, help="Also print the lines that differ."
)
@common
def diff(
    shell: Shell,
    receipt: str | None,
    card: str | None,
    budget: int | None,
    no_related: bool,
    with_text: bool,
) -> int:
    """Compare SCENE.md with the scene of the current files.

    With RECEIPT, the older side is the cached scene whose receipt begins with it. The
    options apply to the new scene.
    """
    from cuedeck.context.scene.build_scene import Request
    from cuedeck.context.scene.diff_scenes import diff_scene
    from cuedeck.shells.cli.scene_diff_text import changes

    request = Request(card, budget, not no_related)
    answer = shell.masked(
        diff_scene(shell.workspace(), request, receipt or "", with_text=with_text)
    )
    shell.answer(answer, lambda: click.echo(changes(answer), nl=False))
    return 0
