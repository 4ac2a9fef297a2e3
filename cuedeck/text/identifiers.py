"""Identifiers in text: their parts, and the lines that contain one of them in any
spelling.

`missing-backlink`, `missing_backlink`, `missingBacklink`, `MissingBacklink` and
`MISSING_BACKLINK` have the same parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from cuedeck.text.words import CAPITALS, name_term, word_terms

Parts = tuple[str, ...]
"""Parts of an identifier in lower case: `("missing", "backlink")`."""

LONGEST_LINE = 400
"""Characters of a line in which identifiers are read; longer lines are minified code or
data.
"""
_LONGEST_NAME = 60
_SMALL = rf"[^\W\d_{CAPITALS}]"
_PART = re.compile(
    rf"[{CAPITALS}]{{2,}}(?=s(?!{_SMALL}))|[{CAPITALS}]+(?!{_SMALL})\d*"
    rf"|[{CAPITALS}]?{_SMALL}+\d*|\d+"
)
_IDENTIFIER = re.compile(r"[^\W\d]\w*(?:-\w+)*")
_STEP = re.compile(r"[^\w-]+")
_COMPOUND = re.compile(r"[^\W_]_+[^\W_]|[a-z\d][A-Z]|[A-Z]{2}[a-z]")
_OPTION = re.compile(r"(?:^|[^\w-])--?$")
_MEMBER = re.compile(r"[\w)\]]\??\.$")
_OWNER = re.compile(r"\??\.[a-z_]\w*\W")
_TYPED = re.compile(r"(?:^|[({,])\s*$")
_URL = re.compile(r"\w+://\S+|\\\w+")
"""Addresses and escape sequences, in which there are no identifiers."""


@lru_cache(20_000)
def split_identifier(name: str) -> Parts:
    """Return the parts of an identifier, for example `("dead", "link")` for
    `DeadLink`.
    """
    return tuple(part.lower() for part in _PART.findall(name))


def last_step(name: str) -> str:
    """Return the last identifier of a qualified name without leading dashes: `push` for
    `AppContext.push()`.
    """
    steps = [step.strip("-_") for step in _STEP.split(name)]
    return next((step for step in reversed(steps) if step), "")


@lru_cache(10_000)
def read_identifiers(line: str) -> tuple[str, ...]:
    """Return the distinct code identifiers of a line in text order, as written, without
    words of prose.

    A compound (`dead_link`, `deadLink`) is always an identifier. A single word or a
    hyphenated name is one if the characters next to it are those of code: a call, a
    member, an assignment, a parameter with a type, an option, a quoted value.
    """
    found: dict[str, None] = {}
    line = _URL.sub(" ", line[:LONGEST_LINE])
    for match in _IDENTIFIER.finditer(line):
        name = match[0]
        if len(name) > _LONGEST_NAME:
            continue
        if "-" in name and not _is_code(line, *match.span()):
            # It may be a subtraction or a hyphenated word.
            for part in name.split("-"):
                if _COMPOUND.search(part):
                    found[part] = None
        elif _COMPOUND.search(name) or _is_code(line, *match.span()):
            found[name] = None
    return tuple(found)


def _is_code(line: str, start: int, end: int) -> bool:
    before, after = line[:start], line[end:]
    if before.endswith(("'", '"', "`")):
        return after.startswith(before[-1])
    if before.endswith(("::", "@", "$", "->")) or after.startswith(
        ("(", "=", "[", "::", "->")
    ):
        return True
    if _OPTION.search(before) or _MEMBER.search(before) or _OWNER.match(after):
        return True
    return (
        after.startswith(":")
        and not before[-1:].isalnum()
        and _TYPED.search(before) is not None
    )


def find_lines(text: str, parts: Parts) -> list[int]:
    """Return the numbers of the lines with an identifier that contains `parts`
    consecutively, in any spelling.
    """
    lines: list[int] = []
    line, counted = 1, 0
    for start in find_offsets(text, parts):
        line += text.count("\n", counted, start)
        counted = start
        if not lines or lines[-1] != line:
            lines.append(line)
    return lines


def find_offsets(text: str, parts: Parts) -> Iterator[int]:
    """Yield the offset of each place where `parts` are consecutive parts of an
    identifier.

    A compound may be in the plural; a single word may not, because its plural is
    another word in prose.
    """
    for match in _pattern(parts).finditer(text):
        start, end = match.span()
        if not _begins_part(text, start):
            continue
        if _ends_part(text, end, has_plural=len(parts) > 1):
            yield start


@lru_cache(1_000)
def _pattern(parts: Parts) -> re.Pattern[str]:
    return re.compile("[_-]?".join(map(re.escape, parts)), re.IGNORECASE)


def _begins_part(text: str, at: int) -> bool:
    if at == 0:
        return True
    before, first = text[at - 1], text[at]
    if not before.isalnum():
        return True
    if first.isupper():
        # In `HTTPServer` the second part begins at the last capital letter.
        following = text[at + 1 : at + 2]
        return not before.isupper() or following.islower()
    return before.isdigit() and first.isalpha()


def _ends_part(text: str, at: int, *, has_plural: bool) -> bool:
    """Return whether a part of an identifier ends before an offset; with `has_plural`
    it may be followed by an `s`.
    """
    following = text[at : at + 2]
    if not following[:1].isalnum():
        return True
    if has_plural and following[0] == "s":
        following = following[1:]
        return not following.isalnum()
    last = text[at - 1]
    if following[0].isupper():
        return not last.isupper() or following[1:].islower()
    return following[0].isdigit() and not last.isdigit()


def identifier_stems(parts: Parts) -> Sequence[str]:
    """Return the index terms of the parts of an identifier, without stop words."""
    stems: list[str] = []
    for part in parts:
        found = word_terms(part)
        stems += [term for term in found if not term.startswith("=")]
    return stems


def files_with(
    postings: Callable[[str], Mapping[str, int]], parts: Parts, most: int | None = None
) -> Collection[str]:
    """Return the paths of the files whose index terms allow an identifier with these
    parts, at most `most` of them.
    """
    stems = identifier_stems(parts)
    if not stems:
        # All parts are stop words, which are indexed only within the whole identifier.
        in_snake_case = postings(name_term("_".join(parts)))
        in_one_word = postings(name_term("".join(parts)))
        return in_snake_case.keys() | in_one_word.keys()
    return list(islice(files_with_terms(postings, stems), most))


def files_with_terms(
    postings: Callable[[str], Mapping[str, int]], terms: Iterable[str]
) -> Iterable[str]:
    """Return the paths of the files that contain each of these index terms."""
    rarest, *others = sorted(map(postings, dict.fromkeys(terms)), key=len)
    found: Iterable[str] = rarest
    for other in others:
        found = filter(other.__contains__, found)
    return found
