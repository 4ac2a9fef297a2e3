"""Records of the memory (add, list, show, correct, replace, forget), and recall."""

from collections.abc import Iterator
from typing import Annotated, Any

from cuedeck.knowledge.memory import edit_record, forget_record
from cuedeck.knowledge.memory import list_records as record_list
from cuedeck.knowledge.memory.add_record import NewRecord, add_unknown, texts_of
from cuedeck.model.errors import NotFound, UsageError
from cuedeck.model.memory_record import DEFAULT_SENSITIVITY
from cuedeck.model.ports import Json, JsonView
from cuedeck.model.recall_values import KINDS
from cuedeck.shells.call import Answer, Call, Note, Raw
from cuedeck.shells.operation import (
    AllowSecret,
    Category,
    Count,
    Many,
    OnlyCategory,
    OnlySession,
    OwnSession,
    Param,
    Piped,
    Profile,
    Record,
    Sensitivity,
    TextOrDash,
    operation,
    topic,
)
from cuedeck.shells.text_table import printable

NewText = Annotated[str, Param(metavar="TEXT|-", stdin="dash")]
Files = Annotated[str, Param(choices=("memory", "daily", "archive", "all"))]
_SHOWN = 50

topic(
    "memory",
    """Add, list, edit and compact records; read memory files.

    Records are kept in MEMORY.md and in one log a day.
    """,
    'cuedeck remember "Deploys go out on Tuesdays, never on Fridays"\n'
    'cuedeck memory add --category user-preference "Prefers small commits"\n'
    "cuedeck memory context",
)


@operation(
    "memory add",
    'cuedeck memory add --category user-preference "Prefers small commits"\n'
    "git log -5 --format=%s | cuedeck memory add -",
    short_ids=True,
)
def add(
    call: Call,
    text: NewText,
    *,
    category: Category = "note",
    sensitivity: Sensitivity = DEFAULT_SENSITIVITY,
    confidence: float = 1.0,
    channel: str = "cli",
    session: OwnSession = "",
    profile: Profile = "",
) -> Answer:
    """Add a record; `-` reads one text per line from stdin.

    The id is printed once the record is on disk. A text that a record of MEMORY.md has
    already is not added again: the id of that record is printed.

    Args:
        confidence NUMBER: Confidence from 0 to 1.
        channel: Source of the text.
    """
    fields = {"category": category, "sensitivity": sensitivity, "channel": channel}
    return _add(call, text, profile, confidence=confidence, session=session, **fields)


@operation(
    "remember",
    'cuedeck remember "The staging database is reset every night"',
    short_ids=True,
)
def remember(
    call: Call,
    text: NewText,
    *,
    sensitivity: Sensitivity = DEFAULT_SENSITIVITY,
    share: bool = False,
    profile: Profile = "",
) -> Answer:
    """Add a record of category `learned` to memory.

    A text that a record of MEMORY.md has already is not added again.

    Args:
        share: Let `cuedeck exchange` send it: its sensitivity is `operational`.
    """
    sensitivity = "operational" if share else sensitivity
    return _add(call, text, profile, category="learned", sensitivity=sensitivity)


def _add(call: Call, text: str, profile: str, **fields: Any) -> Answer:
    workspace = call.workspace
    lines = [text]
    if isinstance(text, Piped):
        lines = texts_of(workspace, text)
    records = [NewRecord(line, **fields) for line in lines]
    has_secret = any(workspace.find_secrets(line) for line in lines)
    added = add_unknown(workspace, call.memory(profile), records)
    warning = "warning: a secret was masked before the record was written; rotate it"
    answers = [each.as_json() for each in added]

    def show(found: Any) -> Iterator[str]:
        rows = found if isinstance(found, list) else [found]
        for row in rows:
            if "added" in row:
                labels = f"{row['category']}, {row['sensitivity']}"
                hint = "`cuedeck memory edit ID --text TEXT` changes it"
                yield Note(f"already remembered as {row['id']} ({labels}); {hint}")
        yield from (row["id"] for row in rows)

    return Answer(
        answers if isinstance(text, Piped) else answers[0],
        show,
        notes=[warning] if has_secret else [],
    )


@operation(
    "memory list",
    "cuedeck memory list --category learned --contains deploy",
    """\
!records no matching records
|records id | day={timestamp:.10} | category | text~ | ={superseded_by:?superseded by {superseded_by}}
?earlier and {earlier:,} earlier: --limit 0
#?secret {secret} secret, shown with --allow-secret""",
    short_ids=True,
)
def list_records(
    call: Call,
    *,
    category: OnlyCategory = "",
    session: OnlySession = "",
    contains: str = "",
    where: Files = "memory",
    limit: Annotated[int | None, Param(least=0)] = None,
    allow_secret: AllowSecret = False,
    profile: Profile = "",
) -> Json:
    """List records, newest last within each file.

    Args:
        contains WORDS: Only records whose text contains these words.
        where --in: Files to list.
        limit: The newest N, 0 for all.  [default: 50, with --json all]
    """
    if limit is None:
        limit = 0 if call.json else _SHOWN
    files: Any = where
    wanted = record_list.Wanted(
        category=category,
        session=session,
        contains=contains,
        where=files,
        limit=limit,
        allow_secret=allow_secret,
    )

    return record_list.list_records(call.memory(profile), wanted)


_FIELDS = ("id", "category", "timestamp", "session", "channel", "confidence", "sensitivity",
           "superseded_by")  # fmt: skip


def _shown_record(answer: JsonView) -> Iterator[str]:
    for name in _FIELDS:
        if answer[name] not in (None, ""):
            yield f"{name}: {answer[name]}"
    yield f"in: {', '.join(answer['files'])}"
    yield f"\n{answer['text']}"


@operation("memory show", "cuedeck memory show 3f2a91bc", _shown_record, short_ids=True)
def show_record(
    call: Call,
    identity: Record,
    *,
    allow_secret: AllowSecret = False,
    profile: Profile = "",
) -> Json:
    """Show a record and the files that contain it."""
    memory = call.memory(profile)
    return record_list.show_record(memory, identity, allow_secret=allow_secret)


@operation(
    "memory edit",
    'cuedeck memory edit 3f2a91bc --text "Deploys go out on Wednesdays"',
    "{id} corrected in {files}",
    short_ids=True,
)
def edit(
    call: Call,
    identity: Record,
    *,
    text: TextOrDash = "",
    category: str = "",
    sensitivity: Sensitivity = "",
    supersedes: str = "",
    profile: Profile = "",
) -> Json:
    """Correct a record in every file that contains it.

    Args:
        text TEXT|-: New text; `-` reads it from stdin.
        category: New category, one of those of `memory add`.
        sensitivity: New sensitivity.
        supersedes IDS|none: Full ids of the records that it replaces, or `none`.
    """
    others = None
    if supersedes:
        others = tuple(supersedes.replace(",", " ").split())
    if supersedes.strip() == "none":
        others = ()
    wanted = edit_record.Correction(text, category, sensitivity, others)
    memory = call.memory(profile)
    return edit_record.edit_record(call.workspace, memory, identity, wanted)


@operation(
    "memory confirm",
    "cuedeck memory confirm 3f2a91bc",
    "{id} confirmed",
    short_ids=True,
)
def confirm(call: Call, identity: Record, *, profile: Profile = "") -> Json:
    """Confirm that an old record is still valid.

    It is then not reported as stale.
    """
    return edit_record.confirm_record(call.memory(profile), identity)


@operation(
    "memory supersede",
    'cuedeck memory supersede 3f2a91bc "Deploys go out on Wednesdays"',
    "{id} supersedes {superseded}",
    short_ids=True,
)
def supersede(
    call: Call,
    identity: Record,
    text: str = "",
    *,
    by: Record = "",
    profile: Profile = "",
) -> Json:
    """Replace a record by another one.

    The old one stays in its file and is no longer shown to agents.

    Args:
        by: Existing record that replaces it.
    """
    memory = call.memory(profile)
    return edit_record.supersede(call.workspace, memory, identity, by=by, new_text=text)


@operation(
    "memory forget",
    "cuedeck memory forget 3f2a91bc --dry-run",
    """\
{id} {dry_run:?would be }forgotten
*places   {path}: {what}
?same_text {same_text!n} other records have the same text: {same_text}
*warnings {it}""",
    short_ids=True,
)
def forget(
    call: Call,
    identity: Record,
    *,
    originals: bool = False,
    dry_run: bool = False,
    profile: Profile = "",
) -> Json:
    """Delete a record from every file, backup and cache.

    Only its id is kept, so that the record cannot be restored by a sync or an import.

    Args:
        originals: Also delete the records that a compacted record was merged from.
        dry_run: List the places of the record; delete nothing.
    """
    memory = call.memory(profile)
    return forget_record.forget_record(
        call.workspace, memory, identity, dry_run=dry_run, originals=originals
    )


@operation(
    "recall",
    'cuedeck recall "which database"           records, logs, decisions, cards and docs\n'
    'cuedeck recall "deploys last week"        prefers units of these days\n'
    "cuedeck recall despliegue --since 2w --kind record --explain\n"
    'cuedeck recall --digest "can we deploy on Friday?"   what an agent receives',
)
def recall(
    call: Call,
    text: str,
    *,
    since: str = "",
    until: str = "",
    kinds: Annotated[Many, Param(choices=KINDS)] = (),
    limit: Annotated[int, Param(least=1, most=500)] = 0,
    tokens: Count = 0,
    explain: bool = False,
    digest: bool = False,
) -> Answer:
    """Search memory, decisions, cards and docs by words.

    Searches records, daily logs, the long memory, USER.md, decisions, attempts,
    assumptions, experiences, cards, docs, the cortex tree and the files of
    files.extra.

    Words match in all forms, in English and Spanish also by synonyms. A part in double
    quotes is a phrase. `yesterday`, `la semana pasada` or `March 2026` prefer the
    units of these days. Each hit names its place, which `cuedeck read` opens. Secret
    and superseded records are never found.

    Args:
        since D: Only from this day on: 2026-05-03, 2w.
        until D: Only up to this day, inclusive.
        kinds --kind: Only this kind.
        limit: Print at most N hits.  [default: recall.limit of the settings; with
            --tokens, as many as fit]
        tokens: Print as many hits as have at most N tokens, in the form in which they
            are printed.
        explain: Print the parts of each score.
        digest: Print the lines that agents receive with the message TEXT; nothing if
            no hit is certain.
    """
    if digest:
        if since or until or limit or explain:
            raise UsageError(
                "--digest cannot be combined with --since, --until, --limit or --explain",
                hint="cuedeck recall --digest MESSAGE --tokens 200",
            )
        return _digest(call, text, kinds, tokens)
    from cuedeck.knowledge.recall import recall as work

    found = work.recall(
        call.workspace,
        text,
        since=since,
        until=until,
        kinds=kinds,
        limit=limit,
        tokens=tokens,
        explain=explain,
        as_json=call.json,
    )
    given = (("--since", since), ("--until", until), ("--kind", kinds))
    filters = [name for name, value in given if value]
    more = "" if tokens else "; --limit and --tokens show more"

    def show(answer: JsonView) -> Iterator[str]:
        for note in answer["notes"]:
            yield Note(f"note: {note}")
        if not answer["total"]:
            message, advice = work.no_match(answer["query"], filters)
            raise NotFound(
                message, hint=f"{advice}; `cuedeck find WORDS` searches the code"
            )
        yield work.answer_text(call.workspace, answer, more)

    code = int(not found["hits"])
    return Answer(found, show, code=code)


def _digest(call: Call, message: str, kinds: Many, tokens: int) -> Answer:
    from cuedeck.knowledge.recall import memory_digest as work

    call.workspace.refresh()
    most = tokens or work.TOKENS
    found = work.memory_digest(call.workspace, message, tokens=most, kinds=kinds)
    return Answer(work.answer_of_digest(found), _digest_lines)


def _digest_lines(answer: JsonView) -> Iterator[str]:
    for note in answer["notes"]:
        yield Note(f"note: {note}")
    if not answer["lines"]:
        yield Note("note: no line is certain to be about the message")
    yield Raw(printable(answer["digest"]))
