"""Cards of memories in the cortex tree, one file for each key of a kind.

A card shows the statement in force, with the lines of the messages that made it. A
later statement with the same key replaces it, and the earlier one moves to the section
`Superseded`. The order of statements is that of their times, so the order in which
sessions are committed does not matter.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from operator import attrgetter
from typing import Literal, NamedTuple

from cuedeck.knowledge.cortex.message_file import (
    HeaderValue,
    format_header,
    parse_header,
)
from cuedeck.model.cortex_address import CortexAddress, CortexAddressError, Dimension
from cuedeck.model.formatting import abbreviate
from cuedeck.text.plain_text import fold_case
from cuedeck.text.timestamps import utc_second

MemoryKind = Literal[
    "preference",
    "entity",
    "event",
    "personal_info",
    "work_history",
    "relationship",
    "goal",
    "case",
    "skill",
    "instruction",
]
Outcome = Literal["made", "superseded", "older", "repeated", "known"]

PLACES: dict[MemoryKind, tuple[Dimension, str]] = {
    "preference": ("user", "preferences"),
    "entity": ("user", "entities"),
    "event": ("user", "events"),
    "personal_info": ("user", "personal_info"),
    "work_history": ("user", "work_history"),
    "relationship": ("user", "relationships"),
    "goal": ("user", "goals"),
    "case": ("agent", "cases"),
    "skill": ("agent", "skills"),
    "instruction": ("agent", "instructions"),
}
"""Dimension and category of each kind of memory."""
UNKNOWN_TIME = "1970-01-01T00:00:00Z"
"""Time of a memory that states none; every later statement replaces it."""
STATEMENT = "statement:"
"""Beginning of the address of a captured statement."""
HISTORY = "\n## Superseded\n"
"""Heading of the earlier statements of a memory."""
_ENTRY = re.compile(r"^- (\d{4}-\d\d-\d\dT[\d:.]+Z): ", re.MULTILINE)
_OWN_FIELDS = ("type", "title", "key", "time", "sources")


class Statement(NamedTuple):
    """A sentence of a message."""

    text: str
    time: str
    """RFC 3339 in UTC, to the second; empty in a card that states none."""
    sources: tuple[str, ...]
    """Addresses: `cortex://session/…/09_15_00_1a2b3c4d.md#L9`, `statement:46525a2b`."""


@dataclass(frozen=True, slots=True)
class MemoryCard:
    """A memory with its earlier statements."""

    kind: str
    key: str
    current: Statement
    superseded: tuple[Statement, ...] = ()
    """Earlier statements, the latest first."""
    title: str = ""
    """The words of the statement in force from which the key is made; empty if they are
    equal to the key.
    """
    rest: tuple[tuple[str, HeaderValue], ...] = ()
    """Unknown fields of the header, preserved on rewrite."""

    @property
    def shown_title(self) -> str:
        """The title for people; the key of a card that has no title."""
        return self.title or self.key


class Added(NamedTuple):
    """A card after a statement was added to it."""

    card: MemoryCard
    outcome: Outcome


def add_statement(
    card: MemoryCard | None,
    kind: MemoryKind,
    key: str,
    statement: Statement,
    title: str = "",
) -> Added:
    """Return the card with a statement added; `title` is that of the statement.

    `repeated` means that the statement in force says the same; `known` means that the
    card contains this line of this message already, so nothing changed.
    """
    if title == key:
        title = ""
    if card is None:
        return Added(MemoryCard(kind, key, statement, title=title), "made")
    current = card.current
    if any(_contains(known, statement) for known in (current, *card.superseded)):
        return Added(card, "known")
    if is_same_text(current.text, statement.text):
        both = current._replace(
            time=max(current.time, statement.time),
            sources=(*current.sources, *statement.sources),
        )
        title = card.title or title
        return Added(replace(card, current=both, title=title), "repeated")
    if statement.time >= current.time:
        history = (current, *card.superseded)
        card = replace(card, current=statement, superseded=history, title=title)
        return Added(card, "superseded")
    history = tuple(
        sorted((statement, *card.superseded), key=attrgetter("time"), reverse=True)
    )
    return Added(replace(card, superseded=history), "older")


def is_same_text(one: str, other: str) -> bool:
    """Return whether two texts differ at most in case, blanks and the last mark."""
    return _comparable(one) == _comparable(other)


def format_card(card: MemoryCard) -> str:
    """Return the text of the file of a card."""
    titles = [("title", card.title)] if card.title else []
    header = format_header(
        (
            ("type", card.kind),
            *titles,
            ("key", card.key),
            ("time", card.current.time),
            ("sources", list(card.current.sources)),
            *card.rest,
        )
    )
    text = f"{header}{card.current.text}\n"
    if not card.superseded:
        return text
    entries = "\n".join(map(_format_entry, card.superseded))
    return f"{text}{HISTORY}\n{entries}\n"


def parse_card(text: str) -> MemoryCard:
    """Return the card in the text of a file. Raises: ValueError for any other text."""
    headed = parse_header(text)
    kind = headed.text("type")
    if kind not in PLACES:
        raise ValueError(f"`{abbreviate(kind)}` is not a kind of memory")
    body, _, history = headed.body.partition(HISTORY)
    time = utc_second(headed.text("time"))
    return MemoryCard(
        kind=kind,
        key=headed.text("key"),
        current=Statement(body.strip("\n"), time, headed.texts("sources")),
        superseded=tuple(_parse_entries(history)),
        title=headed.text("title"),
        rest=tuple(
            each for each in headed.fields.items() if each[0] not in _OWN_FIELDS
        ),
    )


def _contains(known: Statement, statement: Statement) -> bool:
    is_same_line = not set(statement.sources).isdisjoint(known.sources)
    if not statement.sources:  # a memory of another program
        is_same_line = statement.time <= known.time
    return is_same_line and is_same_text(known.text, statement.text)


def _comparable(text: str) -> str:
    return fold_case(text).rstrip(".!")


def _format_entry(statement: Statement) -> str:
    text = statement.text.replace("\n", "\n  ")
    sources = "".join(f"\n  {source}" for source in statement.sources)
    # An entry without a time would not be recognised as one.
    time = utc_second(statement.time) or UNKNOWN_TIME
    return f"- {time}: {text}{sources}"


def _parse_entries(history: str) -> Iterable[Statement]:
    parts = _ENTRY.split(history)[1:]
    for time, entry in zip(parts[::2], parts[1::2], strict=True):
        lines = entry.rstrip("\n").replace("\n  ", "\n").split("\n")
        sources: list[str] = []
        while len(lines) > 1 and lines[-1].startswith(("cortex://", STATEMENT)):
            sources.insert(0, lines.pop())
        yield Statement("\n".join(lines), time, tuple(sources))


MAX_WORDS = 8
"""Words of the longest key; later words are dropped."""
_MAX_NAME_BYTES = 80
_WORD = re.compile(r"[(\[{<]*(?P<word>[^\W_](?:[\w+#]|[.'’](?=\w))*)(?P<end>[)\]}>]*)")
_NEGATED = re.compile(r"\w+n['’]t")
_POSSESSIVE = re.compile(r"['’]s\b")
_QUOTES = str.maketrans(dict.fromkeys('`"“”„«»*', " "))
"""Marks that a title does not have."""
_WORDS = """
    the a an my our your his her its their this that of to and el la los las un una unos
    unas mi mis tu tus su sus nuestro nuestra nuestros nuestras de del y que
"""
_NEGATIONS = frozenset(
    ["do", "does", "did", "not", "no", "against", "never", "nunca", "contra", "jamás"]
)
"""Words of a negation; the key of a statement is that of its negation."""
_INSIGNIFICANT = frozenset(_WORDS.split())
"""Words that do not distinguish two keys."""
_SINGULAR = """
    always kubernetes postgres redis windows https news series species emacs miércoles
    aws css lens canvas gracias lunes martes viernes jueves
"""
_SINGULAR_S = frozenset(_SINGULAR.split())
"""Words that end in `s` and are not plurals."""
_SIBILANTS = ("sses", "shes", "ches", "xes", "zzes")


def memory_key(text: str) -> str:
    """Return the key of a phrase: its words joined by blanks. A phrase without words
    other than articles and negations gives an empty key.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    folded = unicodedata.normalize("NFC", _POSSESSIVE.sub("", folded))
    words = _significant(folded)[:MAX_WORDS]
    return " ".join(_singular(word["word"]) for word in words)


def memory_title(text: str) -> str:
    """Return the words of a phrase as they were written, from the first to the last
    that belongs to its key, with a negation before them; empty for a phrase without
    such words.

    Example: `the chip cookies.` gives `chip cookies`.
    """
    written = " ".join(unicodedata.normalize("NFC", text).translate(_QUOTES).split())
    words = _significant(written)[:MAX_WORDS]
    if not words:
        return ""
    start, end = words[0].start(), words[-1].end()
    for word in _WORD.finditer(written):
        if _is_negation(word["word"].casefold()):
            return written[min(start, word.start()) : end]
    return written[start:end]


def _significant(text: str) -> list[re.Match[str]]:
    found = []
    for word in _WORD.finditer(text):
        plain = word["word"].casefold()
        if plain not in _INSIGNIFICANT and not _is_negation(plain):
            found.append(word)
    return found


def _is_negation(word: str) -> bool:
    return word in _NEGATIONS or _NEGATED.fullmatch(word) is not None


def memory_name(title: str, key: str = "", *, hashed: bool = False) -> str:
    """Return the name of the file of a memory with this title.

    A long name is cut and gets a hash of the key (by default of the title), as does a
    name that no file can have, and with `hashed` any name.
    """
    folded = unicodedata.normalize("NFKC", re.sub("['’]", "", title)).lower()
    words = _WORD.finditer(unicodedata.normalize("NFC", folded))
    stem = "-".join(word["word"] for word in words)
    stem = stem.replace("+", "p").replace("#", "sharp")
    short = stem.encode()[:_MAX_NAME_BYTES].decode("utf-8", "ignore").rstrip("-.")
    if short == stem and _is_name(stem) and not hashed:
        return f"{stem}.md"
    digest = sha256((key or title).encode()).hexdigest()[:8]
    if short and _is_name(f"{short}-{digest}"):
        return f"{short}-{digest}.md"
    return f"{digest}.md"


def _singular(word: str) -> str:
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
