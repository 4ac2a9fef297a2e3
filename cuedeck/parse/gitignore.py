"""Matcher for `.gitignore` patterns with git's semantics, and the lines of
`.cuedeck/.gitignore` that keep generated and private files out of git.

Source: gitignore(5), and git's own dir.c and wildmatch.c where the manual is silent.
Like git, patterns work on bytes: `?` and `[…]` match one byte of a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cuedeck.model.paths import PRIVATE_LINES
from cuedeck.parse.text_decoding import decode

_SPECIAL = re.compile(rb"[*?\[\\]")
_STAR = b"[^/]*"
_FOLDERS, _REST = b"(?:.*/)?", b".*"
"""The expressions of `**/` and of `**` at the end."""
_CLASSES = {
    b"alnum": rb"[0-9A-Za-z]",
    b"alpha": rb"[A-Za-z]",
    b"blank": rb"[ \t]",
    b"cntrl": rb"[\x00-\x1f\x7f]",
    b"digit": rb"[0-9]",
    b"graph": rb"[!-~]",
    b"lower": rb"[a-z]",
    b"print": rb"[ -~]",
    b"punct": rb"[!-/:-@\[-`{-~]",
    b"space": rb"[ \t-\r]",
    b"upper": rb"[A-Z]",
    b"xdigit": rb"[0-9A-Fa-f]",
}
_EVERY_BYTE = bytes(range(256))


class Rule(NamedTuple):
    """One line of an ignore file."""

    matches: re.Pattern[bytes]
    """A pattern for the last part of the path if `by_name`, else for the path relative
    to the ignore file.
    """
    by_name: bool
    folders_only: bool
    hides: bool
    """Whether a match ignores the path; False for a line that begins with `!`."""


class Rules:
    """The rules of one ignore file; a later line overrides an earlier one."""

    def __init__(self, lines: Iterable[str]) -> None:
        rules = (parse_rule(line) for line in lines)
        self._rules = [rule for rule in rules if rule is not None]
        self._rules.reverse()
        # Most paths match no rule, and one combined pattern rules them out quickly.
        self._any_name = _any_of(rule.matches for rule in self._rules if rule.by_name)
        self._any_path = _any_of(
            rule.matches for rule in self._rules if not rule.by_name
        )

    def __bool__(self) -> bool:
        return bool(self._rules)

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """Return whether `path` is ignored (True) or explicitly not ignored (False), or
        None if no rule matches.

        `path` is relative to the folder of the ignore file, with slashes. The content
        of an ignored folder is not matched here: the caller must not descend into an
        ignored folder.
        """
        if not self._rules:
            return None
        whole = path.encode("utf-8", "surrogateescape")
        name = whole.rpartition(b"/")[2]
        by_name = self._any_name is not None and self._any_name.fullmatch(name)
        by_path = self._any_path is not None and self._any_path.fullmatch(whole)
        if not by_name and not by_path:
            return None
        for rule in self._rules:
            if rule.folders_only and not is_folder:
                continue
            subject = name if rule.by_name else whole
            if rule.matches.fullmatch(subject):
                return rule.hides
        return None


def parse_rules(text: str) -> Rules:
    """Parse the text of an ignore file."""
    lines = text.removeprefix("\ufeff").split("\n")
    return Rules(line.removesuffix("\r") for line in lines)


def parse_rule(line: str) -> Rule | None:
    """Parse one line; return None for a blank line, a comment, or a pattern that cannot
    match.
    """
    pattern = line.encode("utf-8", "surrogateescape")
    if pattern.startswith(b"#"):
        return None
    pattern = _without_trailing_blanks(pattern)
    hides = not pattern.startswith(b"!")
    pattern = pattern.removeprefix(b"!")
    folders_only = pattern.endswith(b"/")
    pattern = pattern.removesuffix(b"/")
    by_name = b"/" not in pattern
    expression = _expression(
        pattern if by_name else pattern.removeprefix(b"/"), by_name
    )
    if not pattern or expression is None:
        return None
    return Rule(re.compile(expression, re.DOTALL), by_name, folders_only, hides)


def _without_trailing_blanks(pattern: bytes) -> bytes:
    """Remove trailing spaces, except one that is escaped with a backslash."""
    end = at = 0
    while at < len(pattern):
        if pattern[at : at + 1] == b"\\":
            at += 1
            if at == len(pattern):
                return pattern
            end = at + 1
        elif pattern[at : at + 1] != b" ":
            end = at + 1
        at += 1
    return pattern[:end]


def _expression(pattern: bytes, by_name: bool) -> bytes | None:
    """Translate a pattern to a regular expression; return None if it cannot match."""
    special = _SPECIAL.search(pattern)
    start = special.start() if special else len(pattern)
    # git compares the literal prefix separately, so the rest counts as a start too:
    # `a**/b` is `a` and `**/b`.
    stars = [b""]
    texts = [re.escape(pattern[:start])]
    at = start
    while at < len(pattern):
        if pattern[at : at + 1] == b"*":
            star, at = _star(pattern, at, start, by_name)
            stars.append(star)
            texts.append(b"")
            continue
        piece = _piece(pattern, at)
        if piece is None:
            return None
        texts[-1] += piece[0]
        at = piece[1]
    segments = list(zip(stars, texts, strict=True))
    return b"".join(_pieces(segments))


def _pieces(segments: Sequence[tuple[bytes, bytes]]) -> Iterator[bytes]:
    """Yield the parts of the expression for pairs of a star and the text after it."""
    doubles = [at for at, (star, _) in enumerate(segments) if star in (_FOLDERS, _REST)]
    last_double = max(doubles, default=0)
    is_open = False
    for at, (star, text) in enumerate(segments):
        if is_open and star in (_FOLDERS, _REST):
            is_open = False
            yield b")"
        if star == _FOLDERS and at < last_double:
            # The text up to the next `**` has a fixed number of folders, so the first
            # folder where it matches is as good as any later one. The atomic group
            # commits to it: otherwise time grows exponentially.
            is_open = True
            yield b"(?>(?:.*?/)??" + text
        else:
            yield _join(star, text, at == len(segments) - 1)


def _join(star: bytes, text: bytes, last: bool) -> bytes:
    if star != _STAR or last:
        return star + text
    # Within a name, the first position where the text after a star matches is as good
    # as any later one. The atomic group commits to it, which avoids excessive
    # backtracking for a pattern with many stars.
    return b"(?>" + star + b"?" + text + b")"


def _piece(pattern: bytes, at: int) -> tuple[bytes, int] | None:
    """Translate the byte or bracket expression at `at`; return None if it cannot
    match.
    """
    letter = pattern[at : at + 1]
    if letter == b"?":
        return b"[^/]", at + 1
    if letter == b"[":
        return _bracket(pattern, at)
    literal = _literal(pattern, at)
    if literal is None:
        return None
    return b"\\x%02x" % literal[0], literal[1]


def _star(pattern: bytes, at: int, start: int, by_name: bool) -> tuple[bytes, int]:
    end = at
    while pattern[end : end + 1] == b"*":
        end += 1
    after = pattern[end : end + 2]
    starts_component = at == start or pattern[at - 1 : at] == b"/"
    ends_component = not after or after[:1] == b"/" or after == b"\\/"
    if by_name or end - at < 2 or not starts_component or not ends_component:
        return _STAR, end
    if after[:1] == b"/":
        return _FOLDERS, end + 1
    return _REST, end


def _bracket(pattern: bytes, at: int) -> tuple[bytes, int] | None:
    """Translate a bracket expression `[…]`; return None if it is not closed or cannot
    match.
    """
    at += 1
    negated = pattern[at : at + 1] in (b"!", b"^")
    at += negated
    members: set[int] = set()
    before: int | None = None
    first = True
    while first or pattern[at : at + 1] != b"]":
        first = False
        if pattern[at : at + 2] == b"[:":
            end = pattern.find(b"]", at + 2)
            if end < 0:
                return None
            if pattern[end - 1 : end] == b":" and end - 1 >= at + 2:
                kind = _CLASSES.get(pattern[at + 2 : end - 1])
                if kind is None:
                    return None
                members.update(b"".join(re.findall(kind, _EVERY_BYTE)))
                before = None
                at = end + 1
                continue
        after = pattern[at + 1 : at + 2]
        is_range = pattern[at : at + 1] == b"-" and after not in (b"", b"]")
        if is_range and before is not None:
            last = _literal(pattern, at + 1)
            if last is None:
                return None
            members.update(range(before, last[0] + 1))
            before = None
            at = last[1]
            continue
        single = _literal(pattern, at)
        if single is None:
            return None
        before, at = single
        members.add(before)
    if negated:
        members = set(_EVERY_BYTE) - members
    members.discard(ord("/"))
    if not members:
        return None
    return b"[" + _escaped(members) + b"]", at + 1


def _escaped(members: Iterable[int]) -> bytes:
    return b"".join(b"\\x%02x" % byte for byte in sorted(members))


def _literal(pattern: bytes, at: int) -> tuple[int, int] | None:
    """Return the byte at `at`, after a backslash if there is one, and the offset after
    it.
    """
    if pattern[at : at + 1] == b"\\":
        at += 1
    if at < len(pattern):
        return (pattern[at], at + 1)
    return None


def _any_of(patterns: Iterable[re.Pattern[bytes]]) -> re.Pattern[bytes] | None:
    expressions = [b"(?:" + each.pattern + b")" for each in patterns]
    if not expressions:
        return None
    return re.compile(b"|".join(expressions), re.DOTALL)


GENERATED_LINES = ("SCENE.md", "active", "cache/")
"""Files in `.cuedeck/` that every command may create."""
IGNORE_LINES = (*GENERATED_LINES, *PRIVATE_LINES)
"""Lines of a new `.cuedeck/.gitignore`."""


def missing_lines(data: bytes) -> tuple[str, ...]:
    """Return the lines of `IGNORE_LINES` about which the rules of a file say nothing.

    A line such as `!MEMORY.md` is a decision of the user, so `MEMORY.md` is not missing
    then.
    """
    rules = parse_rules(decode(data).text)
    return tuple(line for line in IGNORE_LINES if not _is_decided(rules, line))


def append_lines(data: bytes, lines: Iterable[str]) -> bytes:
    """Return the content of a file with lines at its end, in its own line ending."""
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    if data and not data.endswith(b"\n"):
        data += newline
    return data + b"".join(line.encode() + newline for line in lines)


def _is_decided(rules: Rules, line: str) -> bool:
    path = line.removesuffix("/")
    if rules.verdict(path, line.endswith("/")) is not None:
        return True
    folder = path.rpartition("/")[0]
    return bool(folder) and rules.verdict(folder, True) is True
