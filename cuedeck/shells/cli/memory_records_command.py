"""The `memory` commands for single records: add, list, show, edit, confirm, supersede;
and `remember`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from cuedeck.knowledge.memory.add_record import NewRecord, texts_of
from cuedeck.knowledge.memory.add_unknown import add_unknown
from cuedeck.ledger.records.record_lookup import with_short_ids
from cuedeck.model.memory_record import DEFAULT_SENSITIVITY
from cuedeck.model.record_categories import CATEGORIES
from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import (
    Shell,
    common,
    filter_option,
    output,
    print_note,
    say,
)
from cuedeck.shells.cli.memory_options import (
    open_memory,
    profiled,
    secretive,
    sensitivities,
)
from cuedeck.shells.cli.read_stdin import read_stdin
from cuedeck.shells.cli.text_table import Column, table

_FILES = click.Choice(("memory", "daily", "archive", "all"))
_SHOWN = 50
_ADDING = """\b
Example:
  cuedeck memory add --category user-preference "Prefers small commits"
  git log -5 --format=%s | cuedeck memory add -"""


@click.command("add", epilog=_ADDING)
@click.argument("text", metavar="TEXT|-")
@click.option(
    "--category",
    default="note",
    show_default=True,
    help=f"One of {', '.join(CATEGORIES)}.",
)
@click.option(
    "--sensitivity",
    type=sensitivities,
    default=DEFAULT_SENSITIVITY,
    show_default=True,
    help="Who may see it; no agent gets a `secret` record.",
)
@click.option(
    "--confidence",
    type=float,
    default=1.0,
    show_default=True,
    metavar="NUMBER",
    help="Confidence from 0 to 1.",
)
@click.option("--channel", default="cli", show_default=True, help="Source of the text.")
@click.option(
    "--session",
    default="",
    metavar="ID",
    help="Session of the record.  [default: the open session]",
    shell_complete=complete_arguments.session,
)
@profiled
@common
def add(shell: Shell, text: str, profile: str, **fields: Any) -> int:
    """Add a record; `-` reads one text per line from stdin.

    The id is printed once the record is on disk. A text that a record of MEMORY.md has
    already is not added again: the id of that record is printed.
    """
    return _add(shell, text, profile, fields)


@click.command(
    "remember",
    epilog='\b\nExample:\n  cuedeck remember "The staging database is reset every night"',
)
@click.argument("text", metavar="TEXT|-")
@click.option(
    "--sensitivity",
    type=sensitivities,
    default=DEFAULT_SENSITIVITY,
    show_default=True,
    help="Who may see it; no agent gets a `secret` record.",
)
@profiled
@common
def remember(shell: Shell, text: str, profile: str, sensitivity: str) -> int:
    """Add a record of category `learned` to memory.

    A text that a record of MEMORY.md has already is not added again.
    """
    return _add(
        shell, text, profile, {"category": "learned", "sensitivity": sensitivity}
    )


def _add(shell: Shell, text: str, profile: str, fields: dict[str, Any]) -> int:
    workspace, memory = open_memory(shell, profile)
    lines = [text] if text != "-" else texts_of(workspace, read_stdin())
    if any(shell.masked(line) != line for line in lines):
        print_note(
            "warning: a secret was masked before the record was written; rotate it"
        )
    records = [NewRecord(line, **fields) for line in lines]
    added = add_unknown(workspace, memory, records)
    answers = shell.masked([each.as_json() for each in added])
    if shell.json and text == "-":
        import json

        with output():
            for answer in answers:
                click.echo(json.dumps({"schema": 1, **answer}))
        return 0
    if shell.json:
        shell.answer(answers[0], lambda: None)
        return 0
    for answer in answers:
        if "added" in answer:
            print_note(with_short_ids(memory, _known_record(answer)))
    ids = "\n".join(answer["id"] for answer in answers)
    say(with_short_ids(memory, ids))
    return 0


def _known_record(answer: dict[str, Any]) -> str:
    labels = f"{answer['category']}, {answer['sensitivity']}"
    hint = "`cuedeck memory edit ID --text TEXT` changes it"
    return f"already remembered as {answer['id']} ({labels}); {hint}"


@click.command(
    "list",
    epilog="\b\nExample:\n  cuedeck memory list --category learned --contains deploy",
)
@filter_option("--category", help="Only this category.")
@filter_option(
    "--session",
    metavar="ID",
    shell_complete=complete_arguments.session,
    help="Only this session.",
)
@filter_option(
    "--contains", metavar="WORDS", help="Only records whose text contains these words."
)
@click.option(
    "--in",
    "where",
    type=_FILES,
    default="memory",
    show_default=True,
    help="Files to list.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    metavar="N",
    help="The newest N, 0 for all.  [default: 50, with --json all]",
)
@secretive
@profiled
@common
def list_(shell: Shell, profile: str, limit: int | None, **wanted: Any) -> int:
    """List records, newest last within each file."""
    from cuedeck.knowledge.memory.list_records import Wanted, list_records

    if limit is None:
        limit = 0 if shell.json else _SHOWN
    _, memory = open_memory(shell, profile)
    answer = shell.masked(list_records(memory, Wanted(limit=limit, **wanted)))
    shell.answer(
        answer,
        lambda: click.echo(_table(answer, lambda text: with_short_ids(memory, text))),
    )
    if answer["secret"] and not shell.json:
        print_note(f"{answer['secret']} secret, shown with --allow-secret")
    return 0


def _table(answer: dict[str, Any], shorten: Callable[[str], str]) -> str:
    records = answer["records"]
    if not records:
        return "no matching records"
    ids = shorten("\n".join(each["id"] for each in records)).split("\n")
    marks = shorten("\n".join(map(_mark, records))).split("\n")
    rows = []
    for identity, record, mark in zip(ids, records, marks, strict=True):
        day = record["timestamp"][:10]
        rows.append((identity, day, record["category"], record["text"], mark))
    lines = [
        table(
            [
                Column("id"),
                Column("day"),
                Column("category"),
                Column("text", wraps=True),
                Column(""),
            ],
            rows,
        )
    ]
    if answer["earlier"]:
        lines.append(f"and {answer['earlier']:,} earlier: --limit 0")
    return "\n".join(lines)


def _mark(record: dict[str, Any]) -> str:
    return f"superseded by {record['superseded_by']}" if record["superseded_by"] else ""


@click.command("show", epilog="\b\nExample:\n  cuedeck memory show 3f2a91bc")
@click.argument("identity", metavar="ID", shell_complete=complete_arguments.record)
@secretive
@profiled
@common
def show(shell: Shell, identity: str, allow_secret: bool, profile: str) -> int:
    """Show a record and the files that contain it."""
    from cuedeck.knowledge.memory.list_records import show_record

    _, memory = open_memory(shell, profile)
    answer = shell.masked(show_record(memory, identity, allow_secret=allow_secret))
    shell.answer(
        answer,
        lambda: say(_record(answer, lambda text: with_short_ids(memory, text))),
    )
    return 0


def _record(answer: dict[str, Any], shorten: Callable[[str], str]) -> str:
    names = (
        "id",
        "category",
        "timestamp",
        "session",
        "channel",
        "confidence",
        "sensitivity",
        "superseded_by",
    )
    rows = [
        f"{name}: {answer[name]}" for name in names if answer[name] not in (None, "")
    ]
    files = ", ".join(answer["files"])
    head = shorten("\n".join([*rows, f"in: {files}"]))
    return f"{head}\n\n{answer['text']}"


@click.command(
    "edit",
    epilog='\b\nExample:\n  cuedeck memory edit 3f2a91bc --text "Deploys go out on Wednesdays"',
)
@click.argument("identity", metavar="ID", shell_complete=complete_arguments.record)
@click.option(
    "--text", default="", metavar="TEXT|-", help="New text; `-` reads it from stdin."
)
@click.option(
    "--category", default="", help="New category, one of those of `memory add`."
)
@click.option("--sensitivity", type=sensitivities, help="New sensitivity.")
@click.option(
    "--supersedes",
    metavar="IDS|none",
    help="Full ids of the records that it replaces, or `none`.",
)
@profiled
@common
def edit(
    shell: Shell,
    identity: str,
    text: str,
    category: str,
    sensitivity: str | None,
    supersedes: str | None,
    profile: str,
) -> int:
    """Correct a record in every file that contains it."""
    from cuedeck.knowledge.memory.edit_record import Correction, edit_record

    others = None
    if supersedes is not None:
        others = _ids(supersedes)
    if text == "-":
        text = read_stdin()
    wanted = Correction(text, category, sensitivity or "", others)
    workspace, memory = open_memory(shell, profile)
    answer = shell.masked(edit_record(workspace, memory, identity, wanted))
    done = f"{answer['id']} corrected in {', '.join(answer['files'])}"
    shell.answer(answer, lambda: say(with_short_ids(memory, done)))
    return 0


def _ids(given: str) -> tuple[str, ...]:
    if given.strip() == "none":
        return ()
    return tuple(given.replace(",", " ").split())


@click.command("confirm", epilog="\b\nExample:\n  cuedeck memory confirm 3f2a91bc")
@click.argument("identity", metavar="ID", shell_complete=complete_arguments.record)
@profiled
@common
def confirm(shell: Shell, identity: str, profile: str) -> int:
    """Confirm that an old record is still valid.

    It is then not reported as stale.
    """
    from cuedeck.knowledge.memory.edit_record import confirm_record

    _, memory = open_memory(shell, profile)
    answer = shell.masked(confirm_record(memory, identity))
    done = f"{answer['id']} confirmed"
    shell.answer(answer, lambda: say(with_short_ids(memory, done)))
    return 0


@click.command(
    "supersede",
    epilog='\b\nExample:\n  cuedeck memory supersede 3f2a91bc "Deploys go out on Wednesdays"',
)
@click.argument("identity", metavar="ID", shell_complete=complete_arguments.record)
@click.argument("text", required=False, default="")
@click.option(
    "--by",
    default="",
    metavar="ID",
    shell_complete=complete_arguments.record,
    help="Existing record that replaces it.",
)
@profiled
@common
def supersede_(shell: Shell, identity: str, text: str, by: str, profile: str) -> int:
    """Replace a record by another one.

    The old one stays in its file and is no longer shown to agents.
    """
    from cuedeck.knowledge.memory.edit_record import supersede

    workspace, memory = open_memory(shell, profile)
    answer = shell.masked(supersede(workspace, memory, identity, by=by, new_text=text))
    done = f"{answer['id']} supersedes {answer['superseded']}"
    shell.answer(answer, lambda: say(with_short_ids(memory, done)))
    return 0
