"""Rules for human-chosen passwords: shorter and less random than keys, so their context
is checked as well.
"""

from __future__ import annotations

import re

from cuedeck.parse.secrets.assignments import (
    BARE_SEPARATOR,
    CLOSING,
    JOINED,
    PASSWORD_NAME,
    PASSWORD_NEEDLES,
    TAIL,
    Row,
    is_on_next_line,
    is_option,
    is_public,
    is_separated,
    text_before,
)
from cuedeck.parse.secrets.plausibility import is_chosen, is_password, is_thought_up

_NAME = PASSWORD_NAME + TAIL
_QUOTED = (
    r"(?:[bru]{1,2})?\\?[\"'`](?P<secret>[^\s\"'`\\]{8,128}+)"
    rf"{CLOSING}"
)
# The value extends to the end of the line, string or table cell. A `name=value` pair in
# it is matched by its own name.
_BARE = (
    r"(?!\w{1,40}=[^\s=])(?P<secret>[^\s\"'`<>,;|)}\]\\]{8,128}+)"
    r"(?=[ \t]{0,40}(?:[\r\n\"'`|;,]|[ \t]#|//|\\[nr\"']|</|$)|[ \t](?P<more>)|[)}\]]+(?:[\s\"'`,;|.]|$))"
)
# A field of a connection string or of a quoted setting, as opposed to a statement of
# code.
_FIELD = r"[;\"'`][\w ]*$"


def _quoted(match: re.Match[str]) -> bool:
    value = match["secret"]
    separator = "=" if re.search(r"\w=[\"']", match[0]) else ""
    return not is_public(match) and (
        is_chosen(value) or (_is_env_line(match, separator) and is_thought_up(value))
    )


def _bare(match: re.Match[str]) -> bool:
    separator, value = match["sep"], match["secret"]
    option = is_option(match)
    if not is_separated(match, option=option):
        return False
    # Except in a block of YAML, the next line is as likely code.
    if is_on_next_line(match) and match["block"] is None:
        return False
    # More text after the value is only valid in a shell command or an inventory.
    if match["more"] is not None and not (
        option or (separator == "=" and _is_of_shell(match))
    ):
        return False
    if not option and (value.isidentifier() and _is_code(match)):
        return False
    return not is_public(match) and (
        is_chosen(value) or (_is_env_line(match, separator) and is_thought_up(value))
    )


def _is_of_shell(match: re.Match[str]) -> bool:
    if match[0][:3].isupper():
        return True
    return re.search(r"(?:^|\s)ansible_\w*$", text_before(match, 40)) is not None


def _is_env_line(match: re.Match[str], separator: str) -> bool:
    """Return whether a match is a whole line of a `.env` file, where the value of such
    a name is a password.
    """
    text, end = match.string, match.end()
    is_at_end = text[end : end + 1] in ("", "\n", "\r")
    if not is_at_end or separator != "=" or not match[0][:2].isupper():
        return False
    before = text_before(match, 60)
    return re.search(r"(?:^|\n)[ \t]*(?:export[ \t]+)?[A-Z0-9_]*$", before) is not None


def _is_code(match: re.Match[str]) -> bool:
    # If the rest looks like a statement, an identifier with a digit is as likely a
    # variable as a password.
    separator = match["sep"]
    if "|" in separator or "= " in separator or separator.endswith(("(", "[", "{")):
        return True
    follows = match.string[match.end() : match.end() + 1]
    before = text_before(match, 40)
    if follows not in set(",;)}]"):
        return False
    return not re.search(_FIELD, before)


def _curl(match: re.Match[str]) -> bool:
    # For most programs `-u 1000:1000` is a user id and a group id.
    before = text_before(match, 300)
    value = match["secret"]
    if not re.search(r"(?i)\b(?:curl|wget|https?)\b", before):
        return False
    if not is_password(value, match["user"]):
        return False
    return (
        any(c.isalpha() for c in value)
        and not value.isalpha()
        and not value.startswith(("$", "%"))
    )


def _netrc(match: re.Match[str]) -> bool:
    before = text_before(match, 160)
    value = match["secret"]
    if not re.search(r"(?i)\b(?:machine\s+\S+|default)\s+$", before):
        return False
    if not is_password(value):
        return False
    return not value.replace("-", "").replace("_", "").isalpha()


ROWS: tuple[Row, ...] = (
    Row("password", PASSWORD_NEEDLES, _NAME + JOINED + _QUOTED, _quoted),
    Row("password", PASSWORD_NEEDLES, _NAME + BARE_SEPARATOR + _BARE, _bare),
    Row(
        "password",
        ("-u", "--user", "--proxy-user"),
        r"(?<![\w-])(?:-u|--(?:proxy-)?user)(?:[ \t]{1,4}|=)?[\"']?(?P<user>[^\s:\"'`$]{1,64}):"
        r"(?P<secret>[^\s\"'`]{6,128}+)",
        _curl,
    ),
    Row(
        "password",
        ("login",),
        r"(?<![\w-])login\s{1,40}[^\s]{1,128}\s{1,40}password\s{1,40}(?P<secret>[^\s\"'`]{4,128}+)",
        _netrc,
    ),
)
