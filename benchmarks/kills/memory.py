"""Memory commands that are killed."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.kills.bench import TESTS, Fact, KillableCommand, KillWorkspace
from cuedeck.ledger.records.record_file import RecordFile, parse_records

sys.path.insert(0, TESTS)
from record_files import HOME, iter_files, read_record_files

_CONFIG = """
[memory]
max_records = 24
[compaction]
threshold_records = 6
target_records = 12
min_age_days = 0
"""
_MARK = re.compile(r"\bmark(\d+)x\b")
_LONGEST = 2_000


def duplicate_ids(file: RecordFile) -> Iterator[tuple[str, bool]]:
    """Yield the duplicate ids of a file, each with whether its lines are equal."""
    lines: dict[str, list[str]] = {}
    for line in file.lines:
        if line.record is not None:
            lines.setdefault(line.record.id, []).append(line.text)
    yield from (
        (each, len(set(texts)) == 1) for each, texts in lines.items() if len(texts) > 1
    )


class MemoryCommands:
    """Commands about records, their corrections, compactions and experiences. A mark in
    each text identifies its fact.
    """

    def __init__(self, bench: KillWorkspace, lots: random.Random) -> None:
        self._bench = bench
        self._root = Path(bench.root)
        self._lots = lots
        self._number = 0
        bench.write(f"{HOME}/config.toml", _CONFIG)

    def commands(self) -> Iterator[KillableCommand]:
        """Yield commands without end."""
        while True:
            for kind in (
                "add",
                "edit",
                "add",
                "supersede",
                "compact",
                "remember",
                "extract",
                "add",
                "undo",
                "forget",
            ):
                yield self._command(kind)

    def _command(self, kind: str) -> KillableCommand:
        chosen = self._any()
        if kind in ("add", "remember") or chosen is None:
            fact = self._new()
            words = ["remember"] if kind == "remember" else ["memory", "add"]
            return KillableCommand("add", [*words, self._text(fact)], fact)
        identity, fact = chosen
        if kind == "supersede":
            new = self._new()
            return KillableCommand(
                kind, ["memory", "supersede", identity, self._text(new)], new
            )
        commands = {
            "edit": ["memory", "edit", identity, "--text", self._text(fact)],
            "compact": ["memory", "compact", "--force"],
            "undo": ["memory", "compact", "--undo"],
            "extract": ["experience", "extract"],
            "forget": ["memory", "forget", identity],
        }
        return KillableCommand(
            kind, commands[kind], None, fact if kind == "forget" else None
        )

    def _new(self) -> Fact:
        self._number += 1
        return Fact("record", str(self._number))

    def _text(self, fact: Fact) -> str:
        words = "".join(
            self._lots.choice("abcdefgh ")
            for _ in range(self._lots.randint(20, _LONGEST))
        )
        return f"mark{fact.text}x says {words}"

    def _any(self) -> tuple[str, Fact] | None:
        """Draw a record that no other record supersedes."""
        tombs = self._root / HOME / "memory/tombstones.jsonl"
        buried = tombs.read_text("utf-8") if tombs.exists() else ""
        # A record with a tombstone does not count, even if a file still contains it.
        records = [
            record
            for each in self._files()
            for record in each.records
            if record.id not in buried
        ]
        replaced = {
            old for record in records for old in record.value.get("supersedes", ())
        }
        found = {
            record.id: Fact("record", marks[0])
            for record in records
            if record.id not in replaced
            and len(marks := _MARK.findall(record.text)) == 1
        }
        return self._lots.choice(sorted(found.items())) if found else None

    def _files(self) -> list[RecordFile]:
        places = (self._root / HOME / name for name in read_record_files(self._root))
        return [
            parse_records(place.read_text("utf-8") if place.exists() else "")
            for place in places
        ]

    def found(self) -> set[Fact]:
        """Return the readable records of all files."""
        texts = (record.text for each in self._files() for record in each.records)
        return {Fact("record", mark) for text in texts for mark in _MARK.findall(text)}

    def errors(self) -> list[str]:
        """Return duplicate records, and forgotten records that still exist."""
        found = [
            f"{name}: {each} is there more than once, {'with equal lines' if is_same else 'with different lines'}"
            for name, file in zip(
                read_record_files(self._root), self._files(), strict=True
            )
            for each, is_same in duplicate_ids(file)
        ]
        words = {f"mark{fact.text}x".encode(): fact for fact in self._bench.gone}
        for name, data in iter_files(self._root):
            found += [
                f"{name}: {fact.text} was forgotten"
                for word, fact in words.items()
                if word in data
            ]
        return found
