"""The `list` command, also available as `card list`."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.model.file import PRIORITIES, STATUSES
from cuedeck.shells.cli.command_base import (
    Function,
    Shell,
    common,
    filter_option,
    print_note,
)
from cuedeck.shells.cli.text_table import Column, table

EPILOG = """\b
Examples:
  cuedeck list                          all cards except done and archived ones
  cuedeck list --ready                  open cards without an open dependency
  cuedeck list --status all --sort updated
  cuedeck list --tag auth --created '>2w' --json      created within the last two weeks

\b
Dates: 2026, 2026-05, 2026-05-03, '>2w' (within), '<7d' (older), today, yesterday, this-week.
Quote > and <: an unquoted one is a redirection of the shell."""


def card_filters(call: Function) -> Function:
    """Add the options that limit a command to cards with a tag, priority or
    assignee.
    """
    assignee = filter_option(
        "--assignee",
        metavar="WHO",
        help="Only cards assigned to WHO; case and a leading @ are ignored.",
    )
    priority = filter_option(
        "--priority",
        type=click.Choice(PRIORITIES),
        help="Only cards with this priority.",
    )
    tag = click.option(
        "--tag",
        "tags",
        multiple=True,
        metavar="TAG",
        help="Only cards with this tag. Repeatable.",
    )
    # click lists the options in the reverse order of their decorators.
    return tag(priority(assignee(call)))


@click.command("list", epilog=EPILOG)
@filter_option(
    "--status",
    type=click.Choice([*STATUSES, "all"]),
    help="Only cards with this status, or `all`.  [default: all but done and archived]",
)
@card_filters
@filter_option(
    "--created", metavar="D", help="Only cards created in this period; see Dates."
)
@filter_option(
    "--updated", metavar="D", help="Only cards updated in this period; see Dates."
)
@click.option(
    "--ready",
    is_flag=True,
    help="Only open cards that depend on no open or missing card.",
)
@click.option(
    "--blocked",
    is_flag=True,
    help="Only cards with the status blocked or an open or missing dependency.",
)
@click.option(
    "--sort",
    type=click.Choice(["priority", "status", "created", "updated", "title", "id"]),
    default="priority",
    show_default=True,
    help="Order of the list.",
)
@common
def list_(
    shell: Shell,
    status: str,
    tags: tuple[str, ...],
    priority: str,
    assignee: str,
    created: str,
    updated: str,
    sort: str,
    ready: bool,
    blocked: bool,
) -> int:
    """List cards, most urgent first."""
    from cuedeck.work.cards.list_cards import list_cards

    answer = shell.masked(
        list_cards(
            shell.workspace(),
            status=status,
            tags=tags,
            priority=priority,
            assignee=assignee,
            created=created,
            updated=updated,
            sort=sort,
            ready=ready,
            blocked=blocked,
        )
    )
    is_filtered = any((tags, priority, assignee, created, updated, ready, blocked))
    shell.answer(
        answer,
        lambda: _show(
            answer["cards"],
            status,
            answer["problems"],
            is_filtered=is_filtered,
            shows_blockers=blocked,
        ),
    )
    return 0


def _show(
    cards: list[dict[str, Any]],
    status: str,
    problems: list[dict[str, str]],
    *,
    is_filtered: bool,
    shows_blockers: bool,
) -> None:
    for each in problems:
        print_note(f"warning: {each['path']}: {each['message']}; {each['hint']}")
    if not cards:
        what = "no cards here"
        if is_filtered:
            what = "no cards match"
        elif status and status != "all":
            what = f"no cards with status {status} here"
        advice = '; create one: `cuedeck card new -- "TITLE"`'
        if is_filtered:
            advice = "; `cuedeck list --status all` lists every card"
        elif problems:
            advice = " can be read"
        click.echo(what + advice)
        return
    rows = []
    for card in cards:
        mark = "!" if card["broken"] else ""
        if card["active"]:
            mark = "▸"
        tags = card["tags"]
        assert isinstance(tags, list)
        row = [
            mark,
            str(card["id"]),
            str(card["title"]),
            str(card["status"]),
            str(card["priority"]),
            " ".join(tags),
            str(card["assignee"] or ""),
        ]
        if shows_blockers:
            row.append(_blockers(card["blocked_by"]))
        rows.append(row)
    columns = [
        Column(""),
        Column("id"),
        Column("title", wraps=True),
        Column("status"),
        Column("priority"),
        Column("tags"),
        Column("assignee"),
    ]
    if shows_blockers:
        columns.append(Column("open dependencies", wraps=True))
    click.echo(table(columns, rows))


def _blockers(rows: list[dict[str, Any]]) -> str:
    """Return the open dependencies of a card: ids, and the status of those that name no
    card.
    """
    texts = []
    for row in rows:
        is_card = row["path"] is not None
        texts.append(row["id"] if is_card else f"{row['id']} ({row['status']})")
    return ", ".join(texts)
