"""Parser of `[[profile]]` in the settings: additional memory profiles of a workspace,
each in its own folder.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cuedeck.model.profile import OWN, Profile
from cuedeck.model.settings_schema import Settings

_ID = r"[a-z0-9][a-z0-9_-]{0,63}"
_PRIVATE = ("MEMORY.md", "USER.md", "DREAMS.md", "memory/", "experiences.jsonl", "MEMORY.md.compaction-backup",
            "tmp/memory-embeddings.json", "tmp/experience-store.json", "tmp/recent-topics.json")  # fmt: skip
"""Files and folders of a profile that must never appear in a scene."""
_SPECIAL = r"([\\*?\[\]!# ])"


def parse_profiles(value: object) -> tuple[tuple[Profile, ...], tuple[str, ...]]:
    """Return the valid profiles of a list, and a message for each invalid one. A
    message continues the name of the key.
    """
    if not isinstance(value, list):
        return (), ("must be a list of tables: write [[profile]]",)
    profiles: list[Profile] = []
    faults: list[str] = []
    for each in value:
        try:
            profiles.append(_parse_profile(each, profiles))
        except ValueError as error:
            faults.append(str(error))
    return tuple(profiles), tuple(faults)


def _parse_profile(value: object, known: Sequence[Profile]) -> Profile:
    if not isinstance(value, dict) or not value.keys() <= {"id", "root"}:
        raise ValueError("may have only the keys `id` and `root`")
    identity = _parse_id(value.get("id"), known)
    return _parse_root(identity, value.get("root"), known)


def _parse_id(value: object, known: Sequence[Profile]) -> str:
    if not isinstance(value, str) or not re.fullmatch(_ID, value):
        raise ValueError(
            f"needs an `id` of small letters, digits, `-` and `_`, not {value!r}"
        )
    if value == OWN.id:
        raise ValueError(f"`{value}` is reserved for the workspace memory")
    if any(value == profile.id for profile in known):
        raise ValueError(f"`{value}` occurs twice")
    return value


def _parse_root(identity: str, value: object, known: Sequence[Profile]) -> Profile:
    if not isinstance(value, str):
        raise ValueError(f"`{identity}` needs a `root`, a folder of the workspace")
    root = relative(value)
    if root.split("/")[0] in (".git", OWN.root):
        raise ValueError(f"`{identity}` cannot be in {value!r}")
    if any(root == profile.root for profile in known):
        raise ValueError(
            f"`{identity}` has the same root as another profile: {value!r}"
        )
    return Profile(identity, root)


def relative(path: str) -> str:
    """Return a relative path without `.` and double slashes. Raises: ValueError if it
    leaves its folder.
    """
    steps = [step for step in path.split("/") if step not in ("", ".")]
    if (
        path.startswith(("/", "~"))
        or ".." in steps
        or "\\" in path
        or ":" in path
        or "\0" in path
    ):
        raise ValueError(f"must be inside the workspace, not at {path!r}")
    return "/".join(steps)


def private_patterns(settings: Settings) -> Sequence[str]:
    """Return gitignore patterns for the memory files of all profiles outside
    `.cuedeck/`.
    """
    names = [*_PRIVATE, settings.memory.long_memory]
    if settings.memory.archive:
        names.append(settings.memory.archive)
    patterns = []
    for profile in settings.profile:
        for name in names:
            path = f"{profile.root}/{name}" if profile.root else name
            patterns.append("/" + re.sub(_SPECIAL, r"\\\1", path))
    return patterns
