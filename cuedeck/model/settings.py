"""Settings as a value. Every key, its default, its bounds and its sentence stand here and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cuedeck.model.profile import Profile
from cuedeck.model.scene import LARGEST_BUDGET, SMALLEST_BUDGET
from cuedeck.model.session import COMPRESS_KIB

ENCODINGS = ("o200k_base", "cl100k_base")


def _key(
    default: Any, doc: str, *, least: int | None = None, most: int | None = None, among: tuple[str, ...] = ()
) -> Any:
    """Describe one key: its default, its sentence and what it may hold."""
    return field(default=default, metadata={"doc": doc, "least": least, "most": most, "among": among})


@dataclass(frozen=True, slots=True)
class SceneSettings:
    """`[scene]`: what goes into SCENE.md."""

    budget: int = _key(16_000, "token limit of the whole file", least=SMALLEST_BUDGET, most=LARGEST_BUDGET)
    depth: int = _key(3, "how many links away from the card the walk goes", least=0, most=20)
    encoding: str = _key("o200k_base", "the tokenizer that counts", among=ENCODINGS)
    pinned: tuple[str, ...] = _key((), "refs that every scene holds, behind the card's own")
    related: bool = _key(True, "whether what nobody linked fills what the refs leave of the budget")
    related_share: float = _key(1.0, "part of the budget that it may fill at most", least=0, most=1)


@dataclass(frozen=True, slots=True)
class FileSettings:
    """`[files]`: what is read."""

    ignore: tuple[str, ...] = _key((), "further ignore patterns, written as in .gitignore")


@dataclass(frozen=True, slots=True)
class SecretSettings:
    """`[secrets]`: what is masked beyond the built-in formats."""

    allow: tuple[str, ...] = _key((), "regular expressions of values that are no secrets")
    patterns: tuple[str, ...] = _key((), "further secrets: `kind: regular expression`, group `secret` marks the part")


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """`[watch]`: how saves are gathered, in milliseconds."""

    quiet_ms: int = _key(5, "a rebuild waits until nothing changed for so long", least=0, most=5_000)
    longest_ms: int = _key(50, "and starts at the latest after so long", least=1, most=60_000)
    empty_ms: int = _key(30, "extra wait for a file that just became empty", least=0, most=5_000)


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """`[session]`: what is kept of a stretch of work."""

    keep_days: int = _key(7, "days after its last access at which a session goes to the archive", least=0, most=36_500)
    checkpoint_minutes: int = _key(5, "minutes after which what changed becomes a checkpoint", least=1, most=1_440)
    compress_kib: int = _key(COMPRESS_KIB, "KiB from which on a session file is compressed", least=0, most=1_000_000)


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """`[memory]`: what is remembered and what of it a session is given."""

    in_session: bool = _key(True, "whether `memory context` gives anything")
    cap: int = _key(32_000, "characters of the block of memory", least=100, most=10_000_000)
    user_cap: int = _key(2_000, "characters of it that USER.md may take", least=0, most=1_000_000)
    max_records: int = _key(0, "records MEMORY.md may hold; 0 for no limit", least=0, most=10_000_000)
    max_chars: int = _key(0, "characters MEMORY.md may hold; 0 for no limit", least=0, most=1_000_000_000)
    archive: str = _key("memory/MEMORY-archive.md", "file that gets what leaves MEMORY.md; empty for none")
    long_memory: str = _key("LONGMEMORY.md", "file of what was condensed")
    long_memory_in_session: bool = _key(True, "whether the block begins with it")
    long_memory_chars: int = _key(16_000, "characters it may hold", least=500, most=10_000_000)
    stale_days: int = _key(120, "days after which a record counts as stale", least=1, most=36_500)


@dataclass(frozen=True, slots=True)
class CompactionSettings:
    """`[compaction]`: when and how old records are merged."""

    enabled: bool = _key(False, "whether old records are merged")
    threshold_records: int = _key(400, "records from which on it runs", least=1, most=10_000_000)
    threshold_chars: int = _key(200_000, "characters from which on it runs", least=500, most=1_000_000_000)
    target_records: int = _key(200, "records it leaves at most", least=1, most=10_000_000)
    target_chars: int = _key(100_000, "characters it leaves at most", least=500, most=1_000_000_000)
    min_age_days: int = _key(7, "days a record must be old to be merged", least=0, most=36_500)
    schedule: str = _key("", "when it is looked at: daily, weekly, hourly, a line of cron; empty: by the interval")
    interval_minutes: int = _key(1_440, "minutes between two looks", least=1, most=5_256_000)
    summariser: tuple[str, ...] = _key((), "a command that condenses instead: JSON in, JSON out")
    summariser_seconds: int = _key(60, "seconds it may take", least=1, most=3_600)


@dataclass(frozen=True, slots=True)
class ExperienceSettings:
    """`[experiences]`: what is distilled from records."""

    enabled: bool = _key(False, "whether records become experiences, and agents are told of them")
    uniqueness_threshold: float = _key(0.85, "similarity from which on a text is known already", least=0, most=1)
    max_count: int = _key(5_000, "experiences that are kept", least=1, most=1_000_000)
    min_chars: int = _key(20, "characters a text needs to be one", least=1, most=10_000)
    similarity: str = _key("words", "how texts are compared", among=("words", "hash128"))
    in_scene: bool = _key(True, "whether a scene and a prompt bring those that fit, where they are enabled")

    @property
    def are_told(self) -> bool:
        """Whether scenes and prompts bring experiences."""
        return self.enabled and self.in_scene


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of a workspace."""

    scene: SceneSettings = SceneSettings()
    files: FileSettings = FileSettings()
    secrets: SecretSettings = SecretSettings()
    watch: WatchSettings = WatchSettings()
    session: SessionSettings = SessionSettings()
    memory: MemorySettings = MemorySettings()
    compaction: CompactionSettings = CompactionSettings()
    experiences: ExperienceSettings = ExperienceSettings()
    profile: tuple[Profile, ...] = ()
    """Further memories, one `[[profile]]` each."""
