"""Keys of memories: two statements about the same thing have the same key.

A key is compared in Unicode form NFKC, without case, articles, negations and plural
endings, so that `Language` and `the languages` are one key, and a statement and its
negation supersede each other. People see the title, which has the words as they were
written, negations included; the name of a memory's file is derived from it.
"""

from __future__ import annotations

import re
import unicodedata

from cuedeck.model.cortex_address import CortexAddress, CortexAddressError

MAX_WORDS = 8
"""Words of the longest key; later words are dropped."""
_MAX_NAME_BYTES = 80
_WORD = re.compile(r"[^\W_](?:[\w+#]|[.](?=\w))*")
_POSSESSIVE = re.compile(r"['’]s\b")
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
_QUOTES = str.maketrans(dict.fromkeys('`"“”„«»*', " "))
"""Marks that a title does not have."""
_AUXILIARY = re.compile(r"\b(?:(?:do|does|did)(?: not|n['’]t)|(?P<verb>\w+)n['’]t)\b")
"""A negated auxiliary: `do not`, `shouldn't`."""
_WRITTEN_WORD = re.compile(
    rf"{_AUXILIARY.pattern}|(?P<word>{_WORD.pattern})(?:{_POSSESSIVE.pattern})?",
    re.IGNORECASE,
)
"""A word of a title; a negated `do` has neither `verb` nor `word`."""
_NEGATIONS = frozenset(("not", "no", "against", "never", "nunca", "contra", "jamás"))
_NEGATION = re.compile(
    r"\b(?:not|no|never|against|avoid|stop|without|cannot|\w+n['’]t"
    r"|nunca|jamás|contra|evita|evitar|sin"
    r"|ne|jamais|pas|éviter?|sans|nicht|nie|niemals|keine?[nmrs]?|vermeide|ohne"
    r"|не|никогда|нельзя|без|ніколи|не можна)\b",
    re.IGNORECASE,
)
"""A word that negates the phrase after it."""
_ARTICLES = frozenset(
    (
        "the", "a", "an", "my", "our", "your", "his", "her", "its", "their", "this",
        "that", "of", "to", "and", "el", "la", "los", "las", "un", "una", "unos", "unas",
        "mi", "mis", "tu", "tus", "su", "sus", "nuestro", "nuestra", "nuestros",
        "nuestras", "de", "del", "y", "que",
    )
)  # fmt: skip
"""Words that do not distinguish two keys."""
_INSIGNIFICANT = _ARTICLES | _NEGATIONS
_SINGULAR_S = frozenset(
    (
        "always", "kubernetes", "postgres", "redis", "windows", "https", "news", "series",
        "species", "emacs", "miércoles", "aws", "css", "lens", "canvas", "gracias", "lunes", "martes",
        "viernes", "jueves",
    )
)  # fmt: skip
"""Words that end in `s` and are not plurals."""
_SIBILANTS = ("sses", "shes", "ches", "xes", "zzes")


def memory_key(text: str) -> str:
    """Return the key of a phrase: its words joined by blanks. A phrase without words
    other than articles and negations gives an empty key.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    folded = unicodedata.normalize("NFC", _POSSESSIVE.sub("", folded))
    affirmed = _AUXILIARY.sub(r"\g<verb>", folded)
    words = _WORD.findall(affirmed)
    significant = [word for word in words if word not in _INSIGNIFICANT]
    return " ".join(_singular(word) for word in significant[:MAX_WORDS])


def memory_title(text: str, most: int = MAX_WORDS) -> str:
    """Return the words of a phrase as they were written, from the first to the last of
    at most `most` significant words, with a negation before them; empty for a phrase
    without significant words.

    Example: `the chip cookies.` gives `chip cookies`.
    """
    written = " ".join(unicodedata.normalize("NFC", text).translate(_QUOTES).split())
    words = list(_WRITTEN_WORD.finditer(written))
    significant = list(filter(_is_significant, words))
    if not significant:
        return ""
    start, end = significant[0].start(), significant[:most][-1].end()
    negations = [word.start() for word in words if _is_negation(word)]
    start = min((start, *negations))
    title = written[start:end]
    for opening, closing in ("()", "[]", "{}", "<>"):
        more = title.count(opening) - title.count(closing)
        if more < 0 and written[:start].endswith(opening):
            title = opening + title
        if more > 0 and written.startswith(closing, end):
            title += closing
    return title


def negation_before(text: str) -> str:
    """Return the last word of a text that negates the phrase after it, with a blank;
    empty if there is none.
    """
    found = _NEGATION.findall(text)
    return f"{found[-1].lower()} " if found else ""


def _is_significant(found: re.Match[str]) -> bool:
    """Return whether a match of `_WRITTEN_WORD` belongs to the key."""
    word = found["verb"] or found["word"] or ""
    return word != "" and word.casefold() not in _INSIGNIFICANT


def _is_negation(found: re.Match[str]) -> bool:
    """Return whether a match of `_WRITTEN_WORD` is a negation, a negated `do` or
    another negated verb.
    """
    return not found["word"] or found["word"].casefold() in _NEGATIONS


def pair_key(one: str, other: str) -> str:
    """Return the key of a choice between two things, in either order."""
    keys = sorted((memory_key(one), memory_key(other)))
    return " ".join(" ".join(keys).split()[: 2 * MAX_WORDS])


def memory_name(title: str, key: str = "", *, hashed: bool = False) -> str:
    """Return the name of the file of a memory with this title.

    A long name is cut and gets a hash of the key (by default of the title), as does a
    name that no file can have, and with `hashed` any name.
    """
    folded = unicodedata.normalize("NFKC", _APOSTROPHE.sub("", title)).lower()
    words = _WORD.findall(unicodedata.normalize("NFC", folded))
    stem = "-".join(words).replace("+", "p").replace("#", "sharp")
    short = stem.encode()[:_MAX_NAME_BYTES].decode("utf-8", "ignore").rstrip("-.")
    if short == stem and _is_name(stem) and not hashed:
        return f"{stem}.md"
    from hashlib import sha256  # most names are short

    digest = sha256((key or title).encode()).hexdigest()[:8]
    if short and _is_name(f"{short}-{digest}"):
        return f"{short}-{digest}.md"
    return f"{digest}.md"


def _singular(word: str) -> str:
    """Return a word without a plural ending."""
    if len(word) < 4 or word in _SINGULAR_S:
        return word
    if not word.isalpha():  # a name with a dot or a digit, such as node.js
        return word
    if word.endswith("ie") and len(word) > 4:
        return f"{word[:-2]}y"  # as cookies, of which `cooky` may be the singular
    if word[-1] != "s":
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(_SIBILANTS):
        return word[:-2]
    if word.endswith(("ss", "us", "is")):
        return word
    return word[:-1]


def _is_name(stem: str) -> bool:
    try:
        CortexAddress(("resources",)).child(f"{stem}.md")
    except CortexAddressError:
        return False
    return True
