"""Settings loader: defaults, then config.toml, then environment variables such as
`CUEDECK_SCENE__BUDGET=8000`.

Other keys and values are allowed in variables than in a file, which comes with a
repository.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import ConfigurationError, Invalid
from cuedeck.model.paths import CONFIG
from cuedeck.model.ports import Json, JsonView
from cuedeck.model.settings_schema import Key, Settings, find_key
from cuedeck.parse.settings_checks import (
    MEMORY_FILES,
    converted,
    find_problems,
    parse_profiles,
    relative,
)
from cuedeck.parse.toml_reader import read_toml, statements

_PROFILES = "profile"
"""The only section of the settings that is a list of tables."""
_PROFILE_HINT = (
    'a profile is a separate memory: [[profile]], id = "me", root = "profiles/me"'
)
_PREFIX = "CUEDECK_"
_WHOLE = r"-?[0-9]{1,18}"
_NUMBER = r"-?[0-9]{1,18}(?:\.[0-9]+)?"
_BOOLEANS = {"true": True, "false": False}
_PERSONAL = {
    "compaction.summariser": ("a repository cannot name a command to run", "summarise"),
    "exchange.hub": (
        "a repository cannot choose where entries are sent",
        "postgresql://HOST/NAME",
    ),
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
_FOREIGN_SECTIONS = {
    "continuity": "a section of CursorClaw; docs/memory.md lists the equivalent keys of CueDeck"
}
"""Known sections of other programs, with the hint shown for each."""


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
    """Return the effective settings with all warnings and errors; later sources
    override earlier ones.
    """
    environ = environ or {}
    file = _Source(text)
    settings = Settings()
    try:
        settings = file.apply(settings, _load(text))
    except ConfigurationError as error:
        file.errors.append(_error(CONFIG, error.problem, error.hint, error.line))
    errors = file.errors
    for name, table in _read_variables(environ):
        source = _Source(variable=name)
        settings = source.apply(settings, table)
        errors += source.errors
    memory = settings.memory
    if memory.archive == memory.long_memory:
        problem = f"memory.archive and memory.long_memory are the same file, {memory.archive!r}"
        errors.append(_error(".", problem, "give each a different file"))
    return SettingsReading(settings, tuple(file.warnings), tuple(errors))


def configuration_error(found: Diagnostic) -> ConfigurationError:
    """Return the exception for an error in the settings."""
    if found.path == CONFIG:
        return ConfigurationError.at(CONFIG, found.line, found.message, found.hint)
    return ConfigurationError(found.message, hint=found.hint)


def find_sources(text: str, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the source of each key that is set, by `section.name`: the path of
    config.toml or a variable name.

    A variable overrides the file. Raises: ConfigurationError for invalid TOML.
    """
    sources: dict[str, str] = {}
    for source, table in ((CONFIG, _load(text)), *_read_variables(environ)):
        for section, values in table.items():
            if isinstance(values, dict):
                sources.update({f"{section}.{name}": source for name in values})
    return sources


def setter_of(key: str, environ: Mapping[str, str]) -> str:
    """Return the source of a key such as `scene.pinned`: an environment variable, else
    the path of config.toml.
    """
    return find_sources("", environ).get(key, CONFIG)


def keys() -> Iterator[tuple[str, Key]]:
    """Yield every key as `section.name`, in the order of the settings."""
    for section, part in Settings.keys.items():
        if section != _PROFILES:
            for name, key in part.default.keys.items():
                yield f"{section}.{name}", key


def _load(text: str) -> Json:
    try:
        return read_toml(text)
    except Invalid as error:
        hint = f"{error.hint}; `cuedeck config check` checks the file"
        raise ConfigurationError.at(CONFIG, error.line, error.problem, hint) from None


def _read_variables(environ: Mapping[str, str]) -> Iterator[tuple[str, Json]]:
    for variable in sorted(environ):
        if not variable.startswith(_PREFIX):
            continue
        full = variable.removeprefix(_PREFIX).lower()
        section, separator, name = full.partition("__")
        if separator:
            key = find_key(section, name)
            kind = type(key.default) if key is not None else str
            yield variable, {section: {name: _parse_value(environ[variable], kind)}}


def _parse_value(text: str, kind: type) -> Any:
    """Return the value of a variable as `kind`; the text itself if it has another form.
    The items of a list are separated by commas.
    """
    if kind is int and re.fullmatch(_WHOLE, text):
        return int(text)
    if kind is float and re.fullmatch(_NUMBER, text):
        return float(text)
    if kind is bool:
        return _BOOLEANS.get(text.lower(), text)
    if kind is tuple:
        items = [item.strip() for item in text.split(",")]
        return [item for item in items if item]
    return text


def _error(path: str, message: str, hint: str, line: int = 0) -> Diagnostic:
    return Diagnostic(
        path=path,
        line=line,
        level="error",
        code="bad-config",
        message=message,
        hint=hint,
    )


class _Source:
    """A source of settings, config.toml or a variable, and its problems."""

    def __init__(self, text: str = "", variable: str = "") -> None:
        self._text = text
        self._variable = variable
        self.errors: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []

    def apply(self, settings: Settings, table: JsonView) -> Settings:
        """Return the settings with the valid values of this source."""
        for section, values in table.items():
            if section not in Settings.keys:
                self._warn_of_unknown((section,), sorted(Settings.keys))
            elif section == _PROFILES:
                profiles, faults = parse_profiles(values)
                for fault in faults:
                    self._refuse(section, f"profile {fault}", _PROFILE_HINT)
                settings = settings.replace(profile=profiles)
            elif not isinstance(values, dict):
                hint = f"write [{section}] on a line of its own"
                self._refuse(section, f"`{section}` must be a table", hint)
            else:
                valid = self._valid_values(section, values)
                part = getattr(settings, section).replace(**valid)
                settings = settings.replace(**{section: part})
        return settings

    def _valid_values(self, section: str, values: JsonView) -> Json:
        valid = {}
        for name, value in values.items():
            full = f"{section}.{name}"
            key = find_key(section, name)
            if key is None:
                self._warn_of_unknown((section, name), sorted(dict(keys())))
                continue
            if full in _PERSONAL and not self._variable:
                reason, sample = _PERSONAL[full]
                message = f"{full} has no effect here: {reason}"
                variable = _PREFIX + full.upper().replace(".", "__")
                hint = (
                    f"remove the line, and set {variable}={sample} in your environment"
                )
                self._warn(full.split("."), "personal-setting", message, hint)
                continue
            value = converted(value, type(key.default))
            problems = list(find_problems(full, key, value))
            for problem, hint in problems:
                self._refuse(full, problem, hint)
            if not problems:
                is_file = full in MEMORY_FILES and value
                valid[name] = relative(value) if is_file else value
        return valid

    def _refuse(self, full: str, problem: str, hint: str) -> None:
        path, line = CONFIG, 0
        if self._variable:
            path, problem = ".", f"{self._variable}: {problem}"
        else:
            line = self._line(full.split("."))
        self.errors.append(_error(path, problem, hint, line))

    def _warn_of_unknown(self, names: Sequence[str], known: Sequence[str]) -> None:
        # Only an unknown key needs the comparison.
        import difflib

        full = ".".join(names)
        hint = f"known keys: {', '.join(known)}"
        for near in difflib.get_close_matches(full, known, 1, 0.5):
            hint = f"did you mean `{near}`?"
        hint = _FOREIGN_SECTIONS.get(names[0], hint)
        if self._variable:
            self.errors.append(_error(".", f"{self._variable} is not a setting", hint))
        else:
            self._warn(names, "unknown-key", f"unknown key `{full}`", hint)

    def _warn(self, names: Sequence[str], code: str, message: str, hint: str) -> None:
        line = self._line(names)
        warning = Diagnostic(
            path=CONFIG,
            line=line,
            level="warning",
            code=code,
            message=message,
            hint=hint,
        )
        self.warnings.append(warning)

    def _line(self, names: Sequence[str]) -> int:
        """Return the line that sets a key, or its longest prefix; 0 if there is none.
        `tomllib` gives no positions.
        """
        best, at = 0, -1
        for each in statements(self._text):
            common = min(len(each.keys), len(names))
            if common > best and each.keys[:common] == tuple(names[:common]):
                best, at = common, each.start
        return self._text.count("\n", 0, at) + 1 if best else 0
