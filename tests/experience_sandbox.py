"""Experiences of a workspace, through the functions that commands call."""

from __future__ import annotations

import json
from typing import Any

from sandbox import Sandbox

from cuedeck.knowledge.experiences.add_experience import add_experience
from cuedeck.knowledge.experiences.extract_experiences import extract
from cuedeck.knowledge.experiences.query_experiences import query_experiences
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.ledger.records.record_file import format_record

PATH = ".cuedeck/experiences.jsonl"


def record(identity: str, text: str, **fields: str) -> str:
    provenance = {
        "timestamp": "2026-01-01T00:00:00.000Z",
        "sensitivity": fields.pop("sensitivity", "public"),
    }
    return (
        format_record(
            {
                "id": identity,
                "category": "note",
                "text": text,
                **fields,
                "provenance": provenance,
            }
        )
        + "\n"
    )


def lines(sandbox: Sandbox, path: str = PATH) -> list[dict[str, Any]]:
    place = sandbox.place(path)
    return (
        [json.loads(line) for line in place.read_text().splitlines()]
        if place.exists()
        else []
    )


def extracted(sandbox: Sandbox, profile: str = "") -> tuple[int, ...]:
    workspace = sandbox.workspace()
    return tuple(extract(workspace, memory_of(workspace, profile)))[:4]


def added(sandbox: Sandbox, text: str, **fields: str) -> dict[str, Any]:
    workspace = sandbox.workspace()
    return add_experience(workspace, memory_of(workspace), text, **fields)


def queried(sandbox: Sandbox, query: str, **fields: Any) -> dict[str, Any]:
    workspace = sandbox.workspace()
    return query_experiences(workspace, memory_of(workspace), query, **fields)
