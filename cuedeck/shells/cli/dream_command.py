"""The `dream` command group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from cuedeck.knowledge.dreaming.dream_status import dream_status, read_diary
from cuedeck.knowledge.dreaming.run_dream import run_now
from cuedeck.model.formatting import counted
from cuedeck.shells.cli.command_base import Group, Shell, common, say, say_lines
from cuedeck.shells.cli.memory_options import open_memory, profiled
from cuedeck.shells.cli.text_table import Column, printable, table

_EXAMPLE = """\b
Example:
  cuedeck dream run --dry-run
  cuedeck dream status
  cuedeck dream diary --nights 1"""


@click.group(cls=Group, epilog=_EXAMPLE)
def dream() -> None:
    """Promote facts that are recalled often into MEMORY.md.

    A fact is promoted once, if it was recalled often enough, on enough days, by enough
    different queries, and recently.
    """


_RUN_EXAMPLE = """\b
Example:
  cuedeck dream run --dry-run
  cuedeck dream run"""


@dream.command("run", epilog=_RUN_EXAMPLE)
@click.option(
    "--dry-run", is_flag=True, help="Print what would be promoted; change no file."
)
@profiled
@common
def run(shell: Shell, dry_run: bool, profile: str) -> int:
    """Run one night: promote facts, write DREAMS.md.

    `cuedeck memory tick` does the same once a day if `dream.enabled` is true.
    """
    workspace, memory = open_memory(shell, profile)
    report = run_now(workspace, memory, dry_run=dry_run)
    answer = shell.masked(report.answer)
    shell.answer(answer, lambda: say_lines(_night_lines(answer)))
    return 0


def _night_lines(answer: Mapping[str, Any]) -> Iterator[str]:
    facts = counted(answer["facts"], "recalled fact")
    recalls = counted(answer["recalls"], "recall")
    joined = counted(answer["joined"], "near duplicate")
    yield f"{facts}, {recalls}, {joined} joined"
    verb = "promoted"
    if answer["dry_run"]:
        verb = "would promote"
    for fact in answer["promoted"]:
        score = fact["score"]
        text = fact["text"]
        source = fact["source"]
        yield f"{verb} {score:.2f}  {text}  ({source})"
    if not answer["promoted"]:
        yield f"{verb} nothing"
    if answer["waiting"]:
        columns = [
            Column("score", right=True),
            Column("not yet", wraps=True),
            Column("fact", wraps=True),
        ]
        rows = []
        for each in answer["waiting"]:
            score = f"{each['score']:.2f}"
            text = printable(each["text"])
            rows.append((score, each["reason"], text))
        yield table(columns, rows)
    if answer["diary"]:
        yield f"diary: {answer['diary']}"


_STATUS_EXAMPLE = """\b
Example:
  cuedeck dream status
  cuedeck dream status --json"""


@dream.command("status", epilog=_STATUS_EXAMPLE)
@profiled
@common
def status(shell: Shell, profile: str) -> int:
    """Print the counts of recalls, the promotions and the next night."""
    workspace, memory = open_memory(shell, profile)
    state = dream_status(workspace, memory)
    answer = shell.masked(state)
    shell.answer(answer, lambda: say_lines(_status_lines(answer)))
    return 0


def _status_lines(answer: Mapping[str, Any]) -> Iterator[str]:
    hits = counted(answer["hits"], "recall")
    texts = counted(answer["texts"], "text")
    ready = answer["ready"]
    promoted = answer["promoted"]
    yield f"{hits} of {texts}, {ready:,} ready for promotion, {promoted:,} promoted"
    if answer["malformed"]:
        lines = counted(answer["malformed"], "malformed line")
        yield f"{lines} in the counts, ignored"
    last_entry = answer["last_entry"]
    if last_entry is None:
        last_entry = "none"
    yield f"last entry of the diary: {last_entry}"
    if answer["enabled"]:
        next_run = answer["next_run"]
        yield f"next night: {next_run}"
    else:
        yield "disabled (dream.enabled); `cuedeck dream run` works anyway"


_DIARY_EXAMPLE = """\b
Example:
  cuedeck dream diary --nights 1
  cuedeck dream diary --nights 0"""


@dream.command("diary", epilog=_DIARY_EXAMPLE)
@click.option(
    "--nights",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    metavar="N",
    help="Number of newest entries; 0 for all.",
)
@profiled
@common
def diary(shell: Shell, nights: int, profile: str) -> int:
    """Print the newest entries of DREAMS.md.

    Lines about secret, superseded or deleted records are left out.
    """
    workspace, memory = open_memory(shell, profile)
    entries = read_diary(workspace, memory, nights)
    answer = shell.masked(entries)
    shell.answer(answer, lambda: say(_diary_text(answer)))
    return 0


def _diary_text(answer: Mapping[str, Any]) -> str:
    entries = [night["text"] for night in answer["nights"]]
    if not entries:
        return "no entries yet"
    return "\n\n".join(entries)
