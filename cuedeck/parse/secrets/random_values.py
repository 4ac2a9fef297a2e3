"""Random values near a telling name, such as `os.environ.setdefault("API_KEY", "…")`.

The other rules know how a name and its value are joined. Languages, tools and prose
join them in too many ways to list, so this rule starts from the value: a long,
certainly random value on the line of a telling name is a secret, whatever stands
between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cuedeck.model.secret import Secret
from cuedeck.parse.secrets.plausibility import is_random

_LEAST, _MOST = 16, 1_024
_LEAST_RUN = 10
"""Minimum length of the longest run of letters and digits in a value."""
_NEAR = 64
"""Maximum number of characters between the start of a name and its value."""
_HEADER = 2_000
"""The same in the line of a cookie, whose values have names of their own."""
_PLACEHOLDER = 40
"""Length of the longest placeholder of a masked value."""
_OWNERS = (
    "api|access|auth|app|account|admin|client|crypto|deploy|encryption|license|master|personal|private|secret|service"
    "|session|shared|signing|ssh|storage|webhook"
)
_NAME = (
    r"pass(?:wor[dt]|wd|phrase|code)|mot[ _-]?de[ _-]?passe|pwd|kennwort|contrase(?:ñ|n\u0303?)a|senha"
    r"|parola|wachtwoord|token(?!i[sz])|jeton|secret|geheimnis|credential|authori[sz]ation|bearer|cookie"
    rf"|session[ _-]?id|(?<![a-z])sid=|(?:{_OWNERS})[ _.-]?key"
    r"|(?<![a-z0-9])(?!cache|foreign|index|primary|public|sort)[a-z0-9]\w{1,30}_key"
    r"|schl(?:ü|u\u0308|ue)ssel|clave|cl(?:é|e\u0301|e)[ _-](?:api|d)|chiave|chave|парол\w|ключ|токен|секрет"
    r"|securestring|(?<!\w)--auth(?![a-z])|(?<![a-z])auth=\("
    r"|[?&](?:x-\w{1,8}-)?(?:code|key|auth|sig|signature|ticket|hmac)="
)
_FIELD_AFTER = (
    r"(?i)[\"'`]?\s{0,8},?\s{0,20}[\"']?(?:name|key)[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?[\w.-]{0,24}"
    rf"(?:{_NAME})"
    r"|(?<![\s0-9a-f])[\"'`]?[ \t](?:as|is)[ \t](?:(?:the|an?|your|our|my)[ \t])?"
    r"(?!cache|public|primary|foreign|next)"
    rf"(?:[a-z-]{{1,20}}[ \t])?(?:{_NAME})"
)
_REST = r"(?:[A-Za-z0-9+/_~-]|\.(?=[A-Za-z0-9]))*+={0,2}"
_OTHER = (
    r"(?i)sha-?\d|hash|digest|checksum|commit|revision|etag|uuid|version|integrity|fingerprint|public|example|sample"
    r"|placeholder|cursor|next|page|https?:|data:|cache|primary|foreign"
)
"""Words between a name and a value that belong to another thing."""
_DIRECT = r"(?i)\W{0,12}(?:(?:is|ist|es|est|to)\W{1,4}|[\w.-]{1,40}=\W?)?"
_KINDS = (
    ("pass", "password"),
    ("pwd", "password"),
    ("token", "token"),
    ("key", "api-key"),
)
_QUOTES = ("'", '"', "`")
_SIGNS = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_~.-"
)
_SHAPES = bytes(
    ord("0" if chr(code).isdigit() else "A" if chr(code).isalpha() else " ")
    for code in range(128)
).ljust(256)
"""Table for `bytes.translate`: a digit is `0`, a letter is `A`."""
_DOTTED = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+"
_PATH = r"(?:^|/)[a-z._-]{3,}/|\.[a-z]{1,4}$"
_WORDS = r"(?:[A-Z][a-z]{2,}){2}\Z"
"""The end of a name in camel case, such as `MLKEM768X25519PublicKey`."""
_PUBLIC = r"(?i)(?:public(?:[ _-]?key)?|hash(?:ed)?|next|start(?:ing)?|continuation|page|csrf|cache)[ _-]?\Z"


def random_near_names(text: str) -> Iterator[Secret]:
    """Yield random values on a line with a telling name."""
    for start, end in _random_values(text):
        name = _name_before(text, start, end) or re.compile(_FIELD_AFTER).match(
            text, end
        )
        if name is not None:
            yield Secret(start, end, _kind(name[0]))


def _random_values(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of long values that are certainly random, each read once."""
    limit = 0
    # Every random value has a digit before a letter. Bytes without other signs are
    # searched in half of the time that a pattern takes in the text.
    shapes = text.encode("ascii", "replace").translate(_SHAPES)
    for found in re.finditer(b"0A", shapes):
        start = found.start()
        if start < limit:
            continue
        while start > limit and text[start - 1] in _SIGNS:
            start -= 1
        while text[start] in "-.":
            start += 1
        rest = re.compile(_REST).match(text, found.end())
        limit = rest.end() if rest else found.end()
        if _is_value(text, start, limit):
            yield start, limit


def _is_value(text: str, start: int, end: int) -> bool:
    """Return whether a run is a whole word or string and looks random."""
    if not _LEAST <= end - start <= _MOST or text[end : end + 1] in ("(", "["):
        return False
    before = text[start - 1 : start]
    if (
        before in ("@", "#", ".", "\\")
        or text[start - 6 : start - 1].lower() == "basic"
    ):
        return False
    value = text[start:end]
    longest = max(map(len, re.split(r"[^A-Za-z0-9]", value)))
    if longest < _LEAST_RUN or not is_random(value):
        return False
    if re.search(_WORDS, value) or ("/" in value and re.search(_PATH, value)):
        return False
    return before in _QUOTES or re.fullmatch(_DOTTED, value) is None


def _name_before(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the telling name before a value on its line; None if there is none."""
    low = max(start - _NEAR - _PLACEHOLDER, 0)
    low = max(text.rfind("\n", low, start) + 1, low)
    # A name before a masked value is the name of that value.
    before = re.split(r"<secret:[\w:-]*>?", text[low:start])[-1][-_NEAR:]
    names = list(re.finditer(f"(?i){_NAME}", before))
    if not names:
        return _cookie(text, start)
    name = names[-1]
    if re.search(_PUBLIC, before[: name.start()]):
        return None
    between = before[name.end() :]
    if re.search(_OTHER, between):
        return None
    if re.fullmatch(_DIRECT, between):
        return name
    # After other words, a hexadecimal value is as likely a checksum, and one with few
    # numbers a word.
    value = text[start:end]
    if re.fullmatch("[0-9a-fA-F]+", value) or len(re.findall(r"\d+", value)) < 3:
        return None
    return name


def _cookie(text: str, start: int) -> re.Match[str] | None:
    """Return the name of a header or variable of cookies, if a value is one of
    several cookies.
    """
    low = max(start - _HEADER, 0)
    low = max(text.rfind("\n", low, start) + 1, low)
    if not re.search(
        r"[;:=\"'][ \t]?[\w.-]{1,80}=\Z", text[max(start - 90, low) : start]
    ):
        return None
    return re.search("(?i)cookie", text[low:start])


def _kind(name: str) -> str:
    lower = name.lower()
    for part, kind in _KINDS:
        if part in lower:
            return kind
    return "secret-value"
