"""The `assumption` commands."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.model.errors import Invalid
from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import (
    Group,
    Shell,
    common,
    print_note,
    say,
    say_lines,
)
from cuedeck.shells.cli.text_table import Column, place, table

_EMPTY = 'no assumptions here; add one: `cuedeck assumption add "The project uses React" --check dependency=react`'
_MARKS = {True: "holds", False: "fails", None: "-"}


@click.group(cls=Group, epilog="\b\nExample:\n  cuedeck assumption check")
def assumption() -> None:
    """List, check and add assumptions of the project."""


@assumption.command("list", epilog="\b\nExample:\n  cuedeck assumption list --json")
@common
def list_(shell: Shell) -> int:
    """List assumptions with their last known status.

    `cuedeck assumption check` checks them."""
    from cuedeck.work.assumptions.assumption_answers import list_assumptions

    answer = shell.masked(list_assumptions(shell.workspace()))
    shell.answer(
        answer, lambda: _list(answer["assumptions"], well=not answer["diagnostics"])
    )
    if not shell.json:
        for line in _diagnostic_lines(answer["diagnostics"]):
            print_note(line)
    return 0


def _list(rows: list[dict[str, Any]], *, well: bool) -> None:
    columns = [
        Column("id"),
        Column("status"),
        Column("check"),
        Column("text", wraps=True),
    ]
    cells = []
    for row in rows:
        check = next(iter(row["check"] or ["-"]))
        cells.append((row["id"], row["status"], check, row["text"]))
    nothing = _EMPTY if well else "no readable assumptions"
    click.echo(table(columns, cells) or nothing)


@assumption.command(
    "check",
    epilog="\b\nExamples:\n  cuedeck assumption check\n  cuedeck assumption check uses-react",
)
@click.argument(
    "ids", metavar="[ID]...", shell_complete=complete_arguments.assumption, nargs=-1
)
@common
def check(shell: Shell, ids: tuple[str, ...]) -> int:
    """Check assumptions.

    Exit code 1 if an unresolved assumption fails or a check is invalid.
    """
    from cuedeck.work.assumptions.assumption_answers import check_assumptions

    found, well = check_assumptions(shell.workspace(), ids)
    answer = shell.masked(found)
    shell.answer(answer, lambda: _checked(answer))
    return 0 if well else 1


def _checked(answer: dict[str, Any]) -> None:
    rows = []
    for row in answer["assumptions"]:
        state = _MARKS[row["holds"]]
        detail = row["evidence"] or row["message"] or "it has no check"
        if row["holds"] is False:
            detail = row["message"]
            if row["status"] == "resolved":
                state = row["status"]
        rows.append((state, row["id"], detail))
    lines = _diagnostic_lines(answer["diagnostics"])
    if rows:
        click.echo(
            table([Column("state"), Column("id"), Column("evidence", wraps=True)], rows)
        )
    if lines:
        say_lines(lines)
    if not rows and not lines:
        say(_EMPTY)


def _diagnostic_lines(found: list[dict[str, Any]]) -> list[str]:
    lines = []
    for each in found:
        where = place(each["path"], each["line"])
        line = f"{each['level']}: {where}  {each['message']}"
        if each["hint"]:
            line += f"; {each['hint']}"
        lines.append(line)
    return lines


@assumption.command(
    "resolve",
    epilog='\b\nExample:\n  cuedeck assumption resolve api-is-rest --because "The client speaks both"',
)
@click.argument("name", metavar="ID", shell_complete=complete_arguments.assumption)
@click.option(
    "--because", metavar="TEXT", default="", help="How the failure was dealt with."
)
@common
def resolve(shell: Shell, name: str, because: str) -> int:
    """Mark a failing assumption as dealt with.

    Once it holds again, a later failure is reported again.
    """
    from cuedeck.work.assumptions.assumption_answers import resolve_assumption

    answer = shell.masked(resolve_assumption(shell.workspace(), name, because))
    shell.answer(
        answer,
        lambda: say(
            f"{answer['id']}: resolved" + ("" if answer["changed"] else " (unchanged)")
        ),
    )
    return 0


@assumption.command(
    "add",
    epilog="\b\nExamples:\n"
    '  cuedeck assumption add "The project uses React" --check dependency=react --impact "the views"\n'
    '  cuedeck assumption add "The API is REST" --check not_contains=src/api.py:GraphQL --affects src/api.py',
)
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--id",
    "identity",
    metavar="ID",
    help="Id of the assumption.  [default: made from TEXT]",
)
@click.option(
    "--impact",
    metavar="WORDS",
    default="",
    help='Parts that depend on the assumption, such as "the auth implementation".',
)
@click.option(
    "--affects",
    multiple=True,
    metavar="ADDRESS",
    shell_complete=complete_arguments.address,
    help="Doc, file or symbol that relies on it. Repeatable.",
)
@click.option(
    "--check",
    "checks",
    multiple=True,
    metavar="KIND=VALUE",
    help="file_exists=PATH, file_absent=PATH, contains=PATH:TEXT, not_contains=PATH:TEXT, dependency=NAME or "
    "dependency=NAME>=VERSION, config=PATH:KEY=VALUE or doc_says=ADDRESS:TEXT.",
)
@common
def add(
    shell: Shell,
    text: tuple[str, ...],
    identity: str | None,
    impact: str,
    affects: tuple[str, ...],
    checks: tuple[str, ...],
) -> int:
    """Add an assumption to .cuedeck/assumptions.toml. Put `--` before a TEXT that
    begins with a dash.
    """
    from cuedeck.work.assumptions.add_assumption import NewAssumption, add_new

    if len(checks) > 1:
        raise Invalid(
            "an assumption takes one --check", hint="add an assumption for each"
        )
    check = checks[0] if checks else ""
    wanted = NewAssumption(
        " ".join(text), identity or "", impact, shell.addresses(affects), check
    )
    answer = shell.masked(add_new(shell.workspace(), wanted))
    if answer["holds"] is False or (answer["holds"] is None and answer["evidence"]):
        print_note(f"warning: it does not hold: {answer['evidence']}")
    shell.answer(answer, lambda: say(answer["id"]))
    return 0
