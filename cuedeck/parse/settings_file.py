"""Settings loader: defaults, then config.toml, then environment variables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import ConfigurationError, Invalid
from cuedeck.model.formatting import abbreviate, counted
from cuedeck.model.paths import CONFIG
from cuedeck.model.profile import Profile
from cuedeck.model.settings_schema import Settings
from cuedeck.model.settings_section import Key
from cuedeck.parse.profile_settings import parse_profiles, relative
from cuedeck.parse.toml_reader import read_toml

if TYPE_CHECKING:
    from cuedeck.model.cortex_address import Dimension

PREFIX = "CUEDECK_"
_PROFILES = "profile"
"""The only section of the settings that is a list of tables."""


class SettingsReading(NamedTuple):
    """The settings in all sources, with everything that is wrong in them."""

    settings: Settings
    """An invalid value is replaced by the default."""
    warnings: tuple[Diagnostic, ...]
    """Of unknown keys, and of keys that have no effect."""
    errors: tuple[Diagnostic, ...]
    """Of invalid values, in the order of the sources. The path is `.` for a
    variable.
    """


def parse_settings(
    text: str, environ: Mapping[str, str] | None = None
) -> tuple[Settings, tuple[Diagnostic, ...]]:
    """Return the effective settings and a warning for each unknown key.

    Raises: ConfigurationError for the first error of `read_settings`, with its line.
    """
    reading = read_settings(text, environ)
    for error in reading.errors:
        raise configuration_error(error)
    return reading.settings, reading.warnings


def read_settings(
    text: str, environ: Mapping[str, str] | None = None
) -> SettingsReading:
    """Return the effective settings with all warnings and errors.

    Later sources override earlier ones: defaults, `text`, variables such as
    `CUEDECK_SCENE__BUDGET=8000`.
    """
    environ = environ or {}
    errors: list[Diagnostic] = []
    problems: list[ConfigurationError] = []
    table: Mapping[str, Any] = {}
    try:
        table = _load(text)
    except ConfigurationError as error:
        problems.append(error)
    settings, warnings = _apply(Settings(), table, text, problems)
    for problem in problems:
        errors.append(_error(CONFIG, problem.problem, problem.hint, problem.line))
    for name, table in _from_environment(environ):
        problems = []
        settings, unknown = _apply(settings, table, "", problems)
        for problem in problems:
            errors.append(_error(".", f"{name}: {problem.problem}", problem.hint))
        for each in unknown:
            errors.append(_error(".", f"{name} is not a setting", each.hint))
    errors += _conflicts(settings, environ)
    return SettingsReading(settings, warnings, tuple(errors))


def configuration_error(found: Diagnostic) -> ConfigurationError:
    """Return the exception for an error in the settings."""
    if found.path == CONFIG:
        return ConfigurationError.at(CONFIG, found.line, found.message, found.hint)
    return ConfigurationError(found.message, hint=found.hint)


def _error(path: str, message: str, hint: str, line: int = 0) -> Diagnostic:
    return Diagnostic(path, line, "error", "bad-config", message, hint)


def find_sources(text: str, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the source of each key that is set, by `section.name`: the path of
    config.toml or a variable name.

    A variable overrides the file.

    Raises: ConfigurationError for invalid TOML.
    """
    sources: dict[str, str] = {}
    for source, table in ((CONFIG, _load(text)), *_from_environment(environ)):
        for section, values in table.items():
            names = values if isinstance(values, dict) else ()
            sources.update({f"{section}.{name}": source for name in names})
    return sources


def setter_of(key: str, environ: Mapping[str, str]) -> str:
    """Return the source of a key such as `scene.pinned`: an environment variable, else
    the path of config.toml.
    """
    return find_sources("", environ).get(key, CONFIG)


def _load(text: str) -> dict[str, Any]:
    try:
        return read_toml(text)
    except Invalid as error:
        hint = "correct that line; `cuedeck config check` checks the file"
        raise ConfigurationError.at(CONFIG, error.line, error.problem, hint) from None


def _conflicts(settings: Settings, environ: Mapping[str, str]) -> Iterator[Diagnostic]:
    """Yield an error for values that are valid alone but conflict; the message names a
    variable, if any.
    """
    memory = settings.memory
    if memory.archive != memory.long_memory:
        return
    problem = (
        f"memory.archive and memory.long_memory are the same file, {memory.archive!r}"
    )
    hint = "give each a different file"
    variables = find_sources("", environ)
    setters = [variables[full] for full in _INSIDE if full in variables]
    if setters:
        yield _error(".", f"{' and '.join(setters)}: {problem}", hint)
    else:
        yield _error(CONFIG, problem, hint)


def keys() -> Iterator[tuple[str, Key]]:
    """Yield every key as `section.name`, in the order of the settings."""
    for section, part in Settings.keys.items():
        if section == _PROFILES:
            continue
        for name, key in part.default.keys.items():
            yield f"{section}.{name}", key


def _apply(
    settings: Settings,
    table: Mapping[str, Any],
    text: str,
    problems: list[ConfigurationError],
) -> tuple[Settings, tuple[Diagnostic, ...]]:
    """Return the settings with the valid values of a table, and the warnings; add the
    invalid values to `problems`.
    """
    known = dict(keys())
    sections = Settings.keys
    found: list[Diagnostic] = []
    for section, values in table.items():
        if section not in sections:
            found.append(_unknown((section,), sorted(sections), text))
            continue
        if section == _PROFILES:
            profiles = _profiles(values, text, problems)
            settings = settings.replace(profile=profiles)
            continue
        if not isinstance(values, dict):
            problem = _unusable(
                f"`{section}` must be a table",
                f"write [{section}] on a line of its own",
                text,
                section,
            )
            problems.append(problem)
            continue
        part = getattr(settings, section)
        for name, value in values.items():
            full = f"{section}.{name}"
            if full not in known:
                found.append(_unknown((section, name), sorted(known), text))
            elif text and full in _PERSONAL:
                found.append(_personal(full, text))
            else:
                value = _converted(value, type(known[full].default))
                unusable = list(_value_problems(full, known[full], value, text))
                problems += unusable
                if not unusable:
                    part = part.replace(**{name: _normalised(full, value)})
        settings = settings.replace(**{section: part})
    if text:
        found += _broad(settings.secrets.allow, text)
    return settings, tuple(found)


_PERSONAL = {
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


def _personal(full: str, text: str) -> Diagnostic:
    """Return the warning for a key of the file that only the user may set."""
    variable = PREFIX + full.upper().replace(".", "__")
    reason, sample = _PERSONAL[full]
    return Diagnostic(
        CONFIG,
        _line(text, tuple(full.split("."))),
        "warning",
        "personal-setting",
        f"{full} has no effect here: {reason}",
        f"remove the line, and set {variable}={sample} in your environment",
    )


def _profiles(
    values: object, text: str, problems: list[ConfigurationError]
) -> tuple[Profile, ...]:
    """Return the valid profiles; add an error for each invalid one to `problems`."""
    profiles, faults = parse_profiles(values)
    for fault in faults:
        hint = 'a profile is a separate memory: [[profile]], id = "me", root = "profiles/me"'
        problems.append(_unusable(f"profile {fault}", hint, text, _PROFILES))
    return profiles


_KINDS = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a string",
    tuple: "a list of strings",
}
_WHOLE = r"-?[0-9]{1,18}"
_NUMBER = r"-?[0-9]{1,18}(?:\.[0-9]+)?"


def _shown(value: Any) -> str:
    """Return the abbreviated repr of a value for an error message."""
    try:
        return abbreviate(repr(value))
    except ValueError:
        # Python refuses to print an integer of more than 4,300 digits.
        return "a number of thousands of digits"


def _value_problems(
    full: str, key: Key, value: Any, text: str
) -> Iterator[ConfigurationError]:
    """Yield an error for each reason why a value is invalid for a key."""
    problem = _problem(key, value)
    if problem:
        # Only an invalid value needs it. JSON writes a default as TOML does.
        import json

        default = json.dumps(key.default)
        hint = f"correct or remove the value ({key.doc}; default {default})"
        yield _unusable(f"{full} {problem}, not {_shown(value)}", hint, text, full)
    elif text and full == _COMMAND and value:
        yield _refused_command(text)
    elif full.startswith("secrets."):
        yield from _pattern_problems(full, value, text)
    elif full in _INSIDE and value:
        yield from _place_problems(full, value, text)
    elif full in _OWNERS and value != key.default:
        yield from _owner_problems(full, value, text)


def _converted(value: Any, kind: type) -> Any:
    """Return a whole number as a float and a list of strings as a tuple where `kind`
    needs that.
    """
    if kind is float and type(value) is int and value.bit_length() < 64:
        return float(value)
    if (
        kind is tuple
        and isinstance(value, list)
        and all(isinstance(item, str) for item in value)
    ):
        return tuple(value)
    return value


def _problem(key: Key, value: Any) -> str:
    """Return the reason why a value is invalid for a key; empty if it is valid."""
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


_COMMAND = "compaction.summariser"


def _refused_command(text: str) -> ConfigurationError:
    """Return the error for a file that sets a command: a repository must not be able to
    run programs.
    """
    variable = f"{PREFIX}COMPACTION__SUMMARISER"
    hint = f"remove the line, and set {variable}=command,argument in your environment"
    problem = f"{_COMMAND}: a file of the repository cannot set a command"
    return _unusable(problem, hint, text, _COMMAND)


_INSIDE = ("memory.archive", "memory.long_memory")
"""Keys whose value is a file in the folder of a profile."""
_OWN_FILE = r"(?:memory/)?(?!\d{4}-\d{2}-\d{2}\.md)[^/.][^/]*\.md"
_TAKEN = ("memory.md", "user.md", "scene.md")


def _normalised(full: str, value: Any) -> Any:
    """Return a valid value as it is kept."""
    if full in _INSIDE and value:
        return relative(value)
    return value


def _place_problems(full: str, value: str, text: str) -> Iterator[ConfigurationError]:
    """Yield an error for a file that cannot be one of a memory."""
    try:
        path = relative(value)
        if path.lower() in _TAKEN or not re.fullmatch(_OWN_FILE, path):
            raise ValueError(f"must be a Markdown file of its own, not {path!r}")
    except ValueError as error:
        hint = "use a file next to MEMORY.md or in memory/, such as memory/old.md"
        yield _unusable(f"{full} {error}", hint, text, full)


_OWNERS: Mapping[str, Dimension] = {"cortex.user": "user", "cortex.agent": "agent"}
"""Keys whose value is the id of a user or an agent."""


def _owner_problems(full: str, value: str, text: str) -> Iterator[ConfigurationError]:
    """Yield an error for an id that `--user` and `--agent` refuse, too."""
    # Few settings name a user or an agent.
    from cuedeck.model.cortex_address import checked_id

    try:
        checked_id(_OWNERS[full], value)
    except Invalid as error:
        yield _unusable(f"{full}: {error.message}", error.hint, text, full)


def _pattern_problems(
    full: str, patterns: tuple[str, ...], text: str
) -> Iterator[ConfigurationError]:
    """Yield an error for each unusable pattern; `text` is empty if the patterns come
    from a variable.
    """
    if not patterns:
        return
    # Few settings have patterns.
    from cuedeck.parse.linear_patterns import compile_pattern

    is_pattern = full == "secrets.patterns"
    for pattern in patterns:
        expression = pattern.partition(":")[2].strip() if is_pattern else pattern
        if is_pattern and not expression:
            yield _unusable(
                f"{full}: {pattern!r} has no expression",
                "write `kind: regular expression`",
                text,
                full,
            )
            continue
        try:
            compile_pattern(expression, by_line=is_pattern)
        except Invalid as error:
            yield _unusable(f"{full}: {error.message}", error.hint, text, full)
            continue
        if text and not is_pattern:
            yield from _broad_problems(pattern, text)


_MOST_ALLOWED = 2
"""Maximum number of secret formats that one pattern in a committed file may allow."""


def _broad_problems(pattern: str, text: str) -> Iterator[ConfigurationError]:
    kinds = _allowed_formats(pattern)
    if len(kinds) > _MOST_ALLOWED:
        problem = (
            f"secrets.allow: `{pattern}` matches every value of {len(kinds)} formats,"
            f" the limit is {_MOST_ALLOWED}"
        )
        yield _unusable(
            problem,
            "allow the values themselves, or set it in your environment",
            text,
            "secrets.allow",
        )


def _allowed_formats(pattern: str) -> Sequence[str]:
    # The secret formats take as long to load as all other modules of the settings.
    from cuedeck.parse.secrets.format_samples import allowed_samples

    return allowed_samples(pattern)


def _broad(patterns: tuple[str, ...], text: str) -> Iterator[Diagnostic]:
    """Yield a warning for each pattern of a committed file that allows every value of a
    secret format.
    """
    if not patterns:
        return
    line = _line(text, ("secrets", "allow"))
    for pattern in patterns:
        kinds = _allowed_formats(pattern)
        if kinds:
            message = f"secrets.allow: `{pattern}` unmasks every value of the format {' and '.join(kinds)}"
            yield Diagnostic(
                path=CONFIG,
                line=line,
                level="warning",
                code="broad-allow",
                message=message,
                hint="allow the value itself",
            )


_FOREIGN = {
    "continuity": "a section of CursorClaw; docs/memory.md lists the equivalent keys of CueDeck"
}
"""Known sections of other programs, with the hint shown for each."""


def _unknown(keys: tuple[str, ...], known: list[str], text: str) -> Diagnostic:
    # Only an unknown key needs the comparison, and each command imports this module.
    import difflib

    full = ".".join(keys)
    near = difflib.get_close_matches(full, known, 1, 0.5)
    hint = f"did you mean `{near[0]}`?" if near else f"known keys: {', '.join(known)}"
    hint = _FOREIGN.get(keys[0], hint)
    line = _line(text, keys)
    return Diagnostic(
        path=CONFIG,
        line=line,
        level="warning",
        code="unknown-key",
        message=f"unknown key `{full}`",
        hint=hint,
    )


def _unusable(
    problem: str, hint: str, text: str = "", full: str = ""
) -> ConfigurationError:
    """Return the error for a problem, located at the line that sets the key `full`."""
    line = _line(text, tuple(full.split(".")))
    return ConfigurationError.at(CONFIG, line, problem, hint)


def _line(text: str, keys: tuple[str, ...]) -> int:
    """Return the line that sets a key, or its longest prefix; 0 if there is none.
    `tomllib` gives no positions.
    """
    # Most settings need no message with a line.
    from cuedeck.parse.toml_lines import statements

    best = line = 0
    for each in statements(text):
        common = min(len(each.keys), len(keys))
        if common > best and each.keys[:common] == keys[:common]:
            best = common
            line = text.count("\n", 0, each.start) + 1
    return line


def _from_environment(
    environ: Mapping[str, str],
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (variable, table) for each `CUEDECK_<SECTION>__<KEY>`; list items are
    separated by commas.
    """
    kinds: dict[str, object] = {}
    for full, key in keys():
        kinds[full] = type(key.default)
    for variable in sorted(environ):
        section, split, name = variable.removeprefix(PREFIX).lower().partition("__")
        if not variable.startswith(PREFIX) or not split:
            continue
        kind = kinds.get(f"{section}.{name}")
        value = _from_text(environ[variable], kind)
        yield variable, {section: {name: value}}


def _from_text(text: str, kind: object) -> Any:
    """Return the value of a variable as `kind`; the text itself if it has another
    form.
    """
    if kind is int and re.fullmatch(_WHOLE, text):
        return int(text)
    if kind is float and re.fullmatch(_NUMBER, text):
        return float(text)
    if kind is bool:
        return {"true": True, "false": False}.get(text.lower(), text)
    if kind is tuple:
        items = [item.strip() for item in text.split(",")]
        return [item for item in items if item]
    return text
