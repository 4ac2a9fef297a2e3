"""The memory as a whole: its files, block, checks, compaction and maintenance."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from cuedeck.knowledge.memory import memory_stats, run_maintenance
from cuedeck.knowledge.memory.read_memory_file import read_named_file
from cuedeck.knowledge.memory.session_context import session_context
from cuedeck.knowledge.memory.write_memory_file import write_memory_file
from cuedeck.model.errors import UsageError
from cuedeck.model.formatting import counted
from cuedeck.model.ports import Json, JsonView
from cuedeck.shells.call import Answer, Call, Note, Raw
from cuedeck.shells.operation import AllowSecret, Param, Profile, operation
from cuedeck.shells.text_table import table
from cuedeck.shells.text_template import write_lines

Kind = Annotated[str, Param(choices=("main", "heartbeat", "shared"))]


def _file(answer: JsonView) -> Iterator[str]:
    text = answer["text"]
    ending = "" if text.endswith("\n") or not text else "\n"
    yield Raw(text + ending)
    note = f"{answer['path']}: {counted(answer['total_lines'], 'line')}"
    if answer["hidden"]:
        note += f", {answer['hidden']:,} hidden"
    yield Note(f"{note}, hash {answer['hash']}")


@operation(
    "memory read",
    "cuedeck memory read\n"
    "cuedeck memory read memory/2026-11-21.md#L3-L9\n"
    "cuedeck memory read USER.md | tee user.md",
    _file,
)
def read(
    call: Call,
    file: Annotated[str, Param("memory file", "[FILE][#L3-L9]")] = "",
    *,
    profile: Profile = "",
) -> Json:
    """Print a memory file, or some of its lines.

    Prints the hash of the file on stderr.

    FILE is MEMORY.md (the default), LONGMEMORY.md, USER.md, a daily log or the archive.
    Secrets are masked, and each hidden record is one placeholder line, so that line
    numbers are those of the file.
    """
    return read_named_file(call.workspace, file, profile)


@operation(
    "memory write",
    "cat user.md | cuedeck memory write USER.md --if-hash 9f86d081884c7d65",
    """\
!written {path} has this text already, hash {hash}
?written {path} written, hash {hash}
?changed changed in every file: {changed}
?backup the old text is in {backup}""",
    notes="?masked warning: {masked:+new secret} masked before the text was written; rotate it",
)
def write(
    call: Call,
    file: Annotated[str, Param("memory file", "FILE")],
    *,
    known: str,
    text: Annotated[str, Param(stdin="always")] = "",
    profile: Profile = "",
) -> Json:
    """Replace the text of a memory file by the text from stdin.

    The text is the whole text that `memory read` printed, edited; the text that a
    placeholder hides is written back as it was. The file must still be the
    version with the hash, and its old text is kept as a backup. A text that loses a
    record is refused: `cuedeck memory forget ID` deletes one. A changed record is
    changed in every file that contains it.

    Args:
        known --if-hash HASH: Hash that `cuedeck memory read FILE` printed, or `none`
            for a new file.
    """
    return write_memory_file(call.workspace, file, text, known, profile)


@operation("memory context", "cuedeck memory context --kind main", "?text {text}")
def context(
    call: Call,
    *,
    kind: Kind = "main",
    query: str = "",
    allow_secret: AllowSecret = False,
    profile: Profile = "",
) -> Json:
    """Print the memory block that sessions start with.

    Args:
        kind: Kind of session: `heartbeat` gets only experiences that match --query,
            `shared` nothing.
        query: Also print experiences that match TEXT, if experiences are enabled.
    """
    wanted: Any = kind
    block = session_context(
        call.workspace,
        call.memory(profile),
        kind=wanted,
        allow_secret=allow_secret,
        query=query,
    )
    head = {"profile": profile or "default", "kind": kind, "chars": len(block.text)}
    return {**head, **block._asdict()}


@operation(
    "memory integrity",
    "cuedeck memory integrity",
    """\
|findings level={severity} | finding~={message} | resolve with={command}
!findings no problems found in {records:,} records""",
    short_ids=True,
)
def integrity(call: Call, *, profile: Profile = "") -> Answer:
    """Report contradictory and stale records.

    Exit code 1 if there are errors or warnings.
    """
    found = memory_stats.check_integrity(call.workspace, call.memory(profile))
    is_bad = any(each["severity"] != "info" for each in found["findings"])
    return Answer(found, code=int(is_bad))


def _stats(answer: JsonView) -> Iterator[str]:
    rows = []
    for file in answer["files"]:
        faults = []
        for each in file["malformed"]:
            faults.append(f"{each['count']} {each['kind']} (line {each['lines'][0]})")
        counts = (f"{file['records']:,}", f"{file['chars']:,}")
        rows.append((file["path"], *counts, "; ".join(faults)))
    if not rows:
        yield "no records yet"
        return
    yield table("file,>records,>characters,malformed", rows)
    categories = answer["categories"].items()
    counted_names = [f"{count:,} {name}" for name, count in categories]
    if counted_names:
        yield ", ".join(counted_names)


@operation("memory stats", "cuedeck memory stats", _stats)
def stats(call: Call, *, profile: Profile = "") -> Json:
    """Print record counts per file and category, and malformed lines."""
    return memory_stats.memory_stats(call.workspace.settings, call.memory(profile))


@operation(
    "memory compact",
    "cuedeck memory compact --dry-run\ncuedeck memory compact --undo",
)
def compact(
    call: Call,
    *,
    dry_run: bool = False,
    force: bool = False,
    back: bool = False,
    profile: Profile = "",
) -> Answer:
    """Merge old records by category.

    Records that no longer fit into MEMORY.md are condensed into LONGMEMORY.md; the
    originals go to the archive.

    Args:
        dry_run: Print what would be merged; change no file.
        force: Run even if compaction is disabled or the thresholds are not reached.
        back --undo: Undo the last run; records added since then are kept.
    """
    if back and force:
        raise UsageError(
            "--undo cannot be combined with --force",
            hint="cuedeck memory compact --undo",
        )
    workspace, memory = call.workspace, call.memory(profile)
    if back:
        from cuedeck.knowledge.compaction.apply_plan import undo

        undone = undo(workspace.paths, memory, dry_run=dry_run)
        is_refused = undone.reason and not undone.restored
        return Answer(undone._asdict(), "{reason}" if is_refused else _UNDONE)
    from cuedeck.knowledge.compaction.run_compaction import compact as run

    done = run(workspace, memory, dry_run=dry_run, forced=force)
    return Answer(done._asdict(), _compacted)


_REASONS = {
    "off": "compaction is disabled (compaction.enabled); --force runs it anyway",
    "under threshold": "MEMORY.md is smaller than compaction.threshold_records and compaction.threshold_chars; "
    "--force runs it anyway",
}
"""Display texts of the reasons why nothing is merged."""
_FIGURES = {
    "records": "records in MEMORY.md",
    "chars": "characters in MEMORY.md",
    "long_chars": "characters in the long memory",
}


_MERGED = """{facts:,} facts of {compacted:,} records, {facts_in_memory:,} in MEMORY.md, \
{facts_in_long_memory:,} in the long memory, all originals in the archive ({archived:,} lines)
*notes {it}
*records {it}"""
_UNDONE = """{restored:,} records {dry_run:?would be }restored; MEMORY.md contains {records_after:,}
*notes {it}"""


def _compacted(answer: JsonView) -> Iterator[str]:
    if not answer["ran"] and answer["reason"] != "dry run":
        verb = "would be" if answer["dry_run"] else "was"
        reason = _REASONS.get(answer["reason"], answer["reason"])
        yield f"nothing {verb} merged: {reason}"
        return
    head = "changed" if answer["ran"] else "would change"
    rows = []
    for key, name in _FIGURES.items():
        before, after = answer[f"{key}_before"], answer[f"{key}_after"]
        rows.append((name, f"{before:,}", f"{after:,}"))
    yield table(f"{head},>before,>after", rows)
    yield from write_lines(_MERGED, answer)


_JOBS = {
    "extraction": "extraction of experiences",
    "dream": "dreaming",
    "compaction": "compaction",
}
"""Display names of the jobs of a maintenance run, in order of execution."""


def ticked(answer: JsonView) -> str:
    """Return the result of a maintenance run, one line for each memory and enabled
    job.
    """
    lines = "\n".join(_job_lines(answer))
    return lines or answer["reason"] or "nothing is due"


def _job_lines(answer: JsonView) -> Iterator[str]:
    for row in answer["profiles"]:
        for job, name in _JOBS.items():
            step = row[job]
            prefix = f"memory {row['profile']}: {name}"
            if step["error"]:
                yield f"{prefix} failed: {step['error']['message']}"
            elif step["ran"]:
                yield f"{prefix} is done: {_counts(step['counts'])}"
            elif step["reason"] != "off":
                yield f"{prefix} did not run: {step['reason']}"


def _counts(counts: Mapping[str, object]) -> str:
    shown = []
    for name, count in counts.items():
        is_number = isinstance(count, int) and not isinstance(count, bool)
        if is_number and count:
            shown.append(f"{name.replace('_', ' ')} {count}")
    return ", ".join(shown) or "nothing changed"


@operation(
    "memory tick",
    "cuedeck memory tick\n0 * * * * cuedeck -C ~/work memory tick",
    ticked,
)
def tick(call: Call, *, profile: Profile = "", brief: bool = False) -> Answer:
    """Run the maintenance that is due.

    That is extraction of experiences, dreaming, compaction and an update of the index
    of recall.

    Args:
        profile ID: Only this memory profile.  [default: all]
        brief: Prepare the scene and the brief of the next session first.
    """
    if brief:
        from cuedeck.agents.hooks.process_pending import prepare_brief

        prepare_brief(call.workspace)
    done = run_maintenance.tick(call.workspace, profile=profile)
    return Answer(done.answer, code=int(done.failed))
