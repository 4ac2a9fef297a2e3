"""Rules for places that hold a secret without its name: options of programs, headers,
password files, signed URLs, and sentences such as "my password is …".
"""

from __future__ import annotations

import re

from cuedeck.parse.secrets.assignments import (
    PASSWORD_NAME,
    PASSWORD_NEEDLES,
    TAIL,
    Row,
    is_basic,
)
from cuedeck.parse.secrets.passwords import LEAST, has_user, is_account, is_weak
from cuedeck.parse.secrets.plausibility import is_chosen, is_password

_LINE = r"[^\r\n|;]"
_VALUE = r"[\"'`]?(?P<secret>[^\s\"'`|;<>]{4,128}+)"
_SAID = r"[\"'`*(]{0,3}(?P<secret>[^\s\"'`<>]{5,127}[^\s\"'`<>.,;:!?)\]*])"
_OF = r"(?:for|of|to|on|at|für|zu|para|de|del|pour|du)[ \t]+"
_MARKS = r"[\"'`*]{0,3}"
_IS = r"(?:is(?:[ \t]+now)?|was|to|ist|lautet|es|est|[eèé]|это|-|–|—)[ \t]*:?"
_PROGRAMS = (
    (r"(?:mysql|mariadb)\w{0,12}", "-p"),
    ("sshpass", r"-p[ \t]*"),
    ("login", r"-p[ \t]+"),
    ("redis-cli", r"-a[ \t]+"),
    (r"mongo\w{0,8}", r"-p[ \t]+"),
    (r"ldap\w{1,12}", r"-w[ \t]*"),
    ("zip", r"-P[ \t]*"),
)
"""Programs, and the option that is followed by a password."""
_PHRASE_NAME = (
    r"(?:passwor[dt]|passphrase|kennwort|contrase(?:[ñÑ]|n\u0303?)a|(?<=mot[ -]de[ -])passe|[пП]арол[а-яі]?"
    r"|ПАРОЛ[А-ЯІ]?)"
)
_WORD = r"[^\s\x21-\x40\x5b-\x60\x7b-\x7f\u2010-\u203f]{3,14}"
_WORDS_AFTER_VERB = 4
_OF_SENTENCES = """
    account all and any are ask can change changed characters choose click contains default digits email empty
    encrypted enter expired failed field for forgot found from generated has hash hashed have hidden incorrect
    invalid least length letters like login long match maximum may minimum missing must name new none not numbers
    old one optional our plain please required reset same see set stored string symbols text that the this type
    update use used user value was when which will with wrong you your
    aus bitte das dem den der des die ein eine eingeben für ist mit muss nicht oder über und von wird zeichen
    caracteres con debe del desde introduzca las los mínimo nueva olvidó para por que una usuario
    avec dans des doit entrez est les oublié par pas pour que sur une utilisateur
    введите для должен должна если или минимум нужно при символов что чтобы это
"""
"""Words of sentences about passwords; a password of several words has none."""
_OPTIONS = "|".join(
    rf"{program}(?=[ \t]){_LINE}{{0,160}}?[ \t]{option}"
    for program, option in _PROGRAMS
)
_OPENSSL = r"(?:(?<=-pass )|(?<=-passin )|(?<=-passout ))pass:"


def _option(match: re.Match[str]) -> bool:
    value = match["secret"]
    if value.startswith(("$", "%", "-", "@")) or value.isdigit():
        return False
    return is_password(value) and re.fullmatch(r"[A-Za-z]*|[a-z_.,-]*", value) is None


def _said(match: re.Match[str]) -> bool:
    value = match["secret"]
    if match["link"] is not None:
        return is_chosen(value, LEAST)
    if re.search(r"\d", value) is None:
        return False
    if has_user(match):
        return is_weak(value) or is_chosen(value, LEAST)
    if is_weak(value):
        return True
    # Without a verb, only a value that cannot be a word is a password.
    return is_chosen(value) and match["colon"] is None and not value.islower()


def _login(match: re.Match[str]) -> bool:
    value = match["secret"]
    is_place = "/" in value or re.match(r"[\w-]+\.[a-z]{1,4}\b", value)
    if is_place or value == match["user"] or re.search(r"\d", value) is None:
        return False
    # After a colon, a short lower-case word with a number is an id.
    if match["mark"] is not None and value.islower() and not is_account(match["user"]):
        return False
    return is_weak(value) or is_chosen(value, LEAST)


def _phrase(match: re.Match[str]) -> bool:
    """Return whether three words after a colon, or four after a verb, can be a
    password.
    """
    words = match["secret"].split()
    if match["link"] and len(words) < _WORDS_AFTER_VERB:
        return False
    # German nouns have capitals; elsewhere these are titles and messages.
    is_german = match[0][:8].lower() in ("passwort", "kennwort")
    if not is_german and not match["secret"].islower():
        return False
    return set(_OF_SENTENCES.split()).isdisjoint(map(str.lower, words))


def _hashed(match: re.Match[str]) -> bool:
    return len(set(match["secret"])) > 8


ROWS: tuple[Row, ...] = (
    Row(
        "password",
        (
            "mysql",
            "mariadb",
            "sshpass",
            "login",
            "redis-cli",
            "mongo",
            "ldap",
            "zip",
            "pass:",
        ),
        rf"(?:(?<![\w./-])|(?<=un))(?:{_OPTIONS}|{_OPENSSL}){_VALUE}",
        _option,
    ),
    Row(
        "password",
        ("identified by", "password '"),
        r"(?:identified[ \t]+by(?:[ \t]+password)?|password)[ \t]+'(?P<secret>[^\s'\"]{4,128}+)'",
        _option,
    ),
    Row(
        "password",
        PASSWORD_NEEDLES,
        rf"{PASSWORD_NAME}{TAIL}"
        rf"(?:[ \t]+(?:(?P<link>(?:{_OF}[^\r\n:=\"'`]{{1,40}}?[ \t]+)?{_IS})"
        rf"|{_OF}[^\r\n:=\"'`]{{1,40}}?:)|(?P<colon>[*_]{{0,2}}[ \t]*:[*_]{{0,2}}))?[ \t]+{_SAID}",
        _said,
    ),
    Row(
        "password",
        PASSWORD_NEEDLES,
        rf"{_PHRASE_NAME}{_MARKS}(?:[ \t]*:{_MARKS}|[ \t]+(?:{_OF}[^\r\n:=\"'`]{{1,40}}?[ \t]+)?(?P<link>{_IS}))"
        rf"[ \t]+{_MARKS}(?P<secret>{_WORD}(?:[ ]{_WORD}){{2,9}}){_MARKS}\.?(?=[ \t]*(?:[\r\n]|\Z))",
        _phrase,
    ),
    Row(
        "password",
        ("login", "log in", "sign in", "credential", "creds"),
        r"(?:log[ -]?in|sign[ -]?in|credentials?|creds)\b[^\r\n/]{0,40}?[\s:\"'`(=]"
        r"(?P<user>[\w.@+-]{2,64})[\"'`]?"
        r"(?:[ \t]*(?:[ \t]/[ \t]|(?<=\w)/(?=\w)|(?P<mark>:[ \t]*|,[ \t]))"
        r"|[ \t]+(?:and|with|und|mit|y|con|et|avec)[ \t]+)"
        rf"(?:the[ \t]+)?(?:{PASSWORD_NAME}[ \t:]+)?{_SAID}",
        _login,
    ),
    Row(
        "basic-auth",
        ('auth"', "auth'"),
        r"auth[\"'][ \t]{0,4}[:=][ \t]{0,4}[\"'](?P<secret>[A-Za-z0-9+/]{8,}+={0,2})[\"']",
        is_basic,
    ),
    Row(
        "password-hash",
        (
            "$apr1$",
            "$1$",
            "$2a$",
            "$2b$",
            "$2x$",
            "$2y$",
            "$5$",
            "$6$",
            "$7$",
            "$y$",
            "$argon2",
            "$scrypt$",
            "$pbkdf2",
        ),
        r"\$(?:apr1|[1567y]|2[abxy]|argon2\w{1,2}|scrypt|pbkdf2[\w-]{0,12})\$(?P<secret>[\w./$=,+-]{20,200}+)",
        _hashed,
    ),
    Row(
        "password-hash",
        ("{sha", "{ssha", "{crypt"),
        r"\{(?:s?sha\d{0,3}|crypt)\}(?P<secret>[A-Za-z0-9+/.$]{20,200}+={0,2})",
        _hashed,
    ),
)
