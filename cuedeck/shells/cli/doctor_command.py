"""The `doctor` command: report problems of the workspace, and repair safe ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

import click

from cuedeck.model.errors import UsageError
from cuedeck.model.formatting import counted
from cuedeck.model.paths import HOME
from cuedeck.shells.cli.command_base import Shell, common
from cuedeck.shells.cli.progress_bar import progress_bar
from cuedeck.shells.cli.text_table import finding_line, printable

if TYPE_CHECKING:
    from cuedeck.doctor.doctor_report import Finding, Repair, Report


EPILOG = """\b
Examples:
  cuedeck doctor                      report problems; exit code 1 if there is an error
  cuedeck doctor --all                also list dead links of the other files
  cuedeck doctor --strict --json      for a hook or CI: warnings fail, too
  cuedeck doctor --repair --dry-run   print the repairs that are possible"""

_ALIKE = 5
"""Maximum findings of one kind that are shown for one file."""
_MOST_WARNINGS = 20
"""Maximum warnings of one kind that are shown for all files."""
_ALL = "--json lists them"
_LEAVE_OUT = f"{_ALL}; `ignore` under [files] in config.toml leaves the file out"
"""No rule excludes the files of CueDeck."""


@click.command(epilog=EPILOG)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Check the other files and the refs of closed cards, too; their errors are warnings.",
)
@click.option("--strict", is_flag=True, help="Exit with code 1 for warnings, too.")
@click.option(
    "--repair",
    is_flag=True,
    help="Apply the repairs that are safe; changed files are copied to cache/backup first.",
)
@click.option(
    "--dry-run", is_flag=True, help="With --repair: print the repairs; change no file."
)
@common
def doctor(
    shell: Shell, everything: bool, strict: bool, repair: bool, dry_run: bool
) -> int:
    """Report problems of the workspace, and repair some.

    Checks settings, cards, their refs, dependencies, ledgers, git history and the
    index: all that CueDeck's files and the refs of open cards need. Each finding names
    the file, the line and the fix. Errors come first.
    """
    from cuedeck.doctor.examine import examine, repair_workspace

    if dry_run and not repair:
        raise UsageError(
            "--dry-run needs --repair", hint="cuedeck doctor --repair --dry-run"
        )
    workspace = shell.workspace()
    repairs: tuple[Repair, ...] = ()
    with progress_bar("reading files") as progress:
        if repair:
            found, repairs = repair_workspace(
                workspace, dry_run=dry_run, progress=progress, everything=everything
            )
        else:
            found = examine(workspace, progress, everything=everything)
    findings, repairs = shell.masked((found.findings, repairs))
    found = replace(found, findings=findings)
    answer = found.as_json(strict=strict)
    if repair:
        answer["repairs"] = [each._asdict() for each in repairs]
    rest = "" if everything else "; --all checks the other files, too"
    shell.answer(answer, lambda: _show(found, repairs, dry_run, rest))
    return 0 if found.healthy(strict=strict) else 1


def _show(found: Report, repairs: tuple[Repair, ...], dry_run: bool, rest: str) -> None:
    for repair in repairs:
        click.echo(printable(_repair_line(repair, dry_run), lines=False))
    if repairs:
        click.echo()
    for line in _finding_lines(found):
        click.echo(line)
    if found.findings:
        click.echo()
    click.echo(_summary(found) + rest)


def _repair_line(repair: Repair, dry_run: bool) -> str:
    if repair.problem:
        return f"not repaired  {repair.path}  {repair.what}  ({repair.problem})"
    verb = "would repair" if dry_run else "repaired"
    return f"{verb}  {repair.path}  {repair.what}"


def _finding_lines(found: Report) -> Iterator[str]:
    """Yield the lines of the findings; many similar ones of a file, or in many files,
    are summarised in one line.
    """
    shown, further = _split_warnings(found.findings)
    notes = {
        (finding.path, finding.message) for finding in shown if finding.level == "info"
    }
    counts = Counter(message for _, message in notes)
    frequent = {
        message: count for message, count in counts.items() if count > _ALIKE + 1
    }
    summarised: dict[str, Finding] = {}
    single: list[Finding] = []
    for finding in shown:
        if finding.level == "info" and finding.message in frequent:
            summarised.setdefault(finding.message, finding)
        else:
            single.append(finding)
    yield from _lines_by_file(each for each in single if each.level != "info")
    for code, rest in further.items():
        more = f"{len(rest):,} more of `{code}`"
        yield finding_line("warning", _files_of(rest), 0, more, _ALL)
    yield from _lines_by_file(each for each in single if each.level == "info")
    for message, first in summarised.items():
        where = f"{first.path} and {frequent[message] - 1:,} more files"
        yield finding_line("info", where, 0, message, first.hint)


def _lines_by_file(findings: Iterable[Finding]) -> Iterator[str]:
    for (level, path), group in groupby(
        findings, key=lambda finding: (finding.level, finding.path)
    ):
        yield from _lines_of_file(level, path, tuple(group))


def _split_warnings(
    findings: Sequence[Finding],
) -> tuple[Sequence[Finding], Mapping[str, Sequence[Finding]]]:
    """Return the findings to show, and by code the warnings beyond `_MOST_WARNINGS`."""
    counts: Counter[str] = Counter()
    shown: list[Finding] = []
    further: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.level != "warning":
            shown.append(finding)
            continue
        counts[finding.code] += 1
        if counts[finding.code] <= _MOST_WARNINGS:
            shown.append(finding)
        else:
            further.setdefault(finding.code, []).append(finding)
    return shown, further


def _files_of(findings: Sequence[Finding]) -> str:
    """Return the first path of findings, and the number of the others."""
    others = len({finding.path for finding in findings}) - 1
    if not others:
        return findings[0].path
    return f"{findings[0].path} and {counted(others, 'more file')}"


def _lines_of_file(level: str, path: str, findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the lines of the findings of one file; only the first of many with one code
    are shown.
    """
    counts = Counter(finding.code for finding in findings)
    shown: Counter[str] = Counter()
    many = {code for code, count in counts.items() if count > _ALIKE + 1}
    for finding in findings:
        shown[finding.code] += 1
        if finding.code not in many or shown[finding.code] <= _ALIKE:
            yield finding_line(
                level,
                path,
                finding.line,
                finding.message,
                finding.hint,
                finding.cell,
            )
    hint = _ALL if path.startswith(f"{HOME}/") else _LEAVE_OUT
    for code in sorted(many):
        more = counts[code] - _ALIKE
        yield finding_line(level, path, 0, f"{more:,} more of `{code}`", hint)


def _summary(found: Report) -> str:
    scope = f"{counted(found.files, 'file')}, {counted(found.cards, 'card')}, {counted(found.refs, 'ref')}"
    if not found.findings:
        return f"{scope}: healthy ({counted(len(found.checks), 'check')})"
    counts = [
        counted(found.count("error"), "error"),
        counted(found.count("warning"), "warning"),
    ]
    notes = found.count("info")
    if notes:
        counts.append(counted(notes, "note"))
    return f"{scope}: {', '.join(counts)}"
