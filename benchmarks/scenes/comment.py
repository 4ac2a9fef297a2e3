"""A comment of one line, in the syntax of a file and at a place without any other
meaning.
"""

from __future__ import annotations

import posixpath
import random

from cuedeck.parse.parse_file import parse_file

_SYNTAXES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "# ",
        "",
        (
            ".py",
            ".pyi",
            ".toml",
            ".yml",
            ".yaml",
            ".sh",
            ".cfg",
            ".rb",
            "Makefile",
            "Dockerfile",
        ),
    ),
    (
        "// ",
        "",
        (
            ".go",
            ".rs",
            ".js",
            ".jsx",
            ".mjs",
            ".cjs",
            ".ts",
            ".tsx",
            ".mts",
            ".cts",
            ".java",
            ".c",
            ".h",
        ),
    ),
    ("/* ", " */", (".css", ".scss")),
    ("<!-- ", " -->", (".md", ".mdx", ".markdown", ".html", ".hbs")),
    (".. ", "", (".rst",)),
)
_BY_SUFFIX = {
    suffix: (start, end) for start, end, suffixes in _SYNTAXES for suffix in suffixes
}


def syntax_of(path: str) -> tuple[str, str] | None:
    """Return the start and end marks of a comment; None for a file without comments or
    of an unknown type.
    """
    base = posixpath.basename(path)
    return _BY_SUFFIX.get(base) or _BY_SUFFIX.get(posixpath.splitext(base)[1].lower())


def add_comment(path: str, text: str, words: str, chance: random.Random) -> str:
    """Return the text with a comment above one of its definitions or sections, else at
    its end.
    """
    syntax = syntax_of(path)
    assert syntax is not None
    comment = f"{syntax[0]}{words}{syntax[1]}\n"
    rows = text.splitlines(keepends=True)
    file = parse_file(path, text.encode())
    known = [symbol.start for symbol in file.symbols] + [
        section.start for section in file.sections
    ]
    starts = sorted(start for start in set(known) if start <= len(rows))
    if not starts:
        return text + ("" if not text or text.endswith("\n") else "\n") + comment
    at = chance.choice(starts) - 1
    indent = rows[at][: len(rows[at]) - len(rows[at].lstrip())]
    rows.insert(at, indent.rstrip("\r\n") + comment)
    return "".join(rows)
