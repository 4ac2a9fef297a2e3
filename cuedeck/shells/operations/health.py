"""Problems of the workspace, and the connection of coding agents."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from cuedeck.model.errors import UsageError
from cuedeck.model.formatting import counted
from cuedeck.model.ports import JsonView
from cuedeck.shells.call import Answer, Call, Raw
from cuedeck.shells.operation import Param, operation
from cuedeck.shells.operations.maintenance import capture_lines
from cuedeck.shells.text_table import finding_line, printable
from cuedeck.shells.text_template import write_lines

Finding = JsonView
_MOST_ALIKE: Mapping[Any, int] = {"error": 20, "warning": 20, "info": 5}
"""Maximum findings of one kind that are shown, by level."""
_ALL = "--json lists them"


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
    levels = Counter(each.level for each in found.findings)
    scope = {"checks": found.checks, "dry_run": dry_run, "everything": everything}
    counts = {name: levels[name] for name in _MOST_ALIKE}

    def text(answer: JsonView) -> Iterator[str]:
        values = {**answer, **scope, **counts}
        yield from write_lines(_REPAIRS, values)
        yield from _finding_lines(answer["findings"])
        yield from write_lines(_SUMMARY, values)

    return Answer(value, text, code=int(not value["healthy"]))


_REPAIRS = """\
*repairs {problem:?not repaired}{problem:!{dry_run:?would repair}{dry_run:!repaired}}  {path}  {what}\
{problem:?  ({problem})}
?repairs"""


def _finding_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the lines of the findings; of a level, only the first of many with one code
    are shown.
    """
    shown: Counter[tuple[str, str]] = Counter()
    further: dict[tuple[str, str], list[Finding]] = {}
    for each in findings:
        kind = each["level"], each["code"]
        shown[kind] += 1
        if shown[kind] > _MOST_ALIKE[each["level"]]:
            further.setdefault(kind, []).append(each)
            continue
        place = each["path"], each["line"], each["message"], each["hint"]
        yield finding_line(each["level"], *place)
    for (level, code), rest in further.items():
        first = str(rest[0]["path"])
        others = len({each["path"] for each in rest}) - 1
        where = f"{first} and {counted(others, 'more file')}" if others else first
        yield finding_line(level, where, 0, f"{len(rest):,} more of `{code}`", _ALL)


_SUMMARY = """\
?findings
{files:+file}, {cards:+card}, {refs:+ref}: {findings:!healthy ({checks:+check})}{findings:?{error:+error}, \
{warning:+warning}{info:?, {info:+note}}}{everything:!; --all checks the other files, too}"""


_FINDINGS = "?findings\n%findings"
_CHECKED = f"""|files FILE={{path}} | STATE={{state:=right?ok}}{{state:~right?{{state}}}}
{_FINDINGS}
?healthy
?healthy {{host}}: no problems found
?next Next: {{next}}"""


def _connected(answer: JsonView) -> Iterator[str]:
    if answer["dry_run"]:
        diffs = [each["diff"] for each in answer["files"] if each["diff"]]
        yield from (Raw(printable(each)) for each in diffs)
        if not diffs:
            yield "nothing would change"
        yield from write_lines(_FINDINGS, answer)
        return
    yield from write_lines(
        f"|files FILE={{path}} | DONE={{state}}\n{_FINDINGS}", answer
    )
    if "capture" in answer:
        yield ""
        yield from capture_lines(answer["capture"])
    yield from write_lines("?next\n?next Next: {next}", answer)


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
        return Answer(found, _CHECKED, code=int(not found["healthy"]))
    if remove:
        found = work.disconnect(call.workspace.paths, known, form, dry_run=dry_run)
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
