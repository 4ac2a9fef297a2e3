"""Facts summarised by an agent or by an external command."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from cuedeck.knowledge.compaction.select_records import Row
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.records.fact import Fact, joined_sessions, plain_text, strictest
from cuedeck.ledger.records.short_ids import Marks
from cuedeck.model.errors import Invalid
from cuedeck.model.record_categories import category_of

_SESSIONS_ROOM = 60
_ITEM = re.compile(r"\A- (.*) \[([^\[\]]+)\]\Z", re.DOTALL)
_HINT = "the facts must cover every id of the request and no other id"


def facts_of_answer(
    answer: object,
    rows: Sequence[Row],
    marks: Marks,
    chars: int,
    mask: Callable[[str], str],
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
    facts = []
    covered: set[str] = set()
    for entry in listed:
        text, ids = _fact(entry, known)
        covered.update(ids)
        sources = [known[identity] for identity in ids]
        facts.append(fact_of(mask(text), sources, marks))
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


def _fact(entry: Any, known: Mapping[str, Row]) -> tuple[str, list[str]]:
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


def facts_of_text(text: str, rows: Sequence[Row], marks: Marks) -> list[Fact]:
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
    covered: set[str] = set()
    for item in re.split(r"\n(?=- )", summary):
        found = _ITEM.match(item)
        if found is None:
            return [fact_of(summary, rows, marks)]
        statement, citation = found.groups()
        ids = [
            pick(word, list(known), "record", "the ids that are summarised")
            for word in citation.split()
        ]
        covered.update(ids)
        sources = [known[identity] for identity in dict.fromkeys(ids)]
        facts.append(fact_of(statement.replace("\n  ", "\n"), sources, marks))
    missing = next((identity for identity in known if identity not in covered), None)
    if missing is not None:
        raise Invalid(
            f"the summary does not cite the record `{missing}`",
            hint="each record must be cited by an item",
        )
    return facts


def fact_of(text: str, rows: Iterable[Row], marks: Marks) -> Fact:
    """Return a fact that summarises some records."""
    sources = list(rows)
    days = [row.day for row in sources]
    sessions = ((row.session,) for row in sources if row.session)
    categories = [row.category for row in sources]
    return Fact(
        plain_text(text),
        tuple(marks.of(row.id) for row in sources),
        min(days),
        max(days),
        strictest(row.sensitivity for row in sources),
        sessions=joined_sessions(sessions, _SESSIONS_ROOM),
        category=max(categories, key=lambda name: category_of(name).value),
        is_joint=len(sources) > 1,
    )
