"""The `decide` command and the `decision` commands."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import (
    Group,
    Shell,
    common,
    filter_option,
    print_note,
    say,
    say_lines,
)
from cuedeck.shells.cli.text_table import Column, problem_line, table


@click.group(
    cls=Group, epilog="\b\nExample:\n  cuedeck decision list --affects src/auth.py"
)
def decision() -> None:
    """List, show, supersede, confirm and export decisions.

    `cuedeck decide` records a new one.
    """


@decision.command(
    "list",
    epilog="\b\nExamples:\n  cuedeck decision list\n  cuedeck decision list --all --affects src/auth.py --json",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Include superseded and rejected decisions.",
)
@filter_option(
    "--card",
    metavar="CARD",
    shell_complete=complete_arguments.card,
    help="Only decisions made for this card.",
)
@filter_option(
    "--affects",
    metavar="ADDRESS",
    shell_complete=complete_arguments.address,
    help="Only decisions that apply to this file, symbol or folder.",
)
@filter_option(
    "--subject", metavar="WORDS", help="Only decisions whose subject contains WORDS."
)
@common
def list_(shell: Shell, everything: bool, card: str, affects: str, subject: str) -> int:
    """List the decisions in force, newest last."""
    from cuedeck.work.decisions.list_decisions import list_decisions

    place = shell.address(affects) or None
    found = list_decisions(
        shell.workspace(),
        everything=everything,
        card=card,
        affects=place,
        subject=subject,
    )
    answer = shell.masked(found)
    for problem in answer["problems"]:
        print_note(problem_line(problem))
    shell.answer(answer, lambda: click.echo(_table(answer)))
    return 0


def _table(answer: dict[str, Any]) -> str:
    if not answer["decisions"]:
        if answer["total"]:
            return f"none of {answer['total']} decisions matches; `cuedeck decision list --all` lists them"
        return (
            'no decisions yet; record one: `cuedeck decide "TEXT" --because "REASON"`'
        )
    rows = [
        (
            each["id"],
            each["status"],
            each["decision"],
            " ".join(each["affects"]),
            each["mark"],
        )
        for each in answer["decisions"]
    ]
    return table(
        [
            Column("id"),
            Column("status"),
            Column("decision", wraps=True),
            Column("affects"),
            Column("cited code", wraps=True),
        ],
        rows,
    )


@decision.command("show", epilog="\b\nExample:\n  cuedeck decision show k3f")
@click.argument("identity", metavar="ID", shell_complete=complete_arguments.decision)
@common
def show(shell: Shell, identity: str) -> int:
    """Show one decision: reason, affected places, status."""
    from cuedeck.work.decisions.list_decisions import show_decision

    answer = shell.masked(show_decision(shell.workspace(), identity))
    shell.answer(answer, lambda: _show(answer["decision"]))
    return 0


_SHOWN = ("id", "status", "decision", "subject", "rationale", "alternatives", "impact", "card", "session",
          "supersedes", "replaces", "superseded_by", "replacement", "timestamp", "commit")  # fmt: skip


def _show(shown: dict[str, Any]) -> None:
    for key in _SHOWN:
        value = shown[key]
        if not value:
            continue
        if isinstance(value, list):
            value = ", ".join(value)
        say(f"{key:<13}  {value}")
    for each in shown["freshness"]:
        say(f"{'affects':<13}  {each['address']}: {each['state']}")
    for key, value in shown["other"].items():
        say(f"{key:<13}  {value}")
    for each in shown["history"]:
        words = [each["change"]]
        if each["status"]:
            words.append(each["status"])
        for name in ("by", "supersedes"):
            if each[name]:
                words.append(f"{name} {each[name]}")
        line = f"{each['timestamp']:<13}  {' '.join(words)}"
        if each["because"]:
            line += f": {each['because']}"
        say(line)


@decision.command(
    "supersede",
    epilog='\b\nExample:\n  cuedeck decision supersede k3f --by m8q --because "too slow"',
)
@click.argument("identity", metavar="ID", shell_complete=complete_arguments.decision)
@click.option(
    "--by",
    metavar="ID",
    shell_complete=complete_arguments.decision,
    help="Decision that replaces it.",
)
@click.option("--because", metavar="TEXT", default="", help="The reason.")
@common
def supersede(shell: Shell, identity: str, by: str | None, because: str) -> int:
    """Mark a decision as superseded.

    It is no longer shown in scenes and stays in the log.
    """
    from cuedeck.work.decisions.supersede_decision import supersede as change

    answer = shell.masked(change(shell.workspace(), identity, by, because))
    for warning in answer["warnings"]:
        print_note(warning)
    new = ""
    if answer["superseded_by"]:
        new = f" by {answer['superseded_by']}"
    shell.answer(answer, lambda: say(f"{answer['id']}: superseded{new}"))
    return 0


@decision.command("confirm", epilog="\b\nExample:\n  cuedeck decision confirm k3f")
@click.argument("identity", metavar="ID", shell_complete=complete_arguments.decision)
@common
def confirm(shell: Shell, identity: str) -> int:
    """Record that a decision was reviewed and is still valid."""
    from cuedeck.work.decisions.supersede_decision import confirm as change

    answer = shell.masked(change(shell.workspace(), identity))
    for warning in answer["warnings"]:
        print_note(warning)
    shell.answer(answer, lambda: say(f"{answer['id']}: confirmed"))
    return 0


@decision.command(
    "export",
    epilog="\b\nExamples:\n  cuedeck decision export\n  cuedeck decision export doc/adr --all",
)
@click.argument("folder", metavar="[DIR]", required=False)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Include superseded and rejected decisions.",
)
@common
def export(shell: Shell, folder: str | None, everything: bool) -> int:
    """Write decisions as Markdown files into DIR.

    DIR is docs/adr by default. Files that this command did not write are never changed.
    """
    from cuedeck.work.decisions.export_adr import export_decisions

    place = shell.place(folder) if folder else ""
    answer = shell.masked(
        export_decisions(shell.workspace(), place, everything=everything)
    )
    lines = answer["written"] or [f"{answer['folder']} is up to date"]
    shell.answer(answer, lambda: say_lines(lines))
    return 0


EPILOG = """\b
Examples:
  cuedeck decide "Use bcrypt for password hashing" --because "Industry standard, proven secure" \\
      --alternative "argon2 (slower)" --file src/auth.py --impact "user model"
  cuedeck decide "Use argon2" --because "bcrypt cuts long passwords" --supersedes k3f
  cuedeck decide --from statement:9f2c1a7b"""


@click.command(epilog=EPILOG)
@click.argument("text", nargs=-1)
@click.option(
    "--from",
    "statement",
    metavar="ADDRESS",
    default="",
    help="Captured decision, choice or rule to record: text, reason, files and date that no option gives.",
)
@click.option(
    "--date", metavar="DATE", default="", help="Time of the decision.  [default: now]"
)
@click.option("--because", metavar="TEXT", default="", help="The reason.")
@click.option(
    "--alternative",
    "alternatives",
    multiple=True,
    metavar="TEXT",
    help="Alternative that was not chosen. Repeatable.",
)
@click.option(
    "--file",
    metavar="ADDRESS",
    shell_complete=complete_arguments.address,
    help="File that the decision is mainly about.",
)
@click.option(
    "--affects",
    multiple=True,
    metavar="ADDRESS",
    shell_complete=complete_arguments.address,
    help="Doc, file or symbol that the decision applies to. Repeatable.",
)
@click.option(
    "--impact",
    multiple=True,
    metavar="WORDS",
    help="Consequence of the decision, in words. Repeatable.",
)
@click.option(
    "--subject",
    metavar="WORDS",
    default="",
    help="Topic of the decision.  [default: its text]",
)
@click.option(
    "--card",
    metavar="CARD",
    shell_complete=complete_arguments.card,
    help="Card it belongs to.  [default: the active card]",
)
@click.option(
    "--supersedes",
    metavar="ID",
    shell_complete=complete_arguments.decision,
    help="Decision that this one replaces.",
)
@click.option(
    "--status",
    type=click.Choice(["accepted", "rejected"]),
    default="accepted",
    show_default=True,
    help="`rejected` records a choice against TEXT.",
)
@common
def decide(
    shell: Shell,
    text: tuple[str, ...],
    statement: str,
    date: str,
    because: str,
    alternatives: tuple[str, ...],
    file: str | None,
    affects: tuple[str, ...],
    impact: tuple[str, ...],
    subject: str,
    card: str | None,
    supersedes: str | None,
    status: str,
) -> int:
    """Record a decision with its reason."""
    from cuedeck.work.decisions.create_decision import NewDecision
    from cuedeck.work.decisions.create_decision import decide as write

    if not text and not statement:
        raise click.UsageError("give TEXT, or --from with a captured statement")
    places = shell.addresses(affects)
    file = file if file is None else shell.address(file)
    wanted = NewDecision(
        text=" ".join(text),
        because=because,
        alternatives=alternatives,
        file=file,
        affects=places,
        impact=impact,
        subject=subject,
        card=card or "",
        supersedes=supersedes,
        status=status,
        date=date,
        statement=statement,
    )
    answer = shell.masked(write(shell.workspace(), wanted))
    for warning in answer["warnings"]:
        print_note(warning)
    instead = ""
    if answer["supersedes"]:
        instead = f" (supersedes {answer['supersedes']})"
    shell.answer(answer, lambda: say(f"{answer['id']}  {answer['decision']}{instead}"))
    return 0
