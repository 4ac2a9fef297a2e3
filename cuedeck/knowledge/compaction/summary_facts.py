"""Facts summarised by an agent or by an external command."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from cuedeck.knowledge.compaction.select_records import Row
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.records.fact import Fact, mark_of, plain_text
from cuedeck.model.errors import Invalid
from cuedeck.model.memory_record import strictest

_ITEM = re.compile(r"\A- (.*) \[([^\[\]]+)\]\Z", re.DOTALL)
_HINT = "the facts must cover every id of the request and no other id"


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


def facts_of_text(text: str, rows: Sequence[Row]) -> list[Fact]:
    """Return the facts of a summary of some records.

    If each item has the form `- text [ids]`, these ids are its sources; otherwise the
    text is one fact from all records. Raises: Invalid if the text is empty, or its
    items do not cite every record.
    """
    summary = plain_text(text)
    if not summary:
        raise Invalid("the summary is empty", hint="summarise the records")
    known = {row.id: row for row in rows}
    facts: list[Fact] = []
    covered: dict[str, None] = {}
    for item in re.split(r"\n(?=- )", summary):
        found = _ITEM.match(item)
        if found is None:
            return [_joint_fact(summary, rows)]
        statement, citation = found.groups()
        cited: dict[str, None] = {}
        for word in citation.split():
            identity = pick(word, list(known), "record", "the ids that are summarised")
            cited[identity] = None
        covered.update(cited)
        sources = [known[identity] for identity in cited]
        facts.append(_joint_fact(statement.replace("\n  ", "\n"), sources))
    for identity in known:
        if identity not in covered:
            raise Invalid(
                f"the summary does not cite the record `{identity}`",
                hint="each record must be cited by an item",
            )
    return facts


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
