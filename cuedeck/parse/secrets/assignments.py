"""Rules for secrets without a known format: values assigned to a name such as
`api_key`, or sent as authorization.

The name alone is weak evidence, so the value must look random. The context does not
matter: keys are pasted into comments, diffs, tables and shell commands as often as into
`.env` files. Unquoted values that look like code names or paths are ignored, and a
blank separates name and value only in a command-line option.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from cuedeck.parse.secrets.plausibility import is_password, is_random


class Row(NamedTuple):
    """A rule whose needles are lower case and whose pattern ignores ASCII case."""

    kind: str
    needles: tuple[str, ...]
    pattern: str
    check: Callable[[re.Match[str]], bool]


_BEFORE = 80
_AFTER = 40
_KEY_OWNER = (
    r"(?i)(?:api|access|auth|private|signing|encryption|master|account|app)[_-]?$"
)
# Names of public values: `PublicKeyToken` of .NET manifests, a `hashed_secret`, a
# pagination token (`NextToken`), a type (`AWS::IAM::AccessKey`).
_PUBLIC = (
    r"(?i)(?:public[_-]?(?:key[_-]?)?|hash(?:ed)?[_-]?|next[_-]?|start(?:ing)?[_-]?"
    r"|continuation[_-]?|page[_-]?|::\w*)$"
)
_OPTION = r"(?i)(?:(?<![^\s\"'`])--[\w.-]*|[ \t]-e[ \t]+[\w.-]*|authorization:[ \t]*)$"
_PARAMETER = r"[?&][\w.$:-]*$"
# An attribute access in code: `password = settings.password2`.
_DOTTED = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+"
_PATH = r"(?:^|/)[a-z._-]{3,}/|\.[a-z]{1,4}$"


def text_before(match: re.Match[str], most: int) -> str:
    """Return the text before a match, at most its last `most` characters."""
    start = match.start()
    return match.string[max(start - most, 0) : start]


def is_public(match: re.Match[str]) -> bool:
    """Return whether the text before the matched name makes it the name of a public
    value.
    """
    before = text_before(match, 16)
    return re.search(_PUBLIC, before) is not None


def _is_element(match: re.Match[str]) -> bool:
    if match["sep"] != ">":
        return True
    return match.string.startswith("</", match.end())


def is_on_next_line(match: re.Match[str]) -> bool:
    """Return whether the value is on the line after its name."""
    return match["sep"].rstrip(" \t").endswith("\n")


def _is_whole_line(match: re.Match[str]) -> bool:
    end = match.end()
    following = match.string[end : end + _AFTER]
    rest, _, _ = following.partition("\n")
    return not rest.strip()


def is_option(match: re.Match[str]) -> bool:
    """Return whether the matched name belongs to a command-line option or an
    authorization header.
    """
    before = text_before(match, _BEFORE)
    return re.search(_OPTION, before) is not None


def is_separated(match: re.Match[str], *, option: bool) -> bool:
    """Return whether name and unquoted value are separated as in an assignment, or as
    in a command-line option.
    """
    if is_on_next_line(match):
        return _is_whole_line(match)
    separator = match["sep"].strip()
    if not separator and not option:
        return False
    return _is_element(match)


def _assigned(match: re.Match[str]) -> bool:
    before = text_before(match, 16)
    if (
        match[0][:3].lower() == "key"
        and not re.search(_KEY_OWNER, before)
        and not _is_lone_key(match, before)
    ):
        return False
    return not is_public(match) and is_random(match["secret"])


def _is_lone_key(match: re.Match[str], before: str) -> bool:
    # An unqualified `key` is usually a mapping key, except before a long value in
    # `.env` syntax.
    return (
        match[0].startswith("KEY=")
        and len(match["secret"]) >= 16
        and not re.search(r"[\w$.-]\Z", before)
    )


def _random(match: re.Match[str]) -> bool:
    return is_random(match["secret"])


def _bare_assigned(match: re.Match[str]) -> bool:
    before = text_before(match, _BEFORE)
    option = is_option(match)
    if not is_separated(match, option=option):
        return False
    named = re.fullmatch(_DOTTED, match["secret"]) or re.search(_PATH, match["secret"])
    if named and not option and not re.search(_PARAMETER, before):
        return False
    return _assigned(match)


def is_basic(match: re.Match[str]) -> bool:
    """Return whether a value is the base64 of a user and a password."""
    from binascii import Error, a2b_base64

    try:
        user, colon, password = (
            a2b_base64(match["secret"]).decode("ascii").partition(":")
        )
    except (Error, UnicodeDecodeError):
        return False
    return (
        bool(colon) and (user + password).isprintable() and is_password(password, user)
    )


TAIL = (
    r"(?:[_-]?(?:key|base|value|string|prod|production|dev|live|staging|[0-9]{1,2}))?"
)
"""Optional suffixes of a secret's name."""
# Name and value in two fields: `<add key="…" value="…"/>`, or `name: …` and `value: …`
# in a manifest.
_FIELD = r"\\?[\"']?,?\s{1,40}\\?[\"']?value\\?[\"']?[ \t]{0,4}[:=][ \t]{0,4}"
# A formatter writes a long string in parentheses or on the next line; a type may wrap
# it: `String::from("…")`.
_WRAPPED = r"(?:new[ \t])?[\w:.]{0,24}?(?:from|new|of|some|str|string|secret\w{0,10}|bytes)\(\s{0,20}+"
_START = rf"(?:\(\s{{0,40}}+|\r?\n[ \t]{{1,40}}+|{_WRAPPED})?"
# An argument after the name, or a value for the case that the name has none.
_JOINED = (
    r"[\"'`]\)?\]?[ \t]{0,4},\s{0,40}|(?:[\"'`]?[\])]{0,2})[ \t]{1,4}(?:\|\||\?\?|or|\?:)[ \t]{1,4}"
    r"|(?<=[a-z])\([ \t]{0,4}"
)
SEPARATOR = (
    r"(?:\\?[\"'`]?\]?(?:[ \t]{0,4}:[ \t]{0,4}[a-z][\w.|\[\] ]{0,24}?)?[ \t]{0,16}(?:=>|:=|={1,3}|!=|[:>])[ \t]{0,16}"
    rf"{_START}|[`*]{{0,3}}[ \t]{{0,40}}\|[ \t]{{0,40}}|{_FIELD})"
)
"""The separator between a name and a quoted value."""
JOINED = rf"(?:{_JOINED}|{SEPARATOR})"
"""The same, also between a quoted name and the next argument."""
_NEXT_LINE = r":(?P<block>[ \t]{1,8}[|>][-+0-9]{0,2})?[ \t]{0,8}\r?\n[ \t]{1,40}+"
BARE_SEPARATOR = (
    r"[\"'`*\]]{0,3}(?P<sep>[ \t]{0,40}(?:\|[ \t]{0,40}|(?:=>|:=|={1,3}|:[-=]|:\*{0,2})[ \t]{0,16})[`*(\[{]{0,2}"
    rf"|{_FIELD}|{_NEXT_LINE}|>|[ \t]{{1,4}})"
)
"""The separator between a name and an unquoted value; the group `sep` is blank if only
blanks separate them, and `block` is the sign of a block of YAML.
"""
CLOSING = r"(?:\\?[\"'`]|(?=[ \t]{0,8}(?:[\r\n]|$)))"
"""The closing quote, or the line end after a forgotten one."""
_QUOTED = (
    r"(?:[bru]{1,2})?\\?[\"'`](?P<secret>[^\s\"'`\\]{12,512}+)"
    rf"{CLOSING}"
)
_BARE = r"(?P<secret>(?:[A-Za-z0-9+/_~@!%^*-]|\.(?!\s|$)){12,512}+={0,2})(?=\.?(?:[\s&\"'`<>#)\]},;|]|\\[nr\"']|$))"

PASSWORD_NEEDLES = (
    "passw",
    "passphrase",
    "passcode",
    "passe",
    "pass=",
    "pass =",
    "pass:",
    'pass"',
    "pass'",
    "pw",
    "kennwort",
    "contrase",
    "clave",
    "mdp",
    "парол",
    "Парол",
    "ПАРОЛ",
)
PASSWORD_NAME = (
    r"(?:passwor[dt]|passwd|passphrase|passcode|pwd|(?:(?<![a-z])|(?<=bind)|(?<=root)|(?<=db))(?:pw|pass)(?![a-z])"
    r"|(?-i:(?<=[a-z])Pass)(?![a-z])|(?<![a-z])passe(?![a-z])|kennwort|contrase(?:[ñÑ]|n\u0303?)a|(?<![a-z])(?:clave|mdp)"
    r"|парол[а-яі]?|Парол[а-яі]?|ПАРОЛ[А-ЯІ]?)"
)
"""Names of passwords in several languages; `passe` is the end of `mot de passe`."""

# Kind, needles, and the pattern of the name starting at its needle.
_NAMES = (
    ("password", ("pass", *PASSWORD_NEEDLES), PASSWORD_NAME),
    ("token", ("token",), "token"),
    (
        "secret-value",
        ("secret", "credential"),
        r"(?:secret|credentials?)(?:[_-]?(?:access[_-]?)?key)?",
    ),
    ("api-key", ("key",), "key"),
)

ROWS: tuple[Row, ...] = (
    *(
        Row(kind, needles, name + TAIL + value, check)
        for kind, needles, name in _NAMES
        for value, check in (
            (SEPARATOR + _QUOTED, _assigned),
            (BARE_SEPARATOR + _BARE, _bare_assigned),
        )
    ),
    Row(
        "bearer-token",
        ("bearer",),
        r"bearer[ \t]+(?P<secret>[A-Za-z0-9._~+/-]{20,}+=*)",
        _random,
    ),
    Row(
        "basic-auth",
        ("basic ",),
        r"basic[ \t]+(?P<secret>[A-Za-z0-9+/]{8,}+={0,2})(?![\w+/=])",
        is_basic,
    ),
)
