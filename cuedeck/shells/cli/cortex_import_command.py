"""The command `cortex import`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from cuedeck.model.formatting import quoted
from cuedeck.shells.cli.command_base import Shell, common, say_lines
from cuedeck.shells.cli.text_table import Column, table

_EXAMPLES = """\b
Examples:
  cuedeck cortex import --dry-run ../old-agent/memory
  cuedeck cortex import --from cortex --tenant ana ~/.local/share/memclaw"""
_COLUMNS = (
    Column("ACTION"),
    Column("SOURCE"),
    Column("TARGET"),
    Column("REASON", wraps=True),
)


@click.command("import", epilog=_EXAMPLES)
@click.argument("folder", metavar="DIR")
@click.option(
    "--from",
    "kind",
    metavar="KIND",
    default="",
    help="cortex, clawcode or cursorclaw.  [default: found by the content of DIR]",
)
@click.option(
    "--tenant",
    metavar="TENANT",
    default="",
    help="The tenant to import of a cortex tree with tenants.",
)
@click.option("--dry-run", is_flag=True, help="Print the table and write nothing.")
@common
def import_(shell: Shell, folder: str, kind: str, tenant: str, dry_run: bool) -> int:
    """Take over the memory of another program.

    DIR is a tree of cortex-mem or of CueDeck, a memory folder of ClawCode, or a
    profile of CursorClaw. It is never written. What exists already is kept and
    compared, so a repeated import changes nothing. The table lists each file with its
    target, each file and line that is refused or left out with the reason.
    """
    from cuedeck.knowledge.importers.import_foreign import import_foreign

    place = shell.place(folder)
    found = import_foreign(shell.workspace(), place, kind, tenant, dry_run=dry_run)
    answer = shell.masked(found)
    shell.answer(answer, lambda: say_lines(_lines(answer)))
    return 0


def _lines(answer: dict[str, Any]) -> Iterator[str]:
    rows = [
        (each["action"], each["source"], each["target"], each["reason"])
        for each in answer["rows"]
    ]
    if rows:
        yield table(_COLUMNS, rows)
        yield ""
    numbers = [f"{number} {name}" for name, number in answer["counts"].items()]
    yield f"{answer['kind']}: {', '.join(numbers)}"
    if answer["dry_run"]:
        yield "Nothing was written: this was a dry run."
        return
    if answer["kind"] == "cortex" and answer["counts"]["new"]:
        yield "next: cuedeck layers build"
        for session in _sessions(answer):
            yield f"next: cuedeck cortex commit {quoted(session)}"


def _sessions(answer: dict[str, Any]) -> list[str]:
    """Return the names of the sessions with new messages."""
    names: dict[str, None] = {}
    for each in answer["rows"]:
        parts = each["target"].split("/")
        if each["action"] == "new" and parts[:3] == ["cortex:", "", "session"]:
            names[parts[3]] = None
    return list(names)
