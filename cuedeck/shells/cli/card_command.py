"""The `card` commands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import click

from cuedeck.model.budget_bounds import SMALLEST_BUDGET
from cuedeck.model.file import PRIORITIES, STATUSES
from cuedeck.model.formatting import quoted
from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.card_list_command import list_
from cuedeck.shells.cli.card_refs_command import deps, graph, ref
from cuedeck.shells.cli.command_base import (
    Group,
    Shell,
    common,
    print_note,
    say,
    say_lines,
)
from cuedeck.shells.cli.read_stdin import read_stdin
from cuedeck.shells.cli.text_table import finding_line


@click.group(
    cls=Group,
    epilog='\b\nExample:\n  cuedeck card new --activate --ref docs/auth.md -- "Fix login"',
)
def card() -> None:
    """Create, show and change cards."""


@card.command(
    "new",
    epilog='\b\nExample:\n  cuedeck card new --ref docs/auth.md#LoginFlow --tag auth --activate -- "Fix login"',
)
@click.argument("title", nargs=-1, required=True)
@click.option(
    "--ref",
    "refs",
    multiple=True,
    metavar="ADDRESS",
    shell_complete=complete_arguments.address,
    help="File, section, symbol or lines that the task needs; one without a target is"
    " refused. Repeatable.",
)
@click.option(
    "--tag", "tags", multiple=True, metavar="TAG", help="Tag of the card. Repeatable."
)
@click.option(
    "--priority",
    type=click.Choice(PRIORITIES),
    default="medium",
    show_default=True,
    help="Urgency of the card.",
)
@click.option("--assignee", metavar="WHO", default="", help="Person who does it.")
@click.option(
    "--depends-on",
    multiple=True,
    metavar="ID",
    shell_complete=complete_arguments.card,
    help="Card that must be done first. Repeatable.",
)
@click.option(
    "--body",
    metavar="TEXT",
    default="",
    help="Text of the card; `-` reads it from stdin.",
)
@click.option("--activate", is_flag=True, help="Make it the active card.")
@common
def new(
    shell: Shell,
    title: tuple[str, ...],
    refs: tuple[str, ...],
    tags: tuple[str, ...],
    priority: str,
    assignee: str,
    depends_on: tuple[str, ...],
    body: str,
    activate: bool,
) -> int:
    """Create a card. Put `--` before a TITLE that begins with a dash."""
    from cuedeck.work.cards.create_card import NewCard, new_card

    if body == "-":
        body = read_stdin()
    status = "active" if activate else "todo"
    addresses = shell.addresses(refs)
    card = NewCard(
        title=" ".join(title),
        refs=addresses,
        tags=tags,
        priority=priority,
        assignee=assignee,
        depends_on=depends_on,
        body=body,
        status=status,
    )
    answer, warnings = new_card(shell.workspace(), card)
    for warning in shell.masked(warnings):
        print_note(warning)
    answer = shell.masked(answer)
    shell.answer(answer, lambda: _show_new(answer, activate=activate))
    return 0


def _show_new(answer: dict[str, Any], *, activate: bool) -> None:
    say(f"{answer['path']}" + (" (active)" if activate else ""))
    _show_replaced(answer)


def _show_replaced(answer: dict[str, Any]) -> None:
    """Print the card that was active before, because its status stays as it is."""
    replaced = answer.get("replaced")
    if replaced is None:
        return
    say(
        f"it replaces {replaced['id']} {replaced['title']}, which keeps the status"
        f" {replaced['status']}; `cuedeck card done {quoted(replaced['id'])}` closes it"
    )


@card.command("show", epilog="\b\nExample:\n  cuedeck card show 2a9")
@click.argument("name", metavar="CARD", shell_complete=complete_arguments.card)
@common
def show(shell: Shell, name: str) -> int:
    """Show one card."""
    from cuedeck.work.cards.list_cards import show_card

    answer = shell.masked(show_card(shell.workspace(), name))
    shell.answer(answer, lambda: _show(answer))
    return 0


def _show(answer: dict[str, Any]) -> None:
    shown = answer["card"]
    for key in (
        "id",
        "title",
        "status",
        "priority",
        "assignee",
        "tags",
        "refs",
        "depends_on",
        "created",
        "updated",
        "path",
    ):
        value = shown[key]
        if value:
            say(f"{key:<10}  {', '.join(value) if isinstance(value, list) else value}")
    for problem in answer["problems"]:
        where = ""
        if problem["line"]:
            where = f"line {problem['line']}: "
        say(f"{problem['level']}: {where}{problem['message']}; {problem['hint']}")
    say("\n" + shown["body"].strip("\n"))


@card.command(
    "edit",
    epilog="\b\nExamples:\n  cuedeck card edit 2a9\n  cuedeck card edit 2a9 --priority high --add-tag auth",
)
@click.argument("name", metavar="CARD", shell_complete=complete_arguments.card)
@click.option("--title", metavar="TEXT", help="New title.")
@click.option("--status", type=click.Choice(STATUSES), help="New status.")
@click.option("--priority", type=click.Choice(PRIORITIES), help="New priority.")
@click.option("--assignee", metavar="WHO", help="New assignee; empty for nobody.")
@click.option(
    "--budget",
    type=click.IntRange(SMALLEST_BUDGET),
    metavar="N",
    help="Token limit of this card's scene.",
)
@click.option("--add-tag", metavar="TAG", multiple=True, help="Tag to add. Repeatable.")
@click.option(
    "--drop-tag", metavar="TAG", multiple=True, help="Tag to remove. Repeatable."
)
@common
def edit(
    shell: Shell,
    name: str,
    add_tag: tuple[str, ...],
    drop_tag: tuple[str, ...],
    **fields: Any,
) -> int:
    """Change fields of a card; without options, open it in $EDITOR."""
    given = {}
    for key, value in fields.items():
        if value is not None:
            given[key] = str(value)
    if not given and not add_tag and not drop_tag:
        return _in_editor(shell, name)
    from cuedeck.work.cards.edit_card import CardChange, update_card

    change = CardChange(given, add_tags=add_tag, drop_tags=drop_tag)
    answer = shell.masked(update_card(shell.workspace(), name, change))
    for warning in answer.pop("warnings", ()):
        print_note(warning)
    shell.answer(
        answer,
        lambda: say(
            f"{answer['path']}" + ("" if answer["changed"] else " (unchanged)")
        ),
    )
    return 0


def _in_editor(shell: Shell, name: str) -> int:
    from cuedeck.engine.open_in_editor import edit_card

    edit_card(shell.workspace(), name, os.environ)
    return 0


def _status_command(name: str, status: str, what: str) -> None:
    @card.command(name, help=what, epilog=f"\b\nExample:\n  cuedeck card {name} 2a9")
    @click.argument("identity", metavar="CARD", shell_complete=complete_arguments.card)
    @common
    def change(shell: Shell, identity: str) -> int:
        from cuedeck.work.cards.edit_card import set_status

        answer = shell.masked(set_status(shell.workspace(), identity, status))
        shell.answer(answer, lambda: _show_status(answer))
        return 0


def _show_status(answer: dict[str, Any]) -> None:
    say(f"{answer['path']}: {answer['status']}")
    if "active" not in answer:
        return
    active = answer["active"]
    if active is None:
        choose = answer["choose"]
        say(
            "\n".join(
                [
                    f"{choose['why']}; {choose['hint']}",
                    *(f"  - {each}" for each in choose["cards"]),
                ]
            )
        )
        return
    because = ", whose status is active" if active["by_status"] else ""
    say(f"active card: {active['id']} {active['title']}{because}")
    _show_replaced(answer)


_status_command(
    "activate", "active", "Make a card the active one, for which the scene is built."
)
_status_command("done", "done", "Mark a card as done.")
_status_command("archive", "archived", "Archive a card; its file is kept.")
_status_command("reopen", "todo", "Set a done or archived card to todo again.")


@card.command(
    "delete",
    epilog="\b\nExamples:\n  cuedeck card delete 2a9 --dry-run\n  cuedeck card delete 2a9",
)
@click.argument("name", metavar="CARD", shell_complete=complete_arguments.card)
@click.option(
    "--dry-run",
    is_flag=True,
    help="List what links to the card; delete nothing.",
)
@common
def delete(shell: Shell, name: str, dry_run: bool) -> int:
    """Delete a card; a copy stays in .cuedeck/cache/backup/.

    Refs and dependencies of other files that lead to it are listed and stay.
    """
    from cuedeck.work.cards.delete_card import delete_card

    answer = shell.masked(delete_card(shell.workspace(), name, dry_run=dry_run))
    shell.answer(answer, lambda: say_lines(_deleted(answer)))
    return 0


def _deleted(answer: dict[str, Any]) -> Iterator[str]:
    verb = "would be deleted" if answer["dry_run"] else "deleted"
    active = ", the active card," if answer["was_active"] else ""
    yield f"{answer['path']}{active} {verb}"
    for each in answer["refs"]:
        where = each.get("cell") or f"line {each['line']}"
        yield f"  {each['path']} {where} links to it: {each['ref']}"
    for each in answer["dependents"]:
        drop = f"cuedeck card deps {quoted(each['id'])} --drop {quoted(answer['id'])}"
        yield f"  {each['path']} depends on it; `{drop}` removes the dependency"
    if answer["backup"]:
        yield f"copy: {answer['backup']}"


@card.command("validate", epilog="\b\nExample:\n  cuedeck card validate")
@click.argument(
    "name", metavar="[CARD]", shell_complete=complete_arguments.card, required=False
)
@common
def validate(shell: Shell, name: str | None) -> int:
    """Check one card, or all: front matter, refs, dependencies."""
    from cuedeck.doctor.validate_cards import validate_cards

    answer = shell.masked(validate_cards(shell.workspace(), name))
    lines = [
        finding_line(
            each["level"], each["path"], each["line"], each["message"], each["hint"]
        )
        for each in answer["findings"]
    ]
    shell.answer(answer, lambda: click.echo("\n".join(lines) or "valid"))
    return 0 if answer["valid"] else 1


for _command in (list_, ref, deps, graph):
    card.add_command(_command)
