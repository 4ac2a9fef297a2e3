"""`cuedeck doctor`: what a person should mend, and the mending that is safe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

import click

from cuedeck.cli.command import Shell, common
from cuedeck.cli.level import level_word
from cuedeck.cli.meter import progress_bar
from cuedeck.model.errors import UsageError
from cuedeck.model.shown import counted

if TYPE_CHECKING:
    from cuedeck.app.doctor.report import Finding, Repair, Report

EPILOG = """\b
Examples:
  cuedeck doctor                      look; exit code 1 when there is an error
  cuedeck doctor --strict --json      for a hook or CI: warnings fail too
  cuedeck doctor --repair --dry-run   say what could be mended by itself"""

_ALIKE = 5
"""Findings of one kind shown for one file."""
_ALL = "--json lists them; `ignore` under [files] in config.toml leaves the file out"


@click.command(epilog=EPILOG)
@click.option("--strict", is_flag=True, help="Exit with 1 on warnings too.")
@click.option("--repair", "mend", is_flag=True, help="Mend what is safe; changed files are copied to cache/backup.")
@click.option("--dry-run", is_flag=True, help="With --repair: say what it would do; change nothing.")
@common
def doctor(shell: Shell, strict: bool, mend: bool, dry_run: bool) -> int:
    """Look for what is broken: settings, cards, refs, dependencies, the history, the index.

    Each finding has a place and says what to do. Errors come first.
    """
    from cuedeck.app import doctor as app

    if dry_run and not mend:
        raise UsageError("--dry-run says what a repair would do", hint="cuedeck doctor --repair --dry-run")
    project = shell.project()
    repairs: tuple[Repair, ...] = ()
    with progress_bar("reading files") as progress:
        if mend:
            found, repairs = app.mend(project, dry_run=dry_run, progress=progress)
        else:
            found = app.examine(project, progress)
    found, repairs = replace(found, findings=shell.masked(found.findings)), shell.masked(repairs)
    answer = found.as_json(strict=strict)
    if mend:
        answer["repairs"] = [repair._asdict() for repair in repairs]
    shell.answer(answer, lambda: _show(found, repairs, dry_run))
    return 0 if found.healthy(strict=strict) else 1


def _show(found: Report, repairs: tuple[Repair, ...], dry_run: bool) -> None:
    for repair in repairs:
        click.echo(_printable(_repair_line(repair, dry_run)))
    if repairs:
        click.echo()
    for level, line in _finding_lines(found):
        click.echo(f"{level_word(level)}  {_printable(line)}")
    if found.findings:
        click.echo()
    click.echo(_summary(found))


def _repair_line(repair: Repair, dry_run: bool) -> str:
    if repair.problem:
        return f"not mended  {repair.path}  {repair.what}  ({repair.problem})"
    return f"{'would mend' if dry_run else 'mended'}  {repair.path}  {repair.what}"


def _finding_lines(found: Report) -> Iterator[tuple[str, str]]:
    """Yield level and text, a line a finding; one file of test data must not bury what else there is to see."""
    for (level, path), group in groupby(found.findings, key=lambda each: (each.level, each.path)):
        here = tuple(group)
        alike = Counter(each.code for each in here)
        shown: Counter[str] = Counter()
        for finding in here:
            shown[finding.code] += 1
            if shown[finding.code] <= _ALIKE or alike[finding.code] <= _ALIKE + 1:
                yield level, _finding_line(finding)
        for code in sorted(alike):
            if alike[code] > _ALIKE + 1:
                yield level, f"{path}  {alike[code] - _ALIKE:,} more of `{code}`  ({_ALL})"


def _finding_line(finding: Finding) -> str:
    place = f"{finding.path}:{finding.line}" if finding.line else finding.path
    hint = f"  ({finding.hint})" if finding.hint else ""
    return f"{place}  {finding.message}{hint}"


def _summary(found: Report) -> str:
    looked = f"{counted(found.files, 'file')}, {counted(found.cards, 'card')}, {counted(found.refs, 'ref')}"
    if not found.findings:
        return f"{looked}: healthy ({counted(len(found.checks), 'check')}: {', '.join(found.checks)})"
    counts = [counted(found.count("error"), "error"), counted(found.count("warning"), "warning")]
    notes = found.count("info")
    return f"{looked}: {', '.join([*counts, counted(notes, 'note')] if notes else counts)}"


def _printable(text: str) -> str:
    """Keep control characters of file contents away from the terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
