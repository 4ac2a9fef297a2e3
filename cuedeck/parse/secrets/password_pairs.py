"""Rules for passwords next to the name of an account: `admin / …`, `root:…`."""

from __future__ import annotations

import re

from cuedeck.parse.secrets.assignments import Row, text_before
from cuedeck.parse.secrets.plausibility import is_chosen

LEAST = 6
"""Minimum length of a password whose context shows that it is one."""
_MAIN = "admin|administrator|root"
_ACCOUNTS = f"{_MAIN}|demo|guest|test"
_WEAK = rf"(?i)(?:{_ACCOUNTS}|user|hunter|letmein|secret|welcome)\d{{1,8}}[!@#$%*]?"
_MAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_MARKS = r"[\"'`*]{0,3}"
_EDGE = r"(?i)(?<![\w/.:@-])"
_ACCOUNT_BEFORE = (
    rf"{_EDGE}(?:(?:{_MAIN}){_MARKS}(?:/|:[ \t]?)|(?:{_ACCOUNTS}){_MARKS}(?::|[ \t]/[ \t]|[ \t]*\|[ \t]*))"
    rf"{_MARKS}\Z"
)
_USER_BEFORE = rf"{_EDGE}(?P<user>[\w.+-]+|{_MAIL}){_MARKS}\Z"
_USER_NAME = (
    r"(?:user(?:[ _-]?(?:name|id))?|log[ -]?in|account|e-?mail|usuario|benutzer(?:name)?|utilisateur|identifiant"
    r"|пользовател\w+|логин)"
)
_AND = r"(?:[,;/|&+]|(?:and|with|und|mit|y|con|et|avec|и|с)(?!\w))"
_USER = rf"{_MARKS}[\w.@+-]{{2,64}}{_MARKS}"
_USER_AND = (
    rf"{_EDGE}{_USER_NAME}{_MARKS}(?:[ \t]*[:=]{_MARKS}[ \t]*{_USER}[ \t]*{_AND}?"
    rf"|[ \t]+(?:is[ \t]+)?(?:{_USER}[ \t]*{_AND}|{_MARKS}(?:{_ACCOUNTS}){_MARKS}))"
    rf"[ \t]*(?:(?:the|das|la|le)[ \t]+)?{_MARKS}\Z"
)


def is_weak(value: str) -> bool:
    """Return whether a value is the name of an account or a common word with digits."""
    return len(value) >= LEAST and re.fullmatch(_WEAK, value) is not None


def is_account(name: str) -> bool:
    """Return whether many systems have an account of this name."""
    return re.fullmatch(f"(?i){_ACCOUNTS}", name) is not None


def has_user(match: re.Match[str]) -> bool:
    """Return whether the text before the name of a password names a user."""
    return re.search(_USER_AND, text_before(match, 100)) is not None


def _of_account(match: re.Match[str]) -> bool:
    is_named = re.search(_ACCOUNT_BEFORE, text_before(match, 40)) is not None
    return is_named and is_weak(match["secret"])


def _after_slash(match: re.Match[str]) -> bool:
    before = re.search(_USER_BEFORE, text_before(match, 100))
    if before is None:
        return False
    user, value = before["user"], match["secret"]
    is_known = re.fullmatch(f"(?i){_MAIN}|{_MAIL}", user) is not None
    if is_known and re.search(r"\d", value):
        return is_weak(value) or is_chosen(value, LEAST)
    rest = value[len(user) :] if value.startswith(user) else ""
    return re.fullmatch(r"[-_@.]?\d{3,8}[!@#$%*]?", rest) is not None


ROWS: tuple[Row, ...] = (
    Row(
        "password",
        tuple(f"{name}{digit}" for name in _ACCOUNTS.split("|") for digit in range(10)),
        r"(?P<secret>[a-z]+\d{1,8}[!@#$%*]?)(?![\w/@-]|\.\w)",
        _of_account,
    ),
    Row(
        "password",
        (" / ",),
        rf"[ ]/[ ]{_MARKS}(?P<secret>[^\s\"'`*<>()\[\]{{}}|,;:/]{{5,127}}[^\s\"'`*<>()\[\]{{}}|,;:/.?])(?![\w/])",
        _after_slash,
    ),
)
