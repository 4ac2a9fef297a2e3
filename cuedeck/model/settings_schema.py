"""Settings: the only place that defines every key with its default, bounds and
description.

A dataclass generates and compiles its methods when its module is imported, which took
longer than the parsing of the settings. Every command and hook needs these classes, so
their methods are inherited instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, NoReturn, Self, dataclass_transform

from cuedeck.model.paths import Profile
from cuedeck.model.session import COMPRESS_KIB

SMALLEST_BUDGET = 200
"""Tokens below which title, receipt and one line of the card no longer fit together."""
LARGEST_BUDGET = 10_000_000
BAD_BUDGET = "bad-budget"
"""Code of the diagnostic of a card with another limit."""


class Key(NamedTuple):
    """One key of a section: default value, description and allowed values."""

    default: Any
    doc: str
    least: int | None = None
    """Smallest number; of a list, the smallest number of items."""
    most: int | None = None
    among: tuple[str, ...] = ()


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Section:
    """Immutable values by name; a value that is not given is the default of its key.

    Every annotated class attribute of a subclass is a key: a `Key`, or the default
    alone.
    """

    keys: ClassVar[Mapping[str, Key]] = {}
    """Keys by name, in the order of the class."""

    def __init_subclass__(cls) -> None:
        keys = {}
        for name in cls.__annotations__:
            value = vars(cls)[name]
            key = value if isinstance(value, Key) else Key(value, "")
            keys[name] = key
            setattr(cls, name, key.default)
        cls.keys = keys

    def __init__(self, **values: Any) -> None:
        unknown = values.keys() - self.keys.keys()
        if unknown:
            names = ", ".join(sorted(unknown))
            raise TypeError(f"{type(self).__name__} has no key {names}")
        vars(self).update(values)

    def replace(self, **values: Any) -> Self:
        """Return a copy with other values. Raises: TypeError for an unknown key."""
        return type(self)(**{**vars(self), **values})

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Section) or type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        shown = [f"{name}={getattr(self, name)!r}" for name in self.keys]
        return f"{type(self).__name__}({', '.join(shown)})"

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.keys)


ENCODINGS = ("o200k_base", "cl100k_base")


def _key(
    default: Any,
    doc: str,
    least: int | None = None,
    most: int | None = None,
    *,
    among: tuple[str, ...] = (),
) -> Any:
    """Return a key with default, description and allowed values. Its type is that of
    the annotated attribute.
    """
    return Key(default, doc, least, most, among)


class SceneSettings(Section):
    """`[scene]`: contents of SCENE.md."""

    budget: int = _key(8_000, "token limit of a scene", SMALLEST_BUDGET, LARGEST_BUDGET)
    depth: int = _key(3, "number of links that are followed from the card", 0, 20)
    encoding: str = _key(
        "o200k_base", "tokenizer that counts the tokens", among=ENCODINGS
    )
    pinned: tuple[str, ...] = _key(
        (), "refs that every scene contains, after those of the card"
    )
    related: bool = _key(True, "whether related files are added after the linked ones")
    related_share: float = _key(
        1.0, "share of the budget that related files may use at most", 0, 1
    )


class FileSettings(Section):
    """`[files]`: files to read."""

    ignore: tuple[str, ...] = _key(
        (), "additional ignore patterns, in the syntax of .gitignore"
    )
    extra: tuple[str, ...] = _key(
        (),
        "folders and Markdown files outside the workspace that recall searches; only as an environment variable",
    )


class SecretSettings(Section):
    """`[secrets]`: masking in addition to the built-in formats."""

    allow: tuple[str, ...] = _key(
        (), "regular expressions of values that are not masked"
    )
    patterns: tuple[str, ...] = _key(
        (),
        "additional secret formats: `kind: regular expression`; a group `secret` limits the masked part",
    )


class WatchSettings(Section):
    """`[watch]`: debouncing of saves, in milliseconds."""

    quiet_ms: int = _key(
        5, "milliseconds without a change before a rebuild starts", 0, 5_000
    )
    longest_ms: int = _key(
        50,
        "milliseconds after the first change at which a rebuild starts at the latest",
        1,
        60_000,
    )
    empty_ms: int = _key(
        30,
        "additional milliseconds to wait for a file that has just become empty",
        0,
        5_000,
    )


class SessionSettings(Section):
    """`[session]`: retention of sessions."""

    keep_days: int = _key(
        7, "days without access after which a session is archived", 0, 36_500
    )
    checkpoint_minutes: int = _key(5, "minutes between automatic checkpoints", 1, 1_440)
    compress_kib: int = _key(
        COMPRESS_KIB,
        "size in KiB from which a session file is compressed",
        0,
        1_000_000,
    )


class MemorySettings(Section):
    """`[memory]`: stored records and the memory block of a session."""

    in_session: bool = _key(True, "whether sessions start with a memory block")
    cap: int = _key(32_000, "maximum characters of the memory block", 100, 10_000_000)
    user_cap: int = _key(
        2_000, "maximum characters of USER.md in the memory block", 0, 1_000_000
    )
    max_records: int = _key(
        0, "maximum records in MEMORY.md; 0 for no limit", 0, 10_000_000
    )
    max_chars: int = _key(
        0, "maximum characters in MEMORY.md; 0 for no limit", 0, 1_000_000_000
    )
    archive: str = _key(
        "memory/MEMORY-archive.md",
        "file that receives records removed from MEMORY.md; empty for none",
    )
    long_memory: str = _key("LONGMEMORY.md", "file that receives condensed records")
    long_memory_in_session: bool = _key(
        True, "whether the memory block begins with the long memory"
    )
    long_memory_chars: int = _key(
        16_000, "maximum characters of the long memory", 500, 10_000_000
    )
    stale_days: int = _key(
        120, "age in days from which a record is reported as stale", 1, 36_500
    )
    backend: str = _key(
        "builtin",
        "search of `recall`; `qmd` also asks the command qmd; only as an environment variable",
        among=("builtin", "qmd"),
    )
    qmd_command: tuple[str, ...] = _key(
        ("qmd",), "command of qmd; only as an environment variable", least=1
    )
    qmd_mode: str = _key(
        "vsearch",
        "subcommand of qmd; only as an environment variable",
        among=("search", "vsearch", "query"),
    )
    qmd_seconds: int = _key(
        10, "time limit of qmd in seconds; only as an environment variable", 1, 600
    )


class CompactionSettings(Section):
    """`[compaction]`: conditions and limits for merging old records."""

    enabled: bool = _key(False, "whether old records are merged")
    threshold_records: int = _key(
        400, "number of records from which compaction runs", 1, 10_000_000
    )
    threshold_chars: int = _key(
        200_000, "number of characters from which compaction runs", 500, 1_000_000_000
    )
    target_records: int = _key(200, "maximum records after compaction", 1, 10_000_000)
    target_chars: int = _key(
        100_000, "maximum characters after compaction", 500, 1_000_000_000
    )
    min_age_days: int = _key(
        7, "age in days from which a record may be merged", 0, 36_500
    )
    schedule: str = _key(
        "",
        "when compaction is considered: daily, weekly, hourly or a cron line; empty: by the interval",
    )
    interval_minutes: int = _key(
        1_440, "minutes between two compaction checks", 1, 5_256_000
    )
    summariser: tuple[str, ...] = _key(
        (), "external command that writes the summary: JSON on stdin and stdout"
    )
    summariser_seconds: int = _key(
        60, "time limit of the external command in seconds", 1, 3_600
    )


class ExperienceSettings(Section):
    """`[experiences]`: statements distilled from records."""

    enabled: bool = _key(
        False, "whether experiences are extracted from records and shown to agents"
    )
    uniqueness_threshold: float = _key(
        0.85, "similarity from which a text is a duplicate", 0, 1
    )
    max_count: int = _key(5_000, "maximum number of experiences", 1, 1_000_000)
    min_chars: int = _key(
        20, "minimum characters of a record that becomes an experience", 1, 10_000
    )
    similarity: str = _key(
        "words", "method that compares texts", among=("words", "hash128")
    )
    in_scene: bool = _key(
        True,
        "whether scenes include experiences that name a shown file or have words of the card,"
        " and prompts those that answer them",
    )

    @property
    def are_shown(self) -> bool:
        """Whether scenes and prompts include experiences."""
        return self.enabled and self.in_scene


class RecallSettings(Section):
    """`[recall]`: search of records, logs, ledgers, cards and docs."""

    limit: int = _key(10, "maximum number of hits", 1, 500)
    synonyms: tuple[str, ...] = _key(
        (), "additional groups of synonyms, each as words: `deploy release despliegue`"
    )
    half_life_days: int = _key(
        0,
        "age in days at which the score of a dated unit is halved; 0: never",
        0,
        36_500,
    )
    relevance_share: float = _key(
        0.7, "weight of relevance against diversity; 1: relevance alone", 0, 1
    )
    citations: str = _key(
        "auto",
        "whether hits name their place, path#L3-L5: auto, on or off",
        among=("auto", "on", "off"),
    )
    in_prompts: bool = _key(
        True, "whether agents receive lines that answer a prompt together with it"
    )


class DreamSettings(Section):
    """`[dream]`: promotion of facts that are recalled often."""

    enabled: bool = _key(
        False, "whether facts that are recalled often are promoted into MEMORY.md"
    )
    schedule: str = _key(
        "",
        "when dreaming is considered: daily, weekly, hourly or a cron line; empty: by the interval",
    )
    interval_minutes: int = _key(1_440, "minutes between two nights", 1, 5_256_000)
    min_score: float = _key(0.3, "lowest score of a promoted fact", 0, 1)
    min_recalls: int = _key(2, "number of recalls that a promotion needs", 1, 1_000)
    min_days: int = _key(
        2, "number of days with a recall that a promotion needs", 1, 30
    )
    min_queries: int = _key(
        2, "number of different queries that a promotion needs", 1, 30
    )
    max_age_days: int = _key(14, "age in days up to which a recall counts", 1, 36_500)
    max_promotions: int = _key(10, "maximum number of promotions in a night", 0, 1_000)


class LayerSettings(Section):
    """`[layers]`: abstracts and overviews of the cortex tree."""

    summariser: tuple[str, ...] = _key(
        (),
        "command that writes layers: JSON in, text out; only as an environment variable",
    )
    summariser_seconds: int = _key(
        60,
        "time limit of that command in seconds; only as an environment variable",
        1,
        3_600,
    )


class CortexSettings(Section):
    """`[cortex]`: timelines of sessions, and memories of users and agents."""

    timeline: bool = _key(
        False, "whether hooks write the messages of user and agent into a timeline"
    )
    session: str = _key(
        "default", "session whose timeline is used unless a command names another"
    )
    user: str = _key("default", "user of new sessions, to whom their memories belong")
    agent: str = _key("default", "agent of new sessions, to whom their memories belong")


class ExchangeSettings(Section):
    """`[exchange]`: entries exchanged with other copies through a hub."""

    hub: str = _key(
        "",
        "address of the hub, `postgresql://…`; only as an environment variable",
    )
    workspace: str = _key(
        "", "id of the workspace on the hub; the first `cuedeck exchange` writes it"
    )
    team: str = _key("", "team whose decisions and experiences are received")
    kinds: tuple[str, ...] = _key(
        ("decision", "attempt", "record", "experience"),
        "kinds of entries that leave this machine; of records and experiences only public and operational ones",
    )


class Settings(Section):
    """All settings of a workspace."""

    scene: SceneSettings = SceneSettings()
    files: FileSettings = FileSettings()
    secrets: SecretSettings = SecretSettings()
    watch: WatchSettings = WatchSettings()
    session: SessionSettings = SessionSettings()
    memory: MemorySettings = MemorySettings()
    compaction: CompactionSettings = CompactionSettings()
    experiences: ExperienceSettings = ExperienceSettings()
    recall: RecallSettings = RecallSettings()
    dream: DreamSettings = DreamSettings()
    layers: LayerSettings = LayerSettings()
    cortex: CortexSettings = CortexSettings()
    exchange: ExchangeSettings = ExchangeSettings()
    profile: tuple[Profile, ...] = ()
    """Additional memories, one per `[[profile]]`."""


def find_key(section: str, name: str) -> Key | None:
    """Return a key of a section; None if it is unknown. Profiles have no keys."""
    found = Settings.keys.get(section)
    if found is None or not isinstance(found.default, Section):
        return None
    return found.default.keys.get(name)
