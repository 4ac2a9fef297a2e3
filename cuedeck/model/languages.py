"""Which language a file of code is written in, by its name."""

from __future__ import annotations

import posixpath

_SUFFIXES = {
    "python": "py pyi",
    "javascript": "js jsx mjs cjs",
    "typescript": "ts mts cts",
    "tsx": "tsx",
    "go": "go",
    "rust": "rs",
    "java": "java",
    "c": "c h",
    "cpp": "cc cpp cxx hh hpp hxx",
    "csharp": "cs",
    "ruby": "rb rake gemspec",
    "php": "php",
    "bash": "sh bash",
}
BY_SUFFIX = {suffix: language for language, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
"""Suffixes, in lower case and without their dot, to languages."""
_BY_NAME = {"Rakefile": "ruby", "Gemfile": "ruby", "Guardfile": "ruby", "Vagrantfile": "ruby", "PKGBUILD": "bash"}


def language_of_path(path: str) -> str:
    """Return the language of a file by its name; empty when it is not known."""
    name = posixpath.basename(path)
    return _BY_NAME.get(name) or BY_SUFFIX.get(posixpath.splitext(name)[1][1:].lower(), "")
