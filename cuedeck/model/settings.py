"""Settings as a value. Every key, its default, its bounds and its sentence stand here and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cuedeck.model.scene import SMALLEST_BUDGET
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

    budget: int = _key(16_000, "token limit of the whole file", least=SMALLEST_BUDGET, most=10_000_000)
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
class Settings:
    """All settings of a workspace."""

    scene: SceneSettings = SceneSettings()
    files: FileSettings = FileSettings()
    secrets: SecretSettings = SecretSettings()
    watch: WatchSettings = WatchSettings()
    session: SessionSettings = SessionSettings()
