"""Records of the memory: add, list, show, correct, replace, forget."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from cuedeck.knowledge.memory import edit_record, forget_record
from cuedeck.knowledge.memory import list_records as record_list
from cuedeck.knowledge.memory.add_record import NewRecord, add_unknown, texts_of
from cuedeck.model.memory_record import DEFAULT_SENSITIVITY
from cuedeck.shells.call import Answer, Call, Note
from cuedeck.shells.operation import Only, Param, Piped, TextOrDash, operation, topic
from cuedeck.shells.operations.memory_params import (
    AllowSecret,
    Category,
    OnlyCategory,
    OnlySession,
    OwnSession,
    Profile,
    Record,
    Sensitivity,
)
from cuedeck.shells.text_table import table

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
    profile: Profile = "",
) -> Answer:
    """Add a record of category `learned` to memory.

    A text that a record of MEMORY.md has already is not added again.
    """
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
                yield Note(_known_record(row))
        yield from (row["id"] for row in rows)

    return Answer(
        answers if isinstance(text, Piped) else answers[0],
        show,
        notes=[warning] if has_secret else [],
    )


def _known_record(answer: Mapping[str, Any]) -> str:
    labels = f"{answer['category']}, {answer['sensitivity']}"
    hint = "`cuedeck memory edit ID --text TEXT` changes it"
    return f"already remembered as {answer['id']} ({labels}); {hint}"


def _mark(record: Mapping[str, Any]) -> str:
    return f"superseded by {record['superseded_by']}" if record["superseded_by"] else ""


def _record_table(answer: Mapping[str, Any]) -> Iterator[str]:
    if not answer["records"]:
        yield "no matching records"
    else:
        rows = []
        for each in answer["records"]:
            day = each["timestamp"][:10]
            rows.append((each["id"], day, each["category"], each["text"], _mark(each)))
        yield table("id,day,category,text~,", rows)
        if answer["earlier"]:
            yield f"and {answer['earlier']:,} earlier: --limit 0"
    if answer["secret"]:
        yield Note(f"{answer['secret']} secret, shown with --allow-secret")


@operation(
    "memory list",
    "cuedeck memory list --category learned --contains deploy",
    _record_table,
    short_ids=True,
)
def list_records(
    call: Call,
    *,
    category: OnlyCategory = "",
    session: OnlySession = "",
    contains: Only = "",
    where: Files = "memory",
    limit: Annotated[int | None, Param(least=0)] = None,
    allow_secret: AllowSecret = False,
    profile: Profile = "",
) -> dict[str, Any]:
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


def _shown_record(answer: Mapping[str, Any]) -> Iterator[str]:
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
) -> dict[str, Any]:
    """Show a record and the files that contain it."""
    memory = call.memory(profile)
    return record_list.show_record(memory, identity, allow_secret=allow_secret)


@operation(
    "memory edit",
    'cuedeck memory edit 3f2a91bc --text "Deploys go out on Wednesdays"',
    lambda answer: f"{answer['id']} corrected in {', '.join(answer['files'])}",
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
) -> dict[str, Any]:
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
    lambda answer: f"{answer['id']} confirmed",
    short_ids=True,
)
def confirm(call: Call, identity: Record, *, profile: Profile = "") -> dict[str, Any]:
    """Confirm that an old record is still valid.

    It is then not reported as stale.
    """
    return edit_record.confirm_record(call.memory(profile), identity)


@operation(
    "memory supersede",
    'cuedeck memory supersede 3f2a91bc "Deploys go out on Wednesdays"',
    lambda answer: f"{answer['id']} supersedes {answer['superseded']}",
    short_ids=True,
)
def supersede(
    call: Call,
    identity: Record,
    text: str = "",
    *,
    by: Record = "",
    profile: Profile = "",
) -> dict[str, Any]:
    """Replace a record by another one.

    The old one stays in its file and is no longer shown to agents.

    Args:
        by: Existing record that replaces it.
    """
    memory = call.memory(profile)
    return edit_record.supersede(call.workspace, memory, identity, by=by, new_text=text)


def _forgotten(answer: Mapping[str, Any]) -> Iterator[str]:
    verb = "would be forgotten" if answer["dry_run"] else "forgotten"
    yield f"{answer['id']} {verb}"
    for place in answer["places"]:
        yield f"  {place['path']}: {place['what']}"
    same = answer["same_text"]
    if same:
        yield f"{len(same)} other records have the same text: {', '.join(same)}"
    yield from answer["warnings"]


@operation(
    "memory forget",
    "cuedeck memory forget 3f2a91bc --dry-run",
    _forgotten,
    short_ids=True,
)
def forget(
    call: Call,
    identity: Record,
    *,
    originals: bool = False,
    dry_run: bool = False,
    profile: Profile = "",
) -> dict[str, Any]:
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
