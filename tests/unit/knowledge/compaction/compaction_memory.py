"""A memory on disk for tests of compaction: its lines, settings and files."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from sandbox import Sandbox

from cuedeck.knowledge.compaction.run_compaction import compact
from cuedeck.ledger.records.memory_files import MemoryFiles, memory_of
from cuedeck.ledger.records.record_file import format_record, parse_records

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
HEADER = "# MEMORY.md — Long-term memory\n\n---\n\n"
ON = "enabled = true\nthreshold_records = 5\ntarget_records = 5\n"
FILES = ("MEMORY.md", "LONGMEMORY.md", "memory/MEMORY-archive.md")


def uuid(number: int) -> str:
    """Return a record id whose prefix differs from number to number."""
    return str(
        UUID(int=(number * 0x9E3779B97F4A7C15F39CC0605CEDC835) % (1 << 128), version=4)
    )


def line(number: int, text: str = "", days: float = 10, **more: Any) -> str:
    """Return the line of a record of the given age."""
    message = {
        "category": "turn-summary",
        "session": "s1",
        "sensitivity": "operational",
        **more,
    }
    at = (
        (NOW - timedelta(days=days))
        .isoformat(timespec="milliseconds")
        .replace("+00:00", "Z")
    )
    return format_record(
        {
            "id": message.pop("id", uuid(number)),
            "sessionId": message.pop("session"),
            "category": message.pop("category"),
            "text": text or f"old summary {number}",
            "provenance": {
                "sourceChannel": "main",
                "confidence": 0.8,
                "timestamp": message.pop("timestamp", at),
                "sensitivity": message.pop("sensitivity"),
            },
            **message,
        }
    )


class SampleMemory:
    """The memory of a workspace with compaction settings."""

    def __init__(self, sandbox: Sandbox, settings: str = ON, memory: str = "") -> None:
        sandbox.write(
            ".cuedeck/config.toml", f"[compaction]\n{settings}\n[memory]\n{memory}\n"
        )
        self.sandbox = sandbox
        self.workspace = sandbox.workspace()

    @property
    def files(self) -> MemoryFiles:
        return memory_of(self.workspace)

    def write(self, *lines: str, header: str = HEADER) -> None:
        self.sandbox.write(
            ".cuedeck/MEMORY.md", header + "".join(f"{each}\n" for each in lines)
        )

    def add(self, *lines: str) -> None:
        self.sandbox.write(
            ".cuedeck/MEMORY.md",
            (self.text() or HEADER) + "".join(f"{each}\n" for each in lines),
        )

    def compact(self, **options: Any) -> Any:
        return compact(self.workspace, self.files, now=NOW, **options)

    def text(self, name: str = "MEMORY.md") -> str:
        place = self.sandbox.place(f".cuedeck/{name}")
        return place.read_bytes().decode() if place.is_file() else ""

    @property
    def all(self) -> tuple[str, ...]:
        return tuple(map(self.text, FILES))

    @property
    def texts(self) -> list[str]:
        return [record.text for record in parse_records(self.text()).records]


OLD = [line(number) for number in range(12)]
RECENT = line(99, "recent", days=0)
