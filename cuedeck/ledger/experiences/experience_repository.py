"""Access of commands to the experiences of a profile, and the JSON of an experience."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.ledger.experiences.experience_files import ExperienceStore
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.model.errors import ConfigurationError, StorageError
from cuedeck.text.rank_texts import Ranked, rank_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.experience import Experience

_NAME = "experiences"
_MOST_ASKED = 32
LISTING = "cuedeck experience list"


class ExperienceIndex(ExperienceStore):
    """Experiences of a profile with their search index."""

    def __init__(self, files: MemoryFiles) -> None:
        super().__init__(files)
        self._answers: dict[tuple[str, int, str], list[Ranked]] = {}
        """Cached results of queries."""
        self._answers_of: object = None
        """Content of the file for which these results are valid."""

    def shown(self) -> tuple[Experience, ...]:
        """Return the experiences that are not labelled secret. Raises: StorageError."""
        return tuple(each for each in self.read().experiences if not each.is_secret)

    def rank(self, query: str, most: int, how: str) -> list[tuple[Experience, float]]:
        """Return the experiences that match a query, with their scores, best first.

        Results are cached until the file changes, because scenes repeat their queries.
        Raises: StorageError.
        """
        shown = self.shown()
        known = {each.id: each for each in shown}
        content = self.read()
        is_full = len(self._answers) >= _MOST_ASKED
        if self._answers_of is not content or is_full:
            self._answers = {}
            self._answers_of = content
        key = (query, most, how)
        if key not in self._answers:
            texts = {each.id: each.text for each in shown}
            self._answers[key] = rank_texts(texts, query, most, how)
        return [(known[ranked.id], ranked.score) for ranked in self._answers[key]]

    def problems(self) -> list[dict[str, Any]]:
        """Return the malformed entries of the file as JSON. Raises: StorageError."""
        return [fault._asdict() for fault in self.read().faults]


def experiences_of(memory: MemoryFiles) -> ExperienceIndex:
    """Return the experiences of a memory, cached while the memory is open."""
    if _NAME not in memory.derived:
        memory.derived[_NAME] = ExperienceIndex(memory)
    held: ExperienceIndex = memory.derived[_NAME]
    return held


def experiences_in(workspace: Workspace) -> Sequence[Experience]:
    """Return the experiences of the workspace; none if they are outside it or
    unreadable (`doctor` reports it).
    """
    try:
        return experiences_of(memory_of(workspace)).read().experiences
    except (ConfigurationError, StorageError):
        return ()


def answer_of(experience: Experience) -> dict[str, Any]:
    """Return an experience as JSON."""
    return {
        "id": experience.id,
        "text": experience.text,
        "category": experience.category,
        "session": experience.session or None,
        "timestamp": experience.timestamp or None,
        "record": experience.record or None,
        "entities": list(experience.entities),
        "sources": list(experience.sources),
    }
