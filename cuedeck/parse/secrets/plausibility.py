"""Plausibility tests of secret values: not blank, not a placeholder, random enough."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from math import log2

# Kept as strings: `re` compiles and caches them on first use, which most runs never
# reach.
_BLANK = r"[xX0*._\-=+/#?…]*"
_TEMPLATE = (
    r"\$[({]|^\$\w+$|\{\{|\{[\w.!:\s]*\}|#\{|%[({]|%[sdr](?![0-9A-Za-z])|^%\w+%$"
    r"|<[^<>]*>|\*\*\*|\.\.\.|…|^\[.*\]$"
)
_WORD = (
    r"(?i)your|change.?me|example|placeholder|dummy|sample|xxxx|redacted|replace|insert|fixme|not.?a.?real|foobar"
    r"|qwerty|lorem|default|invalid"
)
_PASSWORD_WORD = r"(?i)passw(?:or|0r)d"
_STAND_IN = r"(?i)your|change.?me|example|placeholder|dummy|sample|redacted|replace|insert|fixme|default"
_PHRASE = r"[A-Za-z]{3,12}(?:-[A-Za-z]{3,12}){3,7}"
_LONE_WORD = (
    r"(?i)(?:^|[-_.])(?:your|example|placeholder|dummy|fake|sample|x{3,}|redacted|replace|insert|here|changeme)"
    r"(?=[-_.]|$)"
)
_PASSWORD_WORDS = frozenset(
    {"pass", "passwd", "password", "pswd", "pw", "pwd", "xxx", "changeme", "…", ""}
)
_ESCAPED = r"%[0-9A-Fa-f]{2}"
_SEPARATOR = r"[-_./:,~]"
_RUNS = r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]"
_UUID = r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
# Values with a recognisable format: digests, resource names, data URIs, paths, key ids
# of another rule, times, and addresses of CueDeck.
_SHAPED = (
    r"(?i:sha\d{1,3}[-:=]|arn:|data:)|A[KS]IA[0-9A-Z]{16}|(?:~|\.{1,2})/|/[a-z_-]{2,}/"
    r"|\d{4}-\d\d-\d\dT\d\d:\d\d"
    r"|(?:decision|attempt|assumption|record|experience|session|statement):[0-9a-z-]{6,36}$"
)
_HEX = r"[0-9a-f]+|[0-9A-F]+"
# Joined words. On a line of a `.env` file they are a password if they have capitals and
# digits.
_SLUG = r"[A-Za-z]+\d{0,2}(?:-[A-Za-z]*\d{0,3})+"
# Forms that a human-chosen password rarely has, but that are common values of a field
# named like a password.
_NAMED = "|".join(
    (
        # joined words: a slug, a path, a dotted name
        r"[A-Za-z]+\d{0,2}(?:[-_./:][A-Za-z]*\d{0,3})+",
        r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+",
        r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+[!?]?",
        r"(?:[a-z]+|[A-Z][a-z]+)(?:[A-Z][a-z]+)+\d{0,2}",
        # a variable, an alias, a selector, a tag
        r"[$@%:&*!#.^~?-]{1,2}[A-Za-z_][\w.-]*[!?]?",
        r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
        r"[\w:]+(?:\|[\w:]*)+",  # a union of types, a list of validation rules
        r"[vV]?\d+(?:[.:-]\d+)+\w*",
        r"(?i:(?:sha|md|argon|base|pbkdf|utf|oauth|x|ed|aes|rsa|hmac|rfc|iso|http)[-_]?\d{1,5}(?:id|[a-z]?|encoded))",
        r"(?i:.*(?:chars?|characters|bytes|bits))",
    )
)
_CODE = r"[\w)\]][(\[]|[()\[\]{}]$|[{}]|->|::|&&|\|\||=>|==|\?\.|\$[A-Z_]{3}|&\w+="
_INNER_SIGN = r"[A-Za-z][!#$%^*&]+[A-Za-z]"
_LEAST_COPIED, _MOST_COPIED = 16, 1_024
"""Length of a value that is recognised wherever it stands."""
_ALPHABET = "abcdefghijklmnopqrstuvwxyz" * 2


def is_token(value: str) -> bool:
    """Return whether the body of a token is not a placeholder such as `xxxx` or
    `your-key`.
    """
    if re.fullmatch(_BLANK, value) or re.search(_LONE_WORD, value):
        return False
    # Words joined by hyphens or underscores are a name; random text of this form has
    # digits or mixed case.
    is_joined = "-" in value or "_" in value
    if not is_joined or _has_digit(value):
        return True
    return not value.islower() and not value.isupper()


def is_password(value: str, user: str = "") -> bool:
    """Return whether the password of a URL is not a template, a placeholder word or the
    user name.
    """
    bare = value.strip("[](){}<>*'\"")
    if bare.lower() in _PASSWORD_WORDS or (user and bare == user):
        return False
    # Passwords of up to three characters protect nothing, and are common in test data
    # of URL parsers.
    if len(re.sub(_ESCAPED, "x", value)) < 4 or "](" in value:
        return False
    if re.fullmatch(_BLANK, value) or re.search(_TEMPLATE, value):
        return False
    return re.search(_LONE_WORD, value) is None


def is_random(value: str) -> bool:
    """Return whether the value of an assignment looks randomly generated.

    The word `password` in it counts as nothing, because most such values are
    placeholders.
    """
    value = re.sub(_PASSWORD_WORD, "", value)
    if len(value) < 12 or _is_format(value):
        return False
    # `Name=value;Name=value` is a connection string: the rule for its key masks a
    # smaller part of it.
    if ";" in value.partition("=")[2]:
        return False
    if (
        re.fullmatch(_BLANK, value)
        or re.search(_TEMPLATE, value)
        or re.search(_WORD, value)
    ):
        return False
    if entropy(value) <= 3.0 or _counts_up(value):
        return False
    if re.fullmatch(_HEX, value):
        # Short hexadecimal text is usually an id or a checksum; without digits it is a
        # word.
        return len(value) >= 20 and _has_digit(value)
    core = max(re.split(_SEPARATOR, value), key=len)
    return len(core) >= 8 and _is_mixed(core)


def is_chosen(value: str, least: int = 8) -> bool:
    """Return whether the value of a password field can be a human-chosen password of at
    least `least` characters.

    Such a value mixes letters with digits or punctuation, and is not a name, type, path
    or code. With the word `password` in it, the rest must look randomly generated.
    """
    if re.search(_PASSWORD_WORD, value):
        return is_random(value)
    if len(re.sub(_ESCAPED, "x", value)) < least or _is_format(value):
        return False
    if any(re.search(regex, value) for regex in (_TEMPLATE, _WORD, _LONE_WORD, _CODE)):
        return False
    if re.fullmatch(_BLANK, value) or re.fullmatch(_NAMED, value):
        return False
    if _counts_up(value) or len(set(value)) * 2 < len(value):
        return False
    if _has_digit(value):
        return _has_letter(value)
    return re.search(_INNER_SIGN, value) is not None


def is_thought_up(value: str) -> bool:
    """Return whether a value certainly assigned to a password is not a placeholder.

    Such a value is a phrase of at least four words, or mixes letters with digits and is
    not all lower case.
    """
    if "://" in value or re.match(_SHAPED, value) or re.fullmatch(_BLANK, value):
        return False
    if (
        re.search(_TEMPLATE, value)
        or re.search(_STAND_IN, value)
        or re.search(_LONE_WORD, value)
    ):
        return False
    if re.fullmatch(_PHRASE, value):
        return True
    if not _has_digit(value) or not _has_letter(value) or value.islower():
        return False
    if len(set(value)) * 2 < len(value):
        return False
    return not re.fullmatch(_NAMED, value) or re.fullmatch(_SLUG, value) is not None


def is_unmistakable(value: str) -> bool:
    """Return whether a value that is a secret is so random that an equal text anywhere
    else is a copy of it, and never a word or a name.
    """
    if not _LEAST_COPIED <= len(value) <= _MOST_COPIED or not value.isascii():
        return False
    if re.search(r"\s", value) or entropy(value) <= 3.0 or _counts_up(value):
        return False
    if re.fullmatch(_UUID, value) or re.fullmatch(_HEX, value):
        return _has_digit(value) and _has_letter(value)
    cores = re.split(_SEPARATOR, value)
    return any(len(core) >= 8 and _is_mixed(core) for core in cores)


def _is_format(value: str) -> bool:
    if "://" in value or re.fullmatch(_UUID, value):
        return True
    return re.match(_SHAPED, value) is not None


def _has_digit(value: str) -> bool:
    return any(char.isdigit() for char in value)


def _has_letter(value: str) -> bool:
    return any(char.isalpha() for char in value)


def entropy(value: str) -> float:
    """Return the Shannon entropy of the characters of `value`.

    Units: bits per character.
    """
    if not value:
        return 0.0
    shares = [count / len(value) for count in Counter(value).values()]
    return -sum(share * log2(share) for share in shares)


def _counts_up(value: str) -> bool:
    # `0123456789abcdef` and `a1b2c3d4` have high entropy, but are typical test values.
    letters = "".join(filter(str.isalpha, value)).lower()
    if len(letters) > 5 and letters in _ALPHABET:
        return True
    codes = map(ord, value)
    steps = sum(second == first + 1 for first, second in pairwise(codes))
    return steps * 5 > len(value) * 2


def _is_mixed(core: str) -> bool:
    # Random text switches between lower case, upper case and digits every two to three
    # characters. Names and versions have longer runs, and few names have digits in four
    # places.
    runs = re.findall(_RUNS, core)
    numbers = sum(run.isdigit() for run in runs)
    if numbers == len(runs):
        return False
    if numbers == 0:
        is_one_case = core.islower() or core.isupper()
        if is_one_case:
            return False
        return len(runs) * 3 >= len(core)
    longest = 6 if numbers > 3 else 4
    return len(runs) * longest > len(core)
