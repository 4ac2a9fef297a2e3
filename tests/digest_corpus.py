"""Workspaces of four teams and messages to their coding agents: 100 to the team of a
harbour, 40 to that of a seismic network, 30 each to those of a greenhouse and of a
theatre. Half of the messages have no answer in the memory.
"""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

_DATA = Path(__file__).parent / "data"
HARBOUR = "digest"
SEISMOLOGY = "digest_seismology"
"""The figures of this team were compared, and its missed messages read, when rules were
changed.
"""
GREENHOUSE = "digest_greenhouse"
THEATRE = "digest_theatre"
"""The messages of these two teams were written before the rules were last changed, and
measured once after the change.
"""
_HELD_BACK = 3
"""One message in three of the harbour was not used when the limits were chosen."""


class Fact(NamedTuple):
    """A unit of the workspace."""

    topic: str
    place: str
    """Kind of the unit; `doc:<name>` for a line of a doc."""
    day: str
    text: str


class Message(NamedTuple):
    """A message, and the topics of the lines that answer it; none for no answer."""

    topics: frozenset[str]
    text: str
    is_held_back: bool


def read_facts(team: str = HARBOUR) -> list[Fact]:
    """Return the units of the workspace."""
    return [Fact(*row) for row in _rows(team, "units.tsv")]


def read_messages(team: str = HARBOUR) -> list[Message]:
    """Return the messages."""
    messages = []
    for number, (topics, text) in enumerate(_rows(team, "messages.tsv"), 1):
        named = frozenset(topics.split(",")) - {"-"}
        messages.append(Message(named, text, number % _HELD_BACK == 0))
    return messages


def topics_of_texts(team: str = HARBOUR) -> Mapping[str, str]:
    """Return the topic of each text."""
    return {fact.text: fact.topic for fact in read_facts(team)}


def workspace_files(facts: Sequence[Fact]) -> dict[str, str]:
    """Return the files of a workspace with these units, by path under `.cuedeck/`."""
    files: dict[str, list[str]] = defaultdict(list)
    for number, fact in enumerate(facts):
        place, _, name = fact.place.partition(":")
        path, text = _WRITERS[place](fact, f"f{number:07x}", name)
        files[path].append(text)
    return {path: "".join(texts) for path, texts in files.items()}


def _rows(team: str, name: str) -> Iterator[list[str]]:
    with (_DATA / team / name).open(encoding="utf-8", newline="") as file:
        yield from csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def _record(fact: Fact, identity: str, name: str) -> tuple[str, str]:
    provenance = {
        "timestamp": f"{fact.day}T09:00:00.000Z",
        "sensitivity": "public",
        "sourceChannel": "cli",
        "confidence": 1,
    }
    record = {
        "id": identity,
        "sessionId": "main",
        "category": "note",
        "text": fact.text,
        "provenance": provenance,
    }
    return "MEMORY.md", f"- {json.dumps(record, ensure_ascii=False)}\n"


def _log(fact: Fact, identity: str, name: str) -> tuple[str, str]:
    return f"memory/{fact.day}.md", f"{fact.text}\n\n"


def _long(fact: Fact, identity: str, name: str) -> tuple[str, str]:
    return "LONGMEMORY.md", f"- {fact.text}\n"


def _user(fact: Fact, identity: str, name: str) -> tuple[str, str]:
    return "USER.md", f"- {fact.text}\n"


def _doc(fact: Fact, identity: str, name: str) -> tuple[str, str]:
    return f"docs/{name}.md", f"{fact.text}\n\n"


def _card(fact: Fact, identity: str, name: str) -> tuple[str, str]:
    text = f"---\ntitle: {fact.text}\nstatus: todo\n---\n\n{fact.text}\n"
    return f"cards/{identity[-6:]}.md", text


def _decision(fact: Fact, identity: str, name: str) -> tuple[str, str]:
    return _row("decisions", fact, identity, subject=fact.text, decision=fact.text)


def _attempt(fact: Fact, identity: str, name: str) -> tuple[str, str]:
    tried, _, failed = fact.text.partition("; ")
    return _row("attempts", fact, identity, tried=tried, failed=failed)


def _experience(fact: Fact, identity: str, name: str) -> tuple[str, str]:
    return _row("experiences", fact, identity, text=fact.text, category="note")


def _assumption(fact: Fact, identity: str, name: str) -> tuple[str, str]:
    text = f'[[assumption]]\nid = "{identity}"\ntext = "{fact.text}"\n\n'
    return "assumptions.toml", text


def _row(name: str, fact: Fact, identity: str, **fields: Any) -> tuple[str, str]:
    row = {"id": identity, "timestamp": f"{fact.day}T09:00:00.000Z", **fields}
    return f"{name}.jsonl", f"{json.dumps(row, ensure_ascii=False)}\n"


_WRITERS = {
    "record": _record,
    "log": _log,
    "long": _long,
    "user": _user,
    "doc": _doc,
    "card": _card,
    "decision": _decision,
    "attempt": _attempt,
    "experience": _experience,
    "assumption": _assumption,
}
