"""The `memory compact` and `memory tick` commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from cuedeck.model.errors import UsageError
from cuedeck.shells.cli.command_base import Shell, common, say
from cuedeck.shells.cli.memory_options import open_memory, profiled
from cuedeck.shells.cli.read_stdin import read_stdin
from cuedeck.shells.cli.text_table import Column, printable, table

_COMPACTING = """\b
Example:
  cuedeck memory compact --dry-run
  cuedeck memory compact --ids 3f2a91bc,77aa01de --text "The parser was rewritten and is faster"
  cuedeck memory compact --undo"""


@click.command("compact", epilog=_COMPACTING)
@click.option(
    "--dry-run", is_flag=True, help="Print what would be merged; change no file."
)
@click.option(
    "--force",
    is_flag=True,
    help="Run even if compaction is disabled or the thresholds are not reached.",
)
@click.option(
    "--undo",
    "back",
    is_flag=True,
    help="Undo the last run; records added since then are kept.",
)
@click.option(
    "--ids",
    default="",
    metavar="ID,ID",
    help="Replace these records by the summary in --text.",
)
@click.option(
    "--text",
    default="",
    metavar="TEXT|-",
    help="Summary of the records: `- fact [ID]` on each line, or prose.",
)
@profiled
@common
def compact_(
    shell: Shell,
    dry_run: bool,
    force: bool,
    back: bool,
    ids: str,
    text: str,
    profile: str,
) -> int:
    """Merge old records by category.

    Records that no longer fit into MEMORY.md are condensed into LONGMEMORY.md; the
    originals go to the archive.
    """
    if bool(ids) != bool(text):
        given, missing = ("--ids", "--text") if ids else ("--text", "--ids")
        raise UsageError(
            f"{given} needs {missing}",
            hint="cuedeck memory compact --ids ID,ID --text SUMMARY",
        )
    if back and (ids or force):
        raise UsageError(
            "--undo cannot be combined with --ids, --text or --force",
            hint="cuedeck memory compact --undo",
        )
    workspace, memory = open_memory(shell, profile)
    if back:
        from cuedeck.knowledge.compaction.undo_compaction import undo

        undone = shell.masked(undo(workspace, memory, dry_run=dry_run)._asdict())
        shell.answer(undone, lambda: say(_undone(undone)))
        return 0
    if ids:
        from cuedeck.knowledge.compaction.agent_summary import compact_with

        named = ids.replace(",", " ").split()
        summary = read_stdin() if text == "-" else text
        done = compact_with(workspace, memory, named, summary, dry_run=dry_run)
    else:
        from cuedeck.knowledge.compaction.run_compaction import compact

        done = compact(workspace, memory, dry_run=dry_run, forced=force)
    answer = shell.masked(done._asdict())
    shell.answer(answer, lambda: click.echo(_compacted(answer)))
    return 0


_REASONS = {
    "off": "compaction is disabled (compaction.enabled); --force runs it anyway",
    "under threshold": "MEMORY.md is smaller than compaction.threshold_records and compaction.threshold_chars; "
    "--force runs it anyway",
}
"""Display texts of the reasons why nothing is merged."""


def _compacted(answer: Mapping[str, Any]) -> str:
    if not answer["ran"] and answer["reason"] != "dry run":
        nothing = (
            "nothing would be merged" if answer["dry_run"] else "nothing was merged"
        )
        reason = _REASONS.get(answer["reason"], answer["reason"])
        return f"{nothing}: {reason}"
    rows = [
        ("records in MEMORY.md", answer["records_before"], answer["records_after"]),
        ("characters in MEMORY.md", answer["chars_before"], answer["chars_after"]),
        (
            "characters in the long memory",
            answer["long_chars_before"],
            answer["long_chars_after"],
        ),
    ]
    head = "changed" if answer["ran"] else "would change"
    columns = [Column(head), Column("before", right=True), Column("after", right=True)]
    cells = []
    for name, before, after in rows:
        cells.append((name, f"{before:,}", f"{after:,}"))
    shown = table(columns, cells)
    where = [
        f"{answer['facts']:,} facts of {answer['compacted']:,} records",
        f"{answer['facts_in_memory']:,} in MEMORY.md",
        f"{answer['facts_in_long_memory']:,} in the long memory",
        f"all originals in the archive ({answer['archived']:,} lines)",
    ]
    notes = [*answer["notes"], *answer["records"]]
    return "\n".join([shown, ", ".join(where), *map(printable, notes)])


def _undone(answer: Mapping[str, Any]) -> str:
    if answer["reason"] and not answer["restored"]:
        return str(answer["reason"])
    would = "would be " if answer["dry_run"] else ""
    restored = f"{answer['restored']:,} records {would}restored; MEMORY.md contains {answer['records_after']:,}"
    return "\n".join([restored, *answer["notes"]])


@click.command(
    "tick",
    epilog="\b\nExample:\n  cuedeck memory tick\n  0 * * * * cuedeck -C ~/work memory tick",
)
@click.option(
    "--profile",
    default="",
    metavar="ID",
    help="Only this memory profile.  [default: all]",
)
@click.option(
    "--brief",
    is_flag=True,
    help="Prepare the scene and the brief of the next session first.",
)
@common
def tick_(shell: Shell, profile: str, brief: bool) -> int:
    """Run the maintenance that is due.

    That is extraction of experiences, dreaming, compaction and an update of the index
    of recall.
    """
    from cuedeck.knowledge.memory.run_maintenance import tick

    if brief:
        from cuedeck.agents.hooks.process_pending import prepare_brief

        prepare_brief(shell.workspace())
    done = tick(shell.workspace(), profile=profile)
    answer = shell.masked(done.answer)
    shell.answer(answer, lambda: say(ticked(answer)))
    return int(done.failed)


_JOBS = {
    "extraction": "extraction of experiences",
    "dream": "dreaming",
    "compaction": "compaction",
}
"""Display names of the jobs of a maintenance run, in order of execution."""


def ticked(answer: Mapping[str, Any], *, only_done: bool = False) -> str:
    """Return the result of a maintenance run, one line for each memory and enabled job;
    with `only_done` only for the jobs that ran or failed.
    """
    lines = "\n".join(_lines(answer, only_done=only_done))
    return lines or answer["reason"] or "nothing is due"


def _lines(answer: Mapping[str, Any], *, only_done: bool) -> Iterator[str]:
    for row in answer["profiles"]:
        for job, name in _JOBS.items():
            step = row[job]
            prefix = f"memory {row['profile']}: {name}"
            if step["error"]:
                yield f"{prefix} failed: {step['error']['message']}"
            elif step["ran"]:
                yield f"{prefix} is done: {_counts(step['counts'])}"
            elif step["reason"] != "off" and not only_done:
                yield f"{prefix} did not run: {step['reason']}"


def _counts(counts: Mapping[str, object]) -> str:
    """Return the positive numbers in the counts of a job, with their names."""
    shown = []
    for name, count in counts.items():
        is_number = isinstance(count, int) and not isinstance(count, bool)
        if is_number and count:
            shown.append(f"{name.replace('_', ' ')} {count}")
    return ", ".join(shown) or "nothing changed"
