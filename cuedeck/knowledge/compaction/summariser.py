"""Facts that the summariser command writes in place of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.mask_answers import mask_value
from cuedeck.knowledge.compaction.compaction_stats import RULES
from cuedeck.knowledge.compaction.select_records import Row
from cuedeck.ledger.records.fact import Fact, mark_of, plain_text
from cuedeck.model.errors import Invalid, StorageError
from cuedeck.model.memory_record import strictest
from cuedeck.store.files.external_command import ask_summariser

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

SUMMARISER = "summariser"
_HINT = "the facts must cover every id of the request and no other id"


class OwnWords(NamedTuple):
    """Facts of the fresh records and their author."""

    facts: Sequence[Fact] | None = None
    """Facts; None leaves their extraction to the rules."""
    by: str = RULES
    notes: tuple[str, ...] = ()


def own_words(
    workspace: Workspace, fresh: Sequence[Row], room: int, dry_run: bool
) -> OwnWords:
    """Ask the configured summariser command, if there is one, for the facts of the
    records to merge, in at most `room` characters.

    A dry run does not start it. Secrets are masked in the request and in the answer.
    """
    if not workspace.settings.compaction.summariser or not fresh:
        return OwnWords()
    if dry_run:
        note = "dry run: merged by the rules, the summariser was not called"
        return OwnWords(notes=(note,))
    try:
        facts = _ask_summariser(workspace, fresh, room)
    except (StorageError, Invalid) as error:
        note = f"merged by the rules, because the summariser failed: {error.message}"
        return OwnWords(notes=(note,))
    return OwnWords(facts, SUMMARISER)


def _ask_summariser(
    workspace: Workspace, fresh: Sequence[Row], room: int
) -> list[Fact]:
    """Return the facts with which the summariser command answers. Raises: StorageError,
    Invalid.
    """

    def mask(text: str) -> str:
        masked: str = mask_value(text, workspace)
        return masked

    records = []
    for row in fresh:
        record = {
            "id": row.id,
            "text": row.record.text,
            "category": row.record.category,
            "timestamp": row.record.timestamp,
        }
        records.append(record)
    request = {"records": mask_value(records, workspace), "maxChars": room}
    settings = workspace.settings.compaction
    answer = ask_summariser(
        settings.summariser, request, settings.summariser_seconds, workspace.paths.root
    )
    return facts_of_answer(answer, fresh, room, mask)


def facts_of_answer(
    answer: object, rows: Sequence[Row], chars: int, mask: Callable[[str], str]
) -> list[Fact]:
    """Return the facts in a command's answer for some records: `{"facts": [{"text",
    "ids"}]}`.

    Secrets are masked. Raises: Invalid if the answer is too long, empty, or does not
    cite exactly the given records.
    """
    listed = None
    if isinstance(answer, Mapping):
        listed = answer.get("facts")
    if not isinstance(listed, list) or not listed:
        raise Invalid(
            "it contains no facts", hint='{"facts": [{"text": "…", "ids": ["…"]}]}'
        )
    known = {row.id: row for row in rows}
    facts: list[Fact] = []
    covered: set[str] = set()
    for entry in listed:
        text, ids = _read_fact(entry, known)
        covered.update(ids)
        facts.append(_joint_fact(mask(text), [known[identity] for identity in ids]))
    missing = [identity for identity in known if identity not in covered]
    if missing:
        raise Invalid(
            f"no fact covers {len(missing)} records, first of `{missing[0]}`",
            hint=_HINT,
        )
    length = sum(len(fact.text) for fact in facts)
    if length > chars:
        raise Invalid(
            f"its facts have {length:,} characters, the limit is {chars:,}",
            hint="maxChars of the request",
        )
    return facts


def _read_fact(entry: Any, known: Mapping[str, Row]) -> tuple[str, list[str]]:
    fields = entry if isinstance(entry, Mapping) else {}
    text = fields.get("text")
    ids = fields.get("ids")
    if not isinstance(text, str) or not plain_text(text):
        raise Invalid("a fact has no text", hint=_HINT)
    if not isinstance(ids, list) or not ids:
        raise Invalid("a fact has no ids", hint=_HINT)
    for identity in ids:
        if identity not in known:
            raise Invalid(f"a fact has an unknown id: `{identity}`", hint=_HINT)
    return text, list(dict.fromkeys(ids))


def _joint_fact(text: str, rows: Iterable[Row]) -> Fact:
    records = [row.record for row in rows]
    return Fact(
        text=plain_text(text),
        sources=tuple(mark_of(record.id) for record in records),
        day=max(row.day for row in rows),
        sensitivity=strictest(record.sensitivity for record in records),
        category=records[-1].category,
        is_joint=len(records) > 1,
    )
