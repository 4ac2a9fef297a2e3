"""Judge whether a value can be a real secret: not blank, not a placeholder, random enough."""

from __future__ import annotations

import re
from collections import Counter
from math import log2

_BLANK = re.compile(r"[xX0*._\-=+/#?…]*")
_TEMPLATE = re.compile(
    r"\$[({]|^\$\w+$|\{\{|\{[\w.!:\s]*\}|#\{|%[({]|%[sdr](?![0-9A-Za-z])|^%\w+%$|<[^<>]*>|\*\*\*|\.\.\.|…|^\[.*\]$"
)
_WORD = re.compile(
    r"your|change.?me|example|placeholder|dummy|sample|xxxx|redacted|replace|insert|fixme|not.?a.?real|foobar"
    r"|passw(?:or|0r)d|qwerty|lorem|default|invalid",
    re.IGNORECASE,
)
_LONE_WORD = re.compile(
    r"(?:^|[-_.])(?:your|example|placeholder|dummy|fake|sample|x{3,}|redacted|replace|insert|here|changeme)"
    r"(?=[-_.]|$)",
    re.IGNORECASE,
)
_PASSWORD_WORDS = frozenset({"pass", "passwd", "password", "pswd", "pw", "pwd", "xxx", "changeme", "…", ""})
_ESCAPED = re.compile(r"%[0-9A-Fa-f]{2}")
_SEPARATOR = re.compile(r"[-_./:,~]")
_RUNS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]")
_NOT_RANDOM = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|sha\d{1,3}[-:=].*|arn:.*|.*://.*|.*\w=[^;]*;.*|data:.*|A[KS]IA[0-9A-Z]{16}.*|[./~\\].*",
    re.IGNORECASE | re.DOTALL,
)
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_ALPHABET = "abcdefghijklmnopqrstuvwxyz" * 2


def is_token(value: str) -> bool:
    """Tell whether the body of a value of known format is more than a placeholder such as `xxxx` or `your-key`."""
    if _BLANK.fullmatch(value) or _LONE_WORD.search(value):
        return False
    # Words joined by hyphens or underscores are names; random text of that shape has digits or both cases.
    joined = "-" in value or "_" in value
    return not joined or any(c.isdigit() for c in value) or not (value.islower() or value.isupper())


def is_password(value: str, user: str = "") -> bool:
    """Tell whether the password of a URL is more than a template, a stand-in word or the user's name again."""
    bare = value.strip("[](){}<>*'\"")
    if bare.lower() in _PASSWORD_WORDS or (user and bare == user):
        return False
    # Up to three characters protect nothing, and test data of URL parsers is full of them.
    if len(_ESCAPED.sub("x", value)) < 4 or "](" in value:
        return False
    return not (_BLANK.fullmatch(value) or _TEMPLATE.search(value) or _LONE_WORD.search(value))


def is_random(value: str) -> bool:
    """Tell whether the value of an assignment looks drawn at random rather than written by a person."""
    if len(value) < 12 or _NOT_RANDOM.fullmatch(value):
        return False
    if _BLANK.fullmatch(value) or _TEMPLATE.search(value) or _WORD.search(value):
        return False
    core = max(_SEPARATOR.split(value), key=len)
    letters = "".join(c for c in core if c.isalpha()).lower()
    if len(core) < 8 or (len(letters) > 5 and letters in _ALPHABET):
        return False
    # Random text changes between lower case, upper case and digits every two to three characters; names,
    # versions and counted-up test values keep to one class for longer.
    if len(core) / len(_RUNS.findall(core)) >= 4 or not _mixed(core):
        return False
    # Short hexadecimal is an id or a checksum far more often than a key.
    return entropy(value) > 3.0 and not (len(value) < 20 and _HEX.fullmatch(value))


def entropy(value: str) -> float:
    """Return the Shannon entropy of the characters of `value`.

    Units: bits per character.
    """
    size = len(value)
    return -sum(n / size * log2(n / size) for n in Counter(value).values()) if value else 0.0


def _mixed(core: str) -> bool:
    digits = sum(c.isdigit() for c in core)
    cases = any(c.islower() for c in core) and any(c.isupper() for c in core)
    return digits < len(core) and (digits > 0 or (cases and len(_RUNS.findall(core)) * 3 >= len(core)))
