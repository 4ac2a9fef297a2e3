"""Checks of the values of settings, and the profiles: `[[profile]]` is an additional
memory of a workspace in a folder of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.model.errors import Invalid
from cuedeck.model.formatting import abbreviate, counted
from cuedeck.model.paths import OWN, Profile
from cuedeck.model.settings_schema import Key, Settings

if TYPE_CHECKING:
    from cuedeck.model.cortex_address import Dimension

MEMORY_FILES = ("memory.archive", "memory.long_memory")
"""Keys whose value is a file in the folder of a profile."""
_OWN_FILE = r"(?:memory/)?(?!\d{4}-\d{2}-\d{2}\.md)[^/.][^/]*\.md"
_RESERVED_FILES = ("memory.md", "user.md", "scene.md")
_OWNERS: Mapping[str, Dimension] = {"cortex.user": "user", "cortex.agent": "agent"}
"""Keys whose value is the id of a user or an agent."""
_MOST_NAMED = 3
_ID = r"[a-z0-9][a-z0-9_-]{0,63}"
_PRIVATE = (
    "MEMORY.md",
    "USER.md",
    "DREAMS.md",
    "memory/",
    "experiences.jsonl",
    "MEMORY.md.compaction-backup",
    "tmp/memory-embeddings.json",
    "tmp/experience-store.json",
    "tmp/recent-topics.json",
)
"""Files and folders of a profile that must never appear in a scene."""
_SPECIAL = r"([\\*?\[\]!# ])"
_KINDS = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a string",
    tuple: "a list of strings",
}
_Problems = Iterator[tuple[str, str]]
"""What is wrong with a value, and the hint."""


def find_problems(full: str, key: Key, value: Any) -> _Problems:
    """Yield the problems of a converted value of a key `section.name`, each with a
    hint.
    """
    problem = _find_problem(key, value)
    if problem:
        # Only an invalid value needs it. JSON writes a default as TOML does.
        import json

        default = json.dumps(key.default)
        hint = f"correct or remove the value ({key.doc}; default {default})"
        yield f"{full} {problem}, not {_shown(value)}", hint
    elif value != key.default and full in _CHECKS:
        yield from _CHECKS[full](full, value)


def converted(value: Any, kind: type) -> Any:
    """Return a whole number as a float and a list of strings as a tuple where `kind`
    needs that; any other value as it is.
    """
    if kind is float and type(value) is int and value.bit_length() < 64:
        return float(value)
    if kind is not tuple or not isinstance(value, list):
        return value
    return tuple(value) if all(isinstance(item, str) for item in value) else value


def _find_problem(key: Key, value: Any) -> str:
    kind = type(key.default)
    if type(value) is not kind:
        return f"must be {_KINDS[kind]}"
    if kind is tuple:
        fewest = key.least or 0
        is_short = len(value) < fewest
        return f"must have at least {counted(fewest, 'item')}" if is_short else ""
    if key.among and value not in key.among:
        return f"must be one of {', '.join(key.among)}"
    least, most = key.least, key.most
    if least is not None and most is not None and not least <= value <= most:
        return f"must be between {least:,} and {most:,}"
    return ""


def _shown(value: Any) -> str:
    try:
        return abbreviate(repr(value))
    except ValueError:
        # Python refuses to print an integer of more than 4,300 digits.
        return "a number of thousands of digits"


def _check_memory_file(full: str, value: str) -> _Problems:
    try:
        path = relative(value)
        is_own = re.fullmatch(_OWN_FILE, path) and path.lower() not in _RESERVED_FILES
        if value and not is_own:
            raise ValueError(f"must be a Markdown file of its own, not {path!r}")
    except ValueError as error:
        hint = "use a file next to MEMORY.md or in memory/, such as memory/old.md"
        yield f"{full} {error}", hint


def _check_owner(full: str, value: str) -> _Problems:
    # Few settings name a user or an agent.
    from cuedeck.model.cortex_address import checked_id

    try:
        checked_id(_OWNERS[full], value)
    except Invalid as error:
        yield f"{full}: {error.message}", error.hint


def _check_formats(full: str, patterns: tuple[str, ...]) -> _Problems:
    for pattern in patterns:
        expression = pattern.partition(":")[2].strip()
        if expression:
            yield from _check_expression(full, expression, by_line=True)
        else:
            problem = f"{full}: {pattern!r} has no expression"
            yield problem, "write `kind: regular expression`"


def _check_allowed(full: str, patterns: tuple[str, ...]) -> _Problems:
    # The secret formats take as long to load as all other modules of the settings.
    from cuedeck.parse.secrets.custom_patterns import allowed_samples

    for pattern in patterns:
        invalid = list(_check_expression(full, pattern, by_line=False))
        yield from invalid
        kinds = () if invalid else allowed_samples(pattern)
        if kinds:
            which = f"the format {' and '.join(kinds)}"
            if len(kinds) > _MOST_NAMED:
                which = f"{len(kinds)} formats"
            problem = f"{full}: `{pattern}` matches every value of {which}"
            yield (
                problem,
                "write the value itself, or enough of its beginning that no other value matches",
            )


def _check_expression(full: str, expression: str, *, by_line: bool) -> _Problems:
    # Few settings have patterns.
    from cuedeck.parse.linear_patterns import compile_pattern

    try:
        compile_pattern(expression, by_line=by_line)
    except Invalid as error:
        yield f"{full}: {error.message}", error.hint


_CHECKS: Mapping[str, Callable[[str, Any], _Problems]] = {
    "secrets.patterns": _check_formats,
    "secrets.allow": _check_allowed,
    **dict.fromkeys(MEMORY_FILES, _check_memory_file),
    **dict.fromkeys(_OWNERS, _check_owner),
}
"""Checks of values that are not the default, by key."""


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
    name, path = value.get("id"), value.get("root")
    if not isinstance(name, str) or not re.fullmatch(_ID, name):
        problem = f"needs an `id` of small letters, digits, `-` and `_`, not {name!r}"
        raise ValueError(problem)
    if name == OWN.id:
        raise ValueError(f"`{name}` is reserved for the workspace memory")
    if any(name == profile.id for profile in known):
        raise ValueError(f"`{name}` occurs twice")
    if not isinstance(path, str):
        raise ValueError(f"`{name}` needs a `root`, a folder of the workspace")
    root = relative(path)
    if root.split("/")[0] in (".git", OWN.root):
        raise ValueError(f"`{name}` cannot be in {path!r}")
    if any(root == profile.root for profile in known):
        raise ValueError(f"`{name}` has the same root as another profile: {path!r}")
    return Profile(name, root)


def relative(path: str) -> str:
    """Return a relative path without `.` and double slashes. Raises: ValueError if it
    leaves its folder.
    """
    steps = [step for step in path.split("/") if step not in ("", ".")]
    if path.startswith(("/", "~")) or ".." in steps or re.search(r"[\\:\0]", path):
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
