"""Files of the experiences of a profile: `experiences.jsonl`, and the keys of the
records already processed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from cuedeck.ledger.experiences.experience_file import (
    ExperienceFile,
    format_experience,
    parse_experiences,
    parse_store,
    without,
)
from cuedeck.ledger.records.memory_files import (
    EXPERIENCES,
    FOREIGN_EXPERIENCES,
    LOOKED_AT,
    decode,
    encode,
)
from cuedeck.model.experience import Experience
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import failed, parse_json, write_if_changed

if TYPE_CHECKING:
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.ledger.records.memory_writer import Writer


class ExperienceStore:
    """Experiences of one profile. A caller that writes must hold the lock of the
    profile.
    """

    def __init__(self, files: MemoryFiles) -> None:
        self.files = files
        self._read: tuple[str, ExperienceFile] | None = None

    @property
    def path(self) -> str:
        """Workspace-relative path of the file."""
        return self.files.path(EXPERIENCES)

    def read(self) -> ExperienceFile:
        """Return the parsed file, cached while its bytes are unchanged. Raises:
        StorageError.
        """
        text = self.files.text(EXPERIENCES) or ""
        if self._read is None or self._read[0] != text:
            self._read = (text, parse_experiences(encode(text), self.path))
        return self._read[1]

    def foreign(self) -> Iterator[Experience]:
        """Yield the experiences of CursorClaw in the same profile. Raises:
        StorageError.
        """
        yield from parse_store(self.files.text(FOREIGN_EXPERIENCES) or "")

    def looked_at(self) -> frozenset[str]:
        """Return the keys of the processed records; empty if they are unknown. Raises:
        StorageError.
        """
        value = parse_json(self.files.text(LOOKED_AT) or "")
        keys = None
        if isinstance(value, dict):
            keys = value.get("seen")
        if not isinstance(keys, list):
            return frozenset()
        return frozenset(key for key in keys if isinstance(key, str))

    def keep_looked_at(self, keys: Collection[str]) -> None:
        """Store the keys of the processed records. Raises: StorageError."""
        data = json.dumps(
            {"schema": 1, "seen": sorted(keys)}, separators=(",", ":")
        ).encode()
        place = self.files.place(LOOKED_AT)
        try:
            nofollow.make_folder(os.path.dirname(place))
        except OSError as error:
            raise failed(f"write {place}", error, "fix its permissions") from error
        write_if_changed(place, data, self.files.workspace.cache, private=True)

    def add(self, writer: Writer, experiences: Iterable[Experience]) -> None:
        """Append experiences. Raises: StorageError."""
        writer.add_lines(EXPERIENCES, _lines(experiences))

    def remove(
        self, writer: Writer, ids: Collection[str], named: Collection[str] = ()
    ) -> None:
        """Remove lines; every other byte stays. Raises: StorageError."""
        if ids or named:
            writer.rewrite(
                EXPERIENCES, lambda text: decode(without(encode(text), ids, named))
            )

    def replace(
        self, writer: Writer, ids: Collection[str], experiences: Iterable[Experience]
    ) -> None:
        """Remove lines and append others in one write. Raises: StorageError."""
        added = _lines(experiences)

        def make(text: str) -> str:
            kept = decode(without(encode(text), ids))
            is_incomplete = bool(kept) and not kept.endswith("\n")
            separator = "\n" if added and is_incomplete else ""
            return kept + separator + added

        writer.rewrite(EXPERIENCES, make)


def _lines(experiences: Iterable[Experience]) -> str:
    return "".join(f"{format_experience(each)}\n" for each in experiences)
