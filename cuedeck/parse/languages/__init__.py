"""The programming languages that are read, one module each: suffixes, grammar and
rules, which `parse.code` applies.

A module of this package that defines `LANGUAGES` is registered automatically: no other
product file names it. The modules are imported at the first lookup, in the order of
their names.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cuedeck.parse.languages.base import Language


def languages() -> Mapping[str, Language]:
    """Return every language by its name."""
    return registry()[0]


def language_of_path(path: str) -> Language | None:
    """Return the language of a file by its base name, else by its suffix; None if
    neither is known.
    """
    _, by_suffix, by_file_name = registry()
    name = posixpath.basename(path)
    return by_file_name.get(name) or by_suffix.get(posixpath.splitext(name)[1].lower())


def language_of_suffix(suffix: str) -> Language | None:
    """Return the language of a suffix in lower case, with its dot; None if it is not
    known.
    """
    return registry()[1].get(suffix)


def language_of_text(path: str, text: str) -> Language | None:
    """Return the language of a file by its path and, if dialects share its suffix, by
    its text.
    """
    language = language_of_path(path)
    if language is None or language.dialect is None:
        return language
    return languages()[language.dialect(path, text)]


def import_strategy(path: str) -> str:
    """Return how the imports of a file are resolved; empty if its language is not known
    or has no strategy.
    """
    language = language_of_path(path)
    return language.resolver if language is not None else ""


@cache
def registry() -> tuple[
    Mapping[str, Language], Mapping[str, Language], Mapping[str, Language]
]:
    """Return the languages by name, by suffix and by file name."""
    found = _discover()
    by_name = {language.name: language for language in found}
    by_suffix = {}
    for language in found:
        for suffix in language.suffixes:
            by_suffix[suffix] = language
    by_file_name = {
        name: language for language in found for name in language.file_names
    }
    return by_name, by_suffix, by_file_name


def _discover() -> list[Language]:
    from importlib import import_module
    from pkgutil import iter_modules

    found: list[Language] = []
    for name in sorted(module.name for module in iter_modules(__path__)):
        found += getattr(import_module(f"{__name__}.{name}"), "LANGUAGES", ())
    return found
