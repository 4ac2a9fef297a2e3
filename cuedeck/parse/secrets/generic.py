"""Secrets without a format of their own: what is assigned to a telling name, or sent as authorization.

Names tell little, so conditions are strict: the value stands in quotes, or the line has the shape of an env
file, a YAML pair, a query parameter, a command-line option; and in all of them it looks random.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from cuedeck.parse.secrets.plausible import is_password, is_random


class Row(NamedTuple):
    """A rule whose needles are lower case and whose pattern ignores ASCII case."""

    kind: str
    needles: tuple[str, ...]
    pattern: str
    check: Callable[[re.Match[str]], bool]


_BEFORE = 80
_KEY_OWNER = r"(?i)(?:api|access|auth|private|signing|encryption|master|account|app)[_-]?$"
# What the name itself says to be public: `PublicKeyToken` of .NET manifests, a `hashed_secret`, the place in a
# paged listing (`NextToken`), a type (`AWS::IAM::AccessKey`) rather than a value.
_PUBLIC = (
    r"(?i)(?:public[_-]?(?:key[_-]?)?|hash(?:ed)?[_-]?|next[_-]?|start(?:ing)?[_-]?|continuation[_-]?|page[_-]?|::\w*)$"
)
_OPENING = (
    r"(?i)(?:(?:^|\n)[ \t]*(?:-[ \t]+)?(?:(?:export|set|setx|env|arg)[ \t]+)?[\"']?"
    r"|[?&]|(?<![^\s\"'`])--|[ \t]-e[ \t]+)[\w.$:-]*$"
)
# An attribute of something, as code has it: `password = settings.password2`.
_DOTTED = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+"


def _assigned(match: re.Match[str]) -> bool:
    before = match.string[max(match.start() - 16, 0) : match.start()]
    if match[0][:3].lower() == "key" and not re.search(_KEY_OWNER, before):
        return False
    return not re.search(_PUBLIC, before) and is_random(match["secret"])


def _random(match: re.Match[str]) -> bool:
    return is_random(match["secret"])


def _line_assigned(match: re.Match[str]) -> bool:
    start = max(match.start() - _BEFORE, 0)
    before = match.string[start : match.start()]
    opening = re.search(_OPENING, before)
    # At the cut of the window `^` is not the start of a line.
    if opening is None or (start and opening.start() == 0 and not before.startswith(("\n", "?", "&", "-"))):
        return False
    option = opening[0].lstrip().startswith(("--", "-e"))
    parameter = opening[0].startswith(("?", "&"))
    if not option and not match["sep"].strip():
        return False
    if not (option or parameter) and (not _closes_line(match) or re.fullmatch(_DOTTED, match["secret"])):
        return False
    return _assigned(match)


def _closes_line(match: re.Match[str]) -> bool:
    rest = match.string[match.end() : match.end() + 24].lstrip(" \t")
    return not rest or rest[0] in "\r\n#" or rest.startswith(("\\n", "\\r"))


def _basic(match: re.Match[str]) -> bool:
    from binascii import Error, a2b_base64

    try:
        user, colon, password = a2b_base64(match["secret"]).decode("ascii").partition(":")
    except (Error, UnicodeDecodeError):
        return False
    return bool(colon) and (user + password).isprintable() and is_password(password, user)


_TAIL = r"(?:[_-]?(?:key|base|value|string|prod|production|dev|live|staging|[0-9]{1,2}))?"
_SEPARATOR = (
    r"\\?[\"'`]?\]?(?:[ \t]{0,4}:[ \t]{0,4}[a-z][\w.|\[\] ]{0,24}?)?[ \t]{0,16}(?:=>|:=|={1,3}|!=|[:>])[ \t]{0,16}"
)
_QUOTED = r"(?:[bru]{1,2})?\\?[\"'`](?P<secret>[^\s\"'`\\]{12,512}+)\\?[\"'`]"
_BARE = (
    r"[\"']?(?P<sep>[ \t]{0,16}=[ \t]{0,16}|[ \t]{0,16}:[ \t]{1,16}|[ \t]{1,4})"
    r"(?P<secret>[A-Za-z0-9+/_.~@!%^*=-]{12,512}+)(?=[\s&\"'`<#)]|\\[nr]|$)"
)

# Kind, needles, and the name from its needle on.
_NAMES = (
    ("password", "password passwd passphrase pwd", r"(?:password|passwd|passphrase|pwd)"),
    ("token", "token", "token"),
    ("secret-value", "secret credential", r"(?:secret|credentials?)(?:[_-]?(?:access[_-]?)?key)?"),
    ("api-key", "key", "key"),
)

ROWS: tuple[Row, ...] = (
    *(
        Row(kind, tuple(needles.split()), name + _TAIL + value, check)
        for kind, needles, name in _NAMES
        for value, check in ((_SEPARATOR + _QUOTED, _assigned), (_BARE, _line_assigned))
    ),
    Row("bearer-token", ("bearer",), r"bearer[ \t]+(?P<secret>[A-Za-z0-9._~+/-]{20,}+=*)", _random),
    Row("basic-auth", ("basic ",), r"basic[ \t]+(?P<secret>[A-Za-z0-9+/]{8,}+={0,2})(?![\w+/=])", _basic),
)
