"""The `memory` commands forget, context, integrity and stats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from cuedeck.ledger.records.record_lookup import with_short_ids
from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import Shell, common, say
from cuedeck.shells.cli.memory_options import open_memory, profiled, secretive
from cuedeck.shells.cli.text_table import Column, printable, table


@click.command(
    "forget", epilog="\b\nExample:\n  cuedeck memory forget 3f2a91bc --dry-run"
)
@click.argument("identity", metavar="ID", shell_complete=complete_arguments.record)
@click.option(
    "--originals",
    is_flag=True,
    help="Also delete the records that a compacted record was merged from.",
)
@click.option(
    "--dry-run", is_flag=True, help="List the places of the record; delete nothing."
)
@profiled
@common
def forget(
    shell: Shell, identity: str, originals: bool, dry_run: bool, profile: str
) -> int:
    """Delete a record from every file, backup and cache.

    Only its id is kept, so that the record cannot be restored by a sync or an import.
    """
    from cuedeck.knowledge.memory.forget_record import forget_record

    workspace, memory = open_memory(shell, profile)
    answer = shell.masked(
        forget_record(workspace, memory, identity, dry_run=dry_run, originals=originals)
    )
    shell.answer(answer, lambda: say(with_short_ids(memory, _forgotten(answer))))
    return 0


def _forgotten(answer: dict[str, Any]) -> str:
    verb = "would be forgotten" if answer["dry_run"] else "forgotten"
    lines = [f"{answer['id']} {verb}"]
    for place in answer["places"]:
        lines.append(f"  {place['path']}: {place['what']}")
    same = answer["same_text"]
    if same:
        lines.append(f"{len(same)} other records have the same text: {', '.join(same)}")
    return "\n".join([*lines, *answer["warnings"]])


@click.command("context", epilog="\b\nExample:\n  cuedeck memory context --kind main")
@click.option(
    "--kind",
    type=click.Choice(("main", "heartbeat", "shared")),
    default="main",
    show_default=True,
    help="Kind of session: `heartbeat` gets only experiences that match --query,"
    " `shared` nothing.",
)
@click.option(
    "--query",
    default="",
    metavar="TEXT",
    help="Also print experiences that match TEXT, if experiences are enabled.",
)
@secretive
@profiled
@common
def context(
    shell: Shell, kind: Any, query: str, allow_secret: bool, profile: str
) -> int:
    """Print the memory block that sessions start with."""
    from cuedeck.knowledge.memory.session_context import session_context

    block = session_context(
        *open_memory(shell, profile), kind=kind, allow_secret=allow_secret, query=query
    )
    # The text is already masked, and it may be long.
    records = shell.masked(block.records)
    fields = {**block._asdict(), "records": records}
    answer = {
        "profile": profile or "default",
        "kind": kind,
        "chars": len(block.text),
        **fields,
    }
    shell.answer(answer, lambda: say(block.text) if block.text else None)
    return 0


@click.command("integrity", epilog="\b\nExample:\n  cuedeck memory integrity")
@profiled
@common
def integrity(shell: Shell, profile: str) -> int:
    """Report contradictory and stale records.

    Exit code 1 if there are errors or warnings.
    """
    from cuedeck.knowledge.memory.memory_stats import check_integrity

    workspace, memory = open_memory(shell, profile)
    answer = shell.masked(check_integrity(workspace, memory))
    shell.answer(
        answer,
        lambda: click.echo(
            _findings(answer, lambda text: with_short_ids(memory, text))
        ),
    )
    return int(any(each["severity"] != "info" for each in answer["findings"]))


def _findings(answer: dict[str, Any], shorten: Callable[[str], str]) -> str:
    lines = [f"no problems found in {answer['records']:,} records"]
    if answer["findings"]:
        rows = [_finding_row(finding, shorten) for finding in answer["findings"]]
        lines = [
            table(
                [
                    Column("level"),
                    Column("finding", wraps=True),
                    Column("resolve with"),
                ],
                rows,
            )
        ]
    return "\n".join(lines)


def _finding_row(
    finding: dict[str, Any], shorten: Callable[[str], str]
) -> tuple[str, str, str]:
    return (
        finding["severity"],
        shorten(finding["message"]),
        shorten(finding["command"]),
    )


@click.command("stats", epilog="\b\nExample:\n  cuedeck memory stats")
@profiled
@common
def stats(shell: Shell, profile: str) -> int:
    """Print record counts per file and category, and malformed lines."""
    from cuedeck.knowledge.memory.memory_stats import memory_stats

    answer = shell.masked(memory_stats(*open_memory(shell, profile)))
    shell.answer(answer, lambda: click.echo(_stats(answer)))
    return 0


def _stats(answer: dict[str, Any]) -> str:
    rows = [_file_row(file) for file in answer["files"]]
    if not rows:
        return "no records yet"
    columns = [
        Column("file"),
        Column("records", right=True),
        Column("characters", right=True),
        Column("malformed"),
    ]
    lines = [table(columns, rows)]
    counts = []
    for name, count in answer["categories"].items():
        counts.append(f"{count:,} {name}")
    if counts:
        lines.append(printable(", ".join(counts)))
    return "\n".join(lines)


def _file_row(file: dict[str, Any]) -> tuple[str, str, str, str]:
    return (
        file["path"],
        f"{file['records']:,}",
        f"{file['chars']:,}",
        _malformed(file["malformed"]),
    )


def _malformed(kinds: Sequence[dict[str, Any]]) -> str:
    return "; ".join(
        f"{each['count']} {each['kind']} (line {each['lines'][0]})" for each in kinds
    )
