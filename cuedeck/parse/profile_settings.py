"""Parser of `[[profile]]` in the settings: additional memory profiles of a workspace, each in its own folder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cuedeck.model.profile import OWN, Profile
from cuedeck.model.settings_schema import Settings

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_PRIVATE = ("MEMORY.md", "USER.md", "memory/", "experiences.jsonl", "MEMORY.md.compaction-backup",
            "tmp/memory-embeddings.json", "tmp/experience-store.json", "tmp/recent-topics.json")  # fmt: skip
"""Files and folders of a profile that must never appear in a scene."""
_SPECIAL = re.compile(r"([\\*?\[\]!# ])")


def parse_profiles(value: object) -> tuple[Profile, ...]:
    """Parse the list of profiles. Raises: ValueError with a message that continues the name of the key."""
    if not isinstance(value, list):
        raise ValueError("must be a list of tables: write [[profile]]")
    found: list[Profile] = []
    for each in value:
        if not isinstance(each, dict) or set(each) - {"id", "root"}:
            raise ValueError("knows the keys `id` and `root`")
        identity, root = each.get("id"), each.get("root")
        if not isinstance(identity, str) or not _ID.fullmatch(identity):
            raise ValueError(f"needs an `id` of small letters, digits, `-` and `_`, not {identity!r}")
        if identity == OWN.id or any(identity == other.id for other in found):
            raise ValueError(
                f"`{identity}` is there twice" if identity != OWN.id else f"`{identity}` is the workspace's own"
            )
        if not isinstance(root, str):
            raise ValueError(f"`{identity}` needs a `root`, a folder of the workspace")
        profile = Profile(identity, relative(root))
        if profile.root.split("/")[0] in (".git", OWN.root):
            raise ValueError(f"`{identity}` cannot live in {root!r}")
        if any(profile.root == other.root for other in found):
            raise ValueError(f"`{identity}` has the root of another one, {root!r}")
        found.append(profile)
    return tuple(found)


def relative(path: str) -> str:
    """Return a relative path without `.` and double slashes. Raises: ValueError if it leaves its folder."""
    steps = [step for step in path.split("/") if step not in ("", ".")]
    if path.startswith(("/", "~")) or ".." in steps or "\\" in path or ":" in path or "\0" in path:
        raise ValueError(f"must stay inside, not lead to {path!r}")
    return "/".join(steps)


def private_patterns(settings: Settings) -> Sequence[str]:
    """Return gitignore patterns for the memory files of all profiles outside `.cuedeck/`."""
    names = (*_PRIVATE, settings.memory.long_memory, *([settings.memory.archive] if settings.memory.archive else []))
    return list(_patterns(settings.profile, names))


def _patterns(profiles: Sequence[Profile], names: Sequence[str]) -> Iterator[str]:
    for profile in profiles:
        for name in names:
            yield "/" + _SPECIAL.sub(r"\\\1", f"{profile.root}/{name}" if profile.root else name)
