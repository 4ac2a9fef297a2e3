"""Settings loader: defaults, then config.toml, then environment variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import ConfigurationError, Invalid
from cuedeck.model.paths import CONFIG
from cuedeck.model.profile import Profile
from cuedeck.model.settings_schema import Settings, find_key
from cuedeck.model.settings_section import Key
from cuedeck.parse.profile_settings import parse_profiles
from cuedeck.parse.settings_validation import (
    MEMORY_FILES,
    PERSONAL,
    convert_value,
    normalise_value,
    settings_error,
    validate_value,
    warn_of_personal_key,
    warn_of_unknown_key,
)
from cuedeck.parse.settings_variables import read_variables
from cuedeck.parse.toml_reader import read_toml

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

    of_file = _Findings(text)
    settings = _apply_table(Settings(), _load_valid(text, of_file), of_file)
    for problem in of_file.problems:
        errors.append(_error(CONFIG, problem.problem, problem.hint, problem.line))

    for name, table in read_variables(environ):
        found = _Findings()
        settings = _apply_table(settings, table, found)
        for problem in found.problems:
            errors.append(_error(".", f"{name}: {problem.problem}", problem.hint))
        for warning in found.warnings:
            errors.append(_error(".", f"{name} is not a setting", warning.hint))

    errors += _conflicts(settings, environ)
    return SettingsReading(settings, tuple(of_file.warnings), tuple(errors))


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
    tables = ((CONFIG, _load(text)), *read_variables(environ))
    for source, table in tables:
        for section, values in table.items():
            if not isinstance(values, dict):
                continue
            for name in values:
                sources[f"{section}.{name}"] = source
    return sources


def setter_of(key: str, environ: Mapping[str, str]) -> str:
    """Return the source of a key such as `scene.pinned`: an environment variable, else
    the path of config.toml.
    """
    return find_sources("", environ).get(key, CONFIG)


def _load(text: str) -> dict[str, Any]:
    """Return the tables of config.toml. Raises: ConfigurationError for invalid TOML."""
    try:
        return read_toml(text)
    except Invalid as error:
        hint = f"{error.hint}; `cuedeck config check` checks the file"
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
    setters = [variables[full] for full in MEMORY_FILES if full in variables]
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


class _Findings:
    """Problems and warnings of one source of the settings."""

    def __init__(self, text: str = "") -> None:
        self.text = text
        """Text of config.toml; empty for a variable."""
        self.problems: list[ConfigurationError] = []
        """One for each invalid value."""
        self.warnings: list[Diagnostic] = []


def _load_valid(text: str, findings: _Findings) -> Mapping[str, Any]:
    """Return the tables of config.toml; none if it is invalid TOML."""
    try:
        return _load(text)
    except ConfigurationError as error:
        findings.problems.append(error)
        return {}


def _apply_table(
    settings: Settings, table: Mapping[str, Any], findings: _Findings
) -> Settings:
    """Return the settings with the valid values of a source."""
    text = findings.text
    for section, values in table.items():
        if section not in Settings.keys:
            sections = sorted(Settings.keys)
            findings.warnings.append(warn_of_unknown_key((section,), sections, text))
        elif section == _PROFILES:
            settings = settings.replace(profile=_valid_profiles(values, findings))
        elif not isinstance(values, dict):
            problem = f"`{section}` must be a table"
            hint = f"write [{section}] on a line of its own"
            findings.problems.append(settings_error(problem, hint, text, section))
        else:
            part = getattr(settings, section)
            valid = _valid_values(section, values, findings)
            settings = settings.replace(**{section: part.replace(**valid)})
    return settings


def _valid_values(
    section: str, values: Mapping[str, Any], findings: _Findings
) -> dict[str, Any]:
    """Return the valid values of a section by name, as they are kept."""
    text = findings.text
    valid = {}
    for name, value in values.items():
        full = f"{section}.{name}"
        key = find_key(section, name)
        if key is None:
            known = sorted(full for full, _ in keys())
            warning = warn_of_unknown_key((section, name), known, text)
            findings.warnings.append(warning)
            continue
        if text and full in PERSONAL:
            findings.warnings.append(warn_of_personal_key(full, text))
            continue
        value = convert_value(value, type(key.default))
        problems = list(validate_value(full, key, value, text))
        findings.problems += problems
        if not problems:
            valid[name] = normalise_value(full, value)
    return valid


def _valid_profiles(values: object, findings: _Findings) -> tuple[Profile, ...]:
    """Return the valid profiles."""
    profiles, faults = parse_profiles(values)
    hint = (
        'a profile is a separate memory: [[profile]], id = "me", root = "profiles/me"'
    )
    for fault in faults:
        problem = f"profile {fault}"
        error = settings_error(problem, hint, findings.text, _PROFILES)
        findings.problems.append(error)
    return profiles
