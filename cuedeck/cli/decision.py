"""`cuedeck decision …`: look at decisions, replace, confirm and export them."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.cli import complete
from cuedeck.cli.command import Group, Shell, common, filter_option, note, say
from cuedeck.cli.level import problem_line
from cuedeck.cli.table import Column, table


@click.group(cls=Group, epilog="\b\nExample:\n  cuedeck decision list --affects src/auth.py")
def decision() -> None:
    """List, show, supersede, confirm and export decisions.

    `cuedeck decide` records a new one.
    """


@decision.command(
    "list", epilog="\b\nExamples:\n  cuedeck decision list\n  cuedeck decision list --all --affects src/auth.py --json"
)
@click.option("--all", "everything", is_flag=True, help="Include superseded and rejected decisions.")
@filter_option("--card", metavar="CARD", shell_complete=complete.card, help="Only decisions made for this card.")
@filter_option(
    "--affects",
    metavar="ADDRESS",
    shell_complete=complete.address,
    help="Only decisions that apply to this file, symbol or folder.",
)
@filter_option("--subject", metavar="WORDS", help="Only decisions whose subject contains WORDS.")
@common
def list_(shell: Shell, everything: bool, card: str, affects: str, subject: str) -> int:
    """List the decisions in force, newest last."""
    from cuedeck.app.decisions.look import list_decisions

    found = list_decisions(shell.project(), everything=everything, card=card, affects=affects or None, subject=subject)
    answer = shell.masked(found)
    for problem in answer["problems"]:
        note(problem_line(problem))
    shell.answer(answer, lambda: click.echo(_table(answer)))
    return 0


def _table(answer: dict[str, Any]) -> str:
    if not answer["decisions"]:
        if answer["total"]:
            return f"none of {answer['total']} decisions matches; `cuedeck decision list --all` lists them"
        return 'no decisions yet; record one: `cuedeck decide "TEXT" --because "REASON"`'
    rows = [
        (each["id"], each["status"], each["decision"], " ".join(each["affects"]), each["mark"])
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
@click.argument("identity", metavar="ID", shell_complete=complete.decision)
@common
def show(shell: Shell, identity: str) -> int:
    """Show one decision: reason, affected places, status."""
    from cuedeck.app.decisions.look import show_decision

    answer = shell.masked(show_decision(shell.project(), identity))
    shell.answer(answer, lambda: _show(answer["decision"]))
    return 0


_SHOWN = ("id", "status", "decision", "subject", "rationale", "alternatives", "impact", "card", "session",
          "supersedes", "replaces", "superseded_by", "replacement", "timestamp", "commit")  # fmt: skip


def _show(shown: dict[str, Any]) -> None:
    for key in _SHOWN:
        value = shown[key]
        if value:
            say(f"{key:<13}  {', '.join(value) if isinstance(value, list) else value}")
    for each in shown["freshness"]:
        say(f"{'affects':<13}  {each['address']}: {each['state']}")
    for key, value in shown["other"].items():
        say(f"{key:<13}  {value}")
    for each in shown["history"]:
        said = [each["status"] or "", *(f"{name} {each[name]}" for name in ("by", "supersedes") if each[name])]
        why = f": {each['because']}" if each["because"] else ""
        say(f"{each['timestamp']:<13}  {' '.join([each['change'], *filter(None, said)])}{why}")


@decision.command("supersede", epilog='\b\nExample:\n  cuedeck decision supersede k3f --by m8q --because "too slow"')
@click.argument("identity", metavar="ID", shell_complete=complete.decision)
@click.option("--by", metavar="ID", shell_complete=complete.decision, help="Decision that replaces it.")
@click.option("--because", metavar="TEXT", default="", help="The reason.")
@common
def supersede(shell: Shell, identity: str, by: str | None, because: str) -> int:
    """Mark a decision as superseded.

    It is no longer shown in scenes and stays in the log.
    """
    from cuedeck.app.decisions.change import supersede as change

    answer = shell.masked(change(shell.project(), identity, by, because))
    new = f" by {answer['superseded_by']}" if answer["superseded_by"] else ""
    shell.answer(answer, lambda: say(f"{answer['id']}: superseded{new}"))
    return 0


@decision.command("confirm", epilog="\b\nExample:\n  cuedeck decision confirm k3f")
@click.argument("identity", metavar="ID", shell_complete=complete.decision)
@common
def confirm(shell: Shell, identity: str) -> int:
    """Record that a decision was reviewed and is still valid."""
    from cuedeck.app.decisions.change import confirm as change

    answer = shell.masked(change(shell.project(), identity))
    for warning in answer["warnings"]:
        note(warning)
    shell.answer(answer, lambda: say(f"{answer['id']}: confirmed"))
    return 0


@decision.command("export", epilog="\b\nExamples:\n  cuedeck decision export\n  cuedeck decision export doc/adr --all")
@click.argument("folder", metavar="[DIR]", required=False)
@click.option("--all", "everything", is_flag=True, help="Include superseded and rejected decisions.")
@common
def export(shell: Shell, folder: str | None, everything: bool) -> int:
    """Write decisions as Markdown files into DIR.

    DIR is docs/adr by default. Files that this command did not write are never changed.
    """
    from cuedeck.app.decisions.export import export_decisions

    place = shell.place(folder) if folder else ""
    answer = shell.masked(export_decisions(shell.project(), place, everything=everything))
    lines = answer["written"] or [f"{answer['folder']} is up to date"]
    shell.answer(answer, lambda: say("\n".join(lines)))
    return 0
