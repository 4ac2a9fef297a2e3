"""Validation of the settings: errors of invalid values, and warnings.

A text is that of config.toml; it is empty if the values come from variables. Other keys
and values are allowed there than in a file, which comes with a repository.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import ConfigurationError, Invalid
from cuedeck.model.formatting import abbreviate, counted
from cuedeck.model.paths import CONFIG
from cuedeck.model.settings_section import Key
from cuedeck.parse.profile_settings import relative
from cuedeck.parse.settings_variables import variable_name

if TYPE_CHECKING:
    from cuedeck.model.cortex_address import Dimension

PERSONAL = {
    "files.extra": ("a repository cannot name files outside it", "folder,folder"),
    "layers.summariser": ("a repository cannot name a command to run", "summarise"),
    "layers.summariser_seconds": ("a repository cannot configure a command", "60"),
    "memory.backend": ("a repository cannot choose a command to run", "qmd"),
    "memory.qmd_command": ("a repository cannot name a command to run", "qmd"),
    "memory.qmd_mode": ("a repository cannot configure a command", "vsearch"),
    "memory.qmd_seconds": ("a repository cannot configure a command", "10"),
}
"""Keys that count only in the environment, each with the reason and a sample value: a
repository must not choose which files of the user are read or which commands run.
"""
MEMORY_FILES = ("memory.archive", "memory.long_memory")
"""Keys whose value is a file in the folder of a profile."""
_OWN_FILE = r"(?:memory/)?(?!\d{4}-\d{2}-\d{2}\.md)[^/.][^/]*\.md"
_RESERVED_FILES = ("memory.md", "user.md", "scene.md")
_COMMAND = "compaction.summariser"
_OWNERS: Mapping[str, Dimension] = {"cortex.user": "user", "cortex.agent": "agent"}
"""Keys whose value is the id of a user or an agent."""
_MOST_NAMED = 3
_FOREIGN_SECTIONS = {
    "continuity": "a section of CursorClaw; docs/memory.md lists the equivalent keys of CueDeck"
}
"""Known sections of other programs, with the hint shown for each."""
_KINDS = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a string",
    tuple: "a list of strings",
}


# --- values


def convert_value(value: Any, kind: type) -> Any:
    """Return a whole number as a float and a list of strings as a tuple where `kind`
    needs that; any other value as it is.
    """
    if kind is float and type(value) is int and value.bit_length() < 64:
        return float(value)
    if kind is not tuple or not isinstance(value, list):
        return value
    if all(isinstance(item, str) for item in value):
        return tuple(value)
    return value


def normalise_value(full: str, value: Any) -> Any:
    """Return a valid value as it is kept."""
    if full in MEMORY_FILES and value:
        return relative(value)
    return value


def validate_value(
    full: str, key: Key, value: Any, text: str
) -> Iterator[ConfigurationError]:
    """Yield an error for each reason why a converted value is invalid for a key
    `section.name`.
    """
    problem = _find_problem(key, value)
    if problem:
        yield _refuse_value(full, key, value, problem, text)
    elif text and full == _COMMAND and value:
        yield _refuse_command(text)
    elif full.startswith("secrets."):
        yield from _validate_patterns(full, value, text)
    elif full in MEMORY_FILES and value:
        yield from _validate_memory_file(full, value, text)
    elif full in _OWNERS and value != key.default:
        yield from _validate_owner(full, value, text)


def _find_problem(key: Key, value: Any) -> str:
    """Return the reason why a value has another type or size than its key allows; empty
    if it is valid.
    """
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


def _refuse_value(
    full: str, key: Key, value: Any, problem: str, text: str
) -> ConfigurationError:
    # Only an invalid value needs it. JSON writes a default as TOML does.
    import json

    default = json.dumps(key.default)
    hint = f"correct or remove the value ({key.doc}; default {default})"
    return settings_error(f"{full} {problem}, not {_shown(value)}", hint, text, full)


def _shown(value: Any) -> str:
    """Return the abbreviated repr of a value for an error message."""
    try:
        return abbreviate(repr(value))
    except ValueError:
        # Python refuses to print an integer of more than 4,300 digits.
        return "a number of thousands of digits"


def _refuse_command(text: str) -> ConfigurationError:
    """Return the error for a file that sets a command: a repository must not be able to
    run programs.
    """
    variable = variable_name(_COMMAND)
    hint = f"remove the line, and set {variable}=command,argument in your environment"
    problem = f"{_COMMAND}: a file of the repository cannot set a command"
    return settings_error(problem, hint, text, _COMMAND)


def _validate_memory_file(
    full: str, value: str, text: str
) -> Iterator[ConfigurationError]:
    """Yield an error for a file that cannot be one of a memory."""
    try:
        path = relative(value)
        if path.lower() in _RESERVED_FILES or not re.fullmatch(_OWN_FILE, path):
            raise ValueError(f"must be a Markdown file of its own, not {path!r}")
    except ValueError as error:
        hint = "use a file next to MEMORY.md or in memory/, such as memory/old.md"
        yield settings_error(f"{full} {error}", hint, text, full)


def _validate_owner(full: str, value: str, text: str) -> Iterator[ConfigurationError]:
    """Yield an error for an id that `--user` and `--agent` refuse, too."""
    # Few settings name a user or an agent.
    from cuedeck.model.cortex_address import checked_id

    try:
        checked_id(_OWNERS[full], value)
    except Invalid as error:
        yield settings_error(f"{full}: {error.message}", error.hint, text, full)


# --- patterns of secrets


def _validate_patterns(
    full: str, patterns: tuple[str, ...], text: str
) -> Iterator[ConfigurationError]:
    """Yield an error for each unusable pattern of `secrets.patterns`, whose items are
    `kind: expression`, or of `secrets.allow`.
    """
    for pattern in patterns:
        if full == "secrets.patterns":
            expression = pattern.partition(":")[2].strip()
            yield from _validate_secret_format(full, pattern, expression, text)
        else:
            yield from _validate_allowed(full, pattern, text)


def _validate_secret_format(
    full: str, pattern: str, expression: str, text: str
) -> Iterator[ConfigurationError]:
    if not expression:
        problem = f"{full}: {pattern!r} has no expression"
        yield settings_error(problem, "write `kind: regular expression`", text, full)
        return
    yield from _validate_expression(full, expression, text, by_line=True)


def _validate_allowed(
    full: str, pattern: str, text: str
) -> Iterator[ConfigurationError]:
    invalid = list(_validate_expression(full, pattern, text, by_line=False))
    if invalid:
        yield from invalid
        return
    # The secret formats take as long to load as all other modules of the settings.
    from cuedeck.parse.secrets.format_samples import allowed_samples

    kinds = allowed_samples(pattern)
    if kinds:
        which = f"the format {' and '.join(kinds)}"
        if len(kinds) > _MOST_NAMED:
            which = f"{len(kinds)} formats"
        problem = f"{full}: `{pattern}` matches every value of {which}"
        hint = "write the value itself, or enough of its beginning that no other value matches"
        yield settings_error(problem, hint, text, full)


def _validate_expression(
    full: str, expression: str, text: str, *, by_line: bool
) -> Iterator[ConfigurationError]:
    # Few settings have patterns.
    from cuedeck.parse.linear_patterns import compile_pattern

    try:
        compile_pattern(expression, by_line=by_line)
    except Invalid as error:
        yield settings_error(f"{full}: {error.message}", error.hint, text, full)


# --- warnings


def warn_of_personal_key(full: str, text: str) -> Diagnostic:
    """Return the warning for a key of the file that only the user may set."""
    variable = variable_name(full)
    reason, sample = PERSONAL[full]
    return _warning(
        _line(text, full.split(".")),
        "personal-setting",
        f"{full} has no effect here: {reason}",
        f"remove the line, and set {variable}={sample} in your environment",
    )


def warn_of_unknown_key(
    keys: Sequence[str], known: Sequence[str], text: str
) -> Diagnostic:
    """Return the warning for a section, or a section and a key, that is none of the
    known ones.
    """
    # Only an unknown key needs the comparison, and each command imports this module.
    import difflib

    full = ".".join(keys)
    near = difflib.get_close_matches(full, known, 1, 0.5)
    if keys[0] in _FOREIGN_SECTIONS:
        hint = _FOREIGN_SECTIONS[keys[0]]
    elif near:
        hint = f"did you mean `{near[0]}`?"
    else:
        hint = f"known keys: {', '.join(known)}"
    return _warning(_line(text, keys), "unknown-key", f"unknown key `{full}`", hint)


def _warning(line: int, code: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(CONFIG, line, "warning", code, message, hint)


# --- places


def settings_error(
    problem: str, hint: str, text: str = "", full: str = ""
) -> ConfigurationError:
    """Return the error for a problem, located at the line that sets the key `full`."""
    line = _line(text, full.split("."))
    return ConfigurationError.at(CONFIG, line, problem, hint)


def _line(text: str, keys: Sequence[str]) -> int:
    """Return the line that sets a key, or its longest prefix; 0 if there is none.
    `tomllib` gives no positions.
    """
    # Most settings need no message with a line.
    from cuedeck.parse.toml_lines import statements

    keys = tuple(keys)
    best = line = 0
    for each in statements(text):
        common = min(len(each.keys), len(keys))
        if common > best and each.keys[:common] == keys[:common]:
            best = common
            line = text.count("\n", 0, each.start) + 1
    return line
