"""Problems of the workspace, and the connection of coding agents."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Any

from cuedeck.model.errors import UsageError
from cuedeck.model.formatting import counted
from cuedeck.model.paths import HOME
from cuedeck.shells.call import Answer, Call, Raw
from cuedeck.shells.operation import Param, operation
from cuedeck.shells.operations.maintenance import capture_lines
from cuedeck.shells.text_table import Column, finding_line, printable, table

Finding = Mapping[str, Any]
_ALIKE = 5
"""Maximum findings of one kind that are shown for one file."""
_MOST_WARNINGS = 20
"""Maximum warnings of one kind that are shown for all files."""
_ALL = "--json lists them"
_LEAVE_OUT = f"{_ALL}; `ignore` under [files] in config.toml leaves the file out"
"""No rule excludes the files of CueDeck."""


@operation(
    "doctor",
    "cuedeck doctor                      report problems; exit code 1 if there is an error\n"
    "cuedeck doctor --all                also list dead links of the other files\n"
    "cuedeck doctor --strict --json      for a hook or CI: warnings fail, too\n"
    "cuedeck doctor --repair --dry-run   print the repairs that are possible",
)
def doctor(
    call: Call,
    *,
    everything: bool = False,
    strict: bool = False,
    repair: bool = False,
    dry_run: bool = False,
) -> Answer:
    """Report problems of the workspace, and repair some.

    Checks settings, cards, their refs, dependencies, ledgers, git history and the
    index: all that CueDeck's files and the refs of open cards need. Each finding names
    the file, the line and the fix. Errors come first.

    Args:
        everything --all: Check the other files and the refs of closed cards, too; their
            errors are warnings.
        strict: Exit with code 1 for warnings, too.
        repair: Apply the repairs that are safe; changed files are copied to
            cache/backup first.
        dry_run: With --repair: print the repairs; change no file.
    """
    from cuedeck.doctor import examine as work

    if dry_run and not repair:
        raise UsageError(
            "--dry-run needs --repair", hint="cuedeck doctor --repair --dry-run"
        )
    repairs: Sequence[Any] = ()
    with call.progress("reading files") as progress:
        if repair:
            found, repairs = work.repair_workspace(
                call.workspace,
                dry_run=dry_run,
                progress=progress,
                everything=everything,
            )
        else:
            found = work.examine(call.workspace, progress, everything=everything)
    value = found.as_json(strict=strict)
    if repair:
        value["repairs"] = [each._asdict() for each in repairs]
    checks = counted(len(found.checks), "check")
    rest = "" if everything else "; --all checks the other files, too"

    def text(answer: Mapping[str, Any]) -> Iterator[str]:
        repaired = answer.get("repairs", ())
        for each in repaired:
            yield printable(_repair_line(each, dry_run), lines=False)
        if repaired:
            yield ""
        yield from _finding_lines(answer["findings"])
        if answer["findings"]:
            yield ""
        yield f"{_summary(answer, checks)}{rest}"

    return Answer(value, text, code=int(not value["healthy"]))


def _repair_line(repair: Mapping[str, Any], dry_run: bool) -> str:
    if repair["problem"]:
        return (
            f"not repaired  {repair['path']}  {repair['what']}  ({repair['problem']})"
        )
    verb = "would repair" if dry_run else "repaired"
    return f"{verb}  {repair['path']}  {repair['what']}"


def _finding_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the lines of the findings; many similar ones of a file, or in many files,
    are summarised in one line.
    """
    shown, further = _split_warnings(findings)
    notes = {
        (finding["path"], finding["message"])
        for finding in shown
        if finding["level"] == "info"
    }
    counts = Counter(message for _, message in notes)
    frequent = {
        message: count for message, count in counts.items() if count > _ALIKE + 1
    }
    summarised: dict[str, Finding] = {}
    single: list[Finding] = []
    for finding in shown:
        if finding["level"] == "info" and finding["message"] in frequent:
            summarised.setdefault(finding["message"], finding)
        else:
            single.append(finding)
    yield from _lines_by_file(each for each in single if each["level"] != "info")
    for code, rest in further.items():
        more = f"{len(rest):,} more of `{code}`"
        yield finding_line("warning", _files_of(rest), 0, more, _ALL)
    yield from _lines_by_file(each for each in single if each["level"] == "info")
    for message, first in summarised.items():
        where = f"{first['path']} and {frequent[message] - 1:,} more files"
        yield finding_line("info", where, 0, message, first["hint"])


def _lines_by_file(findings: Iterable[Finding]) -> Iterator[str]:
    for (level, path), group in groupby(
        findings, key=lambda finding: (finding["level"], finding["path"])
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
        if finding["level"] != "warning":
            shown.append(finding)
            continue
        counts[finding["code"]] += 1
        if counts[finding["code"]] <= _MOST_WARNINGS:
            shown.append(finding)
        else:
            further.setdefault(finding["code"], []).append(finding)
    return shown, further


def _files_of(findings: Sequence[Finding]) -> str:
    """Return the first path of findings, and the number of the others."""
    first = str(findings[0]["path"])
    others = len({finding["path"] for finding in findings}) - 1
    return f"{first} and {counted(others, 'more file')}" if others else first


def _lines_of_file(level: str, path: str, findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the lines of the findings of one file; only the first of many with one code
    are shown.
    """
    counts = Counter(finding["code"] for finding in findings)
    shown: Counter[str] = Counter()
    many = {code for code, count in counts.items() if count > _ALIKE + 1}
    for finding in findings:
        shown[finding["code"]] += 1
        if finding["code"] not in many or shown[finding["code"]] <= _ALIKE:
            place = finding["line"], finding["message"], finding["hint"]
            yield finding_line(level, path, *place, finding.get("cell", ""))
    hint = _ALL if path.startswith(f"{HOME}/") else _LEAVE_OUT
    for code in sorted(many):
        more = counts[code] - _ALIKE
        yield finding_line(level, path, 0, f"{more:,} more of `{code}`", hint)


def _summary(answer: Mapping[str, Any], checks: str) -> str:
    names = ("file", "card", "ref")
    scope = ", ".join(counted(answer[f"{name}s"], name) for name in names)
    if not answer["findings"]:
        return f"{scope}: healthy ({checks})"
    levels = Counter(each["level"] for each in answer["findings"])
    counts = [counted(levels["error"], "error"), counted(levels["warning"], "warning")]
    if levels["info"]:
        counts.append(counted(levels["info"], "note"))
    return f"{scope}: {', '.join(counts)}"


def _connected(answer: Mapping[str, Any]) -> Iterator[str]:
    if answer["dry_run"]:
        diffs = [each["diff"] for each in answer["files"] if each["diff"]]
        yield from (Raw(printable(each)) for each in diffs)
        if not diffs:
            yield "nothing would change"
        yield from _setup_findings(answer)
        return
    rows = [(each["path"], each["state"]) for each in answer["files"]]
    yield table((Column("FILE"), Column("DONE")), rows)
    yield from _setup_findings(answer)
    if "capture" in answer:
        yield ""
        yield from capture_lines(answer["capture"])
    if answer["next"]:
        yield f"\nNext: {answer['next']}"


def _checked(answer: Mapping[str, Any]) -> Iterator[str]:
    rows = []
    for each in answer["files"]:
        state = "ok" if each["state"] == "right" else each["state"]
        rows.append((each["path"], state))
    yield table((Column("FILE"), Column("STATE")), rows)
    yield from _setup_findings(answer)
    if answer["healthy"]:
        yield f"\n{answer['host']}: no problems found"
    if answer["next"]:
        yield f"Next: {answer['next']}"


def _setup_findings(answer: Mapping[str, Any]) -> Iterator[str]:
    if answer["findings"]:
        yield ""
    for each in answer["findings"]:
        place = each["path"], each["line"]
        yield finding_line(each["level"], *place, each["message"], each["hint"])


@operation(
    "setup",
    "cuedeck setup claude --dry-run       print the changes\n"
    "cuedeck setup claude                 connect Claude Code; exit code 1 if it cannot work\n"
    "cuedeck setup claude --local         hooks and MCP server for this checkout; nothing to commit\n"
    "cuedeck setup claude --user          hooks and MCP server in your own settings of the host\n"
    "cuedeck setup claude --allow-tools   also let it run read-only tools without asking\n"
    "cuedeck setup codex --check          report problems; exit code 1 if there are any\n"
    "cuedeck setup cursor --remove        restore the old files, or remove the entries from edited ones",
)
def setup(
    call: Call,
    host: Annotated[str, Param("host")],
    *,
    local: bool = False,
    user: bool = False,
    check: bool = False,
    remove: bool = False,
    dry_run: bool = False,
    allow_tools: bool = False,
) -> Answer:
    """Connect a coding agent: hooks, MCP server, instructions.

    Adds lines to existing files and keeps all other bytes. Running it again
    changes nothing. Setting up a host with hooks agrees that sessions are recorded;
    see `cuedeck capture --help`.

    By default, set-up writes files that you can commit: hooks that do nothing for
    people without CueDeck, and instructions. --local and --user add the MCP server.
    HOST is a coding agent, or agents for AGENTS.md alone; a wrong one lists all.

    Args:
        local: This checkout alone: hooks and MCP server in files that git ignores.
        user: Hooks and MCP server in your own settings of the host, for all projects.
        check: Report problems of the connection; write no file.
        remove: Remove all entries of CueDeck and restore replaced ones.
        dry_run: Print the change of each file; write no file.
        allow_tools: Let the host run read-only MCP tools without asking.
    """
    from cuedeck.agents import setup as work

    if check and (remove or dry_run):
        raise UsageError(
            "--check only reports problems", hint="use it without other options"
        )
    if allow_tools and (check or remove):
        raise UsageError(
            "--allow-tools cannot be combined with --check or --remove",
            hint="use it alone or with --dry-run; --remove removes its rules",
        )
    known = work.require_host(host)
    form: Any = "user" if user else "local" if local else None
    if check:
        found = work.examine(call.workspace, known, form)
        return Answer(found, _checked, code=int(not found["healthy"]))
    if remove:
        found = work.disconnect(call.workspace, known, form, dry_run=dry_run)
    else:
        found = work.connect(
            call.workspace,
            known,
            form or "project",
            dry_run=dry_run,
            allow_tools=allow_tools,
        )
    failed = any(each["level"] == "error" for each in found["findings"])
    return Answer(found, _connected, code=int(failed))
