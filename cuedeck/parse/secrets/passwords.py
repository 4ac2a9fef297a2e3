"""Rules for human-chosen passwords: shorter and less random than keys, so their context
is checked as well: an assignment, or the name of an account (`admin / …`, `root:…`).
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

LEAST = 6
"""Minimum length of a password whose context shows that it is one."""
_MAIN = "admin|administrator|root"
_ACCOUNTS = f"{_MAIN}|demo|guest|test"
_WEAK = (
    rf"(?i)(?:{_ACCOUNTS}|user|hunter|letmein|secret|welcome)[@#_-]?\d{{1,8}}[!@#$%*]?"
)
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
_LINE_END = r"[ \t]*,?[ \t]*(?:[\r\n]|#|\Z)"
_LINE = r"(?:\A|\n)[ \t#]*(?:- |export[ \t]+)?(?:name:[ \t]+)?[\"']?"
_COLON = r"(?:[\"']?\s+value)?[\"']?:[ \t]+[\"']?\Z"
_ENV_LINE = rf"{_LINE}[A-Z0-9_]+(?:=[\"']?\Z|{_COLON})"
_SETTING_LINE = rf"{_LINE}[\w.-]+(?:[ \t]*=[ \t]*[\"']?\Z|{_COLON})"
_PLAIN = r"(?i)(?=.*\d)(?!.*passw(?:or|0r)d)[\w!@#$&*?+=.-]+"
"""Value of a name in lower case, which is more often a placeholder or an example."""


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


def _quoted(match: re.Match[str]) -> bool:
    return not is_public(match) and (is_chosen(match["secret"]) or _is_setting(match))


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
    return not is_public(match) and (is_chosen(value) or _is_setting(match))


def _is_of_shell(match: re.Match[str]) -> bool:
    if match[0][:3].isupper():
        return True
    return re.search(r"(?:^|\s)ansible_\w*$", text_before(match, 40)) is not None


def _is_setting(match: re.Match[str]) -> bool:
    """Return whether a match is a whole line of a `.env` file, of YAML or of JSON, and
    its value can be a password.
    """
    if not is_thought_up(match["secret"]):
        return False
    if not re.match(_LINE_END, match.string[match.end() : match.end() + 40]):
        return False
    joint = match.string[match.start() : match.start("secret")]
    line = text_before(match, 60) + joint
    if joint[:2].isupper():
        return re.search(_ENV_LINE, line) is not None
    is_plain = re.fullmatch(_PLAIN, match["secret"]) is not None
    return is_plain and re.search(_SETTING_LINE, line) is not None


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


def _default(match: re.Match[str]) -> bool:
    return is_chosen(match["secret"]) or is_thought_up(match["secret"])


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
        ('variable "', 'variable  "'),
        rf"variable[ \t]+\"[\w-]{{0,40}}?(?:{PASSWORD_NAME}|token|secret|credentials?|(?:api|access|private)_?key)"
        r"(?:_value)?\"\s*\{[^}]{0,600}?\bdefault\s{0,20}=\s{0,8}\"(?P<secret>[^\s\"\\]{8,512}+)\"",
        _default,
    ),
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
    Row(
        "password",
        tuple(
            f"{name}{sign}" for name in _ACCOUNTS.split("|") for sign in "0123456789@"
        ),
        r"(?P<secret>[a-z]+@?\d{1,8}[!@#$%*]?)(?![\w/@-]|\.\w)",
        _of_account,
    ),
    Row(
        "password",
        (" / ",),
        rf"[ ]/[ ]{_MARKS}(?P<secret>[^\s\"'`*<>()\[\]{{}}|,;:/]{{5,127}}[^\s\"'`*<>()\[\]{{}}|,;:/.?])(?![\w/])",
        _after_slash,
    ),
)
