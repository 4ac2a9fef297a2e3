"""English and Spanish: tables of words for the integrity check, and the detection of
the language of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

IS = "is"
PREFER = "prefer"
USE = "use"
OWN = "own"
VALUES = frozenset(["is", "take", "cost", "call"])
"""Relations with one object at a time."""
PLACES = frozenset(
    """
    is take cost call run live start end happen listen expire point go work born
    answer build deploy format indent install lint log name publish store write
    """.split()  # noqa: SIM905
)
"""Relations with one place, time or means at a time; others may have several."""

NOT = "¬"
"""Replacement of a negation of several words."""
CONTRAST = "⊖"
"""Replacement of the words before a rejected alternative: `A instead of B`, `A over B`,
`A, not B`.
"""


class Phrase(NamedTuple):
    """An expression of several words, and its replacement."""

    hints: tuple[str, ...]
    """Every text with the expression contains one of these strings; most texts contain
    none.
    """
    pattern: re.Pattern[str]
    by: str


def phrase(hints: str, pattern: str, by: str) -> Phrase:
    """Return a case-insensitive expression; `hints` are separated by `|`."""
    return Phrase(tuple(hints.split("|")), re.compile(pattern, re.IGNORECASE), by)


class Language(NamedTuple):
    """Tables of lower-case words. A word in no table is content."""

    verbs: Mapping[str, str]
    """Form of a verb -> its relation."""
    negations: frozenset[str]
    fillers: frozenset[str]
    """Words that do not change a statement: articles, auxiliary verbs, `now`."""
    joints: frozenset[str]
    """Words that start another part of the sentence: prepositions."""
    scopes: frozenset[str]
    """Joints of a part that states a circumstance, not a value."""
    cuts: frozenset[str]
    """Words that start a reason; the rest of the sentence is ignored."""
    doubts: frozenset[str]
    """A sentence with one of these words is not a claim: may, was, if."""
    user: frozenset[str]
    us: frozenset[str]
    """Words for the user, and for those who work on the project."""
    vague: frozenset[str]
    """Pronouns whose meaning is lost outside of the context."""
    attributes: frozenset[str]
    """Nouns with one value at a time: day, port, name."""
    norms: frozenset[str]
    """Words of a lasting rule: always, never, prefers."""
    is_noun_first: bool = False
    """True if adjectives follow their noun: `respuestas cortas`."""
    opposites: Mapping[str, str] = {}
    """Word -> the word that it negates."""
    phrases: tuple[Phrase, ...] = ()
    """Expressions that are replaced before the sentence is split into words."""


def words(text: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(text.split())


def forms(text: str) -> dict[str, str]:
    """Return the words of lines `relation: form form`, each with its relation."""
    relations: dict[str, str] = {}
    for line in filter(str.strip, text.splitlines()):
        name, _, listed = line.partition(":")
        relations.update(dict.fromkeys(listed.split(), name.strip()))
    return relations


def replace_phrases(text: str, language: Language) -> str:
    """Return a text with each expression replaced, in the order of the table."""
    lowered = text.lower()
    for hints, pattern, by in language.phrases:
        for hint in hints:
            if hint in lowered:
                text = pattern.sub(by, text)
                lowered = text.lower()
                break
    return text


ENGLISH = Language(
    verbs=forms(
        """
        is: is are am be remains remain stays stay equals becomes
        prefer: prefer prefers like likes love loves enjoy enjoys favour favours favor favors want wants
        use: use uses using employ employs choose chose picked adopt adopted adopts
        own: owns leads maintains manages
        need: need needs require requires
        have: has have contain contains
        support: support supports allow allows accept accepts
        run: run runs
        live: live lives reside resides
        work: work works
        take: take takes last lasts
        start: start starts begin begins
        end: end ends
        cost: cost costs
        call: call
        happen: happen happens occur occurs
        listen: listen listens
        expire: expire expires
        point: point points
        go: go goes
        born: born
        answer: answer reply respond
        build: build
        deploy: deploy
        format: format
        indent: indent
        install: install
        lint: lint
        log: log
        name: name
        publish: publish
        store: store
        write: write
        """
    ),
    negations=words("not never no neither nor"),
    fillers=words(
        """a an the 's now currently presently today always really just also too please actually simply generally
        usually definitely all every each any both some do does must shall should will can ought here still already
        that yes wo"""
    ),
    joints=words(
        """in on at for with by to from of as over under via into onto through per during before after until when
        while unless about between within against towards except than without inside outside"""
    ),
    scopes=words("for during before after until when while unless about except without of"),
    cuts=words("because since due thanks given although though but whereas"),
    doubts=words(
        """may might could would maybe perhaps probably possibly was were had been seems seem seemed appears
        thinks think thought wondering considering planning plans if whether did"""
    ),
    user=words("user i me my mine operator client"),
    us=words("we us our ours team project repo repository codebase"),
    vague=words("it this these those they them he she him her someone something one which what who its such same"),
    attributes=words(
        """name port day date time deadline timezone zone language locale colour color theme font editor shell system
        branch version license licence database owner maintainer lead manager contact reviewer author host hostname
        url address domain path folder directory bucket region limit timeout size length interval budget price cost
        default format encoding level strategy policy convention standard style framework engine provider registry
        hours frequency schedule currency unit birthday age role title pronouns key quota threshold maximum minimum
        max min password username capacity duration retention location office city country platform
        runner browser driver compiler shortcut"""
    ),
    norms=words("prefers prefer always never"),
    opposites={
        "dislike": "like", "dislikes": "likes", "hate": "like", "hates": "likes", "avoid": "use", "avoids": "uses",
        "disabled": "enabled", "off": "on", "forbidden": "allowed", "disallowed": "allowed", "prohibited": "allowed",
        "unsupported": "supported", "optional": "required", "invalid": "valid", "unsafe": "safe", "false": "true",
        "refuses": "accepts", "rejects": "accepts", "impossible": "possible", "inactive": "active",
        "forbid": "allow", "forbids": "allows", "unencrypted": "encrypted", "unlimited": "limited",
        "excluded": "included", "excludes": "includes", "cannot": "can",
    },
    phrases=(
        phrase("'t", r"\b(can|wo|do|does|is|are|should|must|need|would|could|did|was|were|has|have)n?'t\b", r"\1 not"),
        phrase("need not|no longer|stopped", r"\b(?:need not|no longer|stopped using)\b", NOT),
        phrase("any", r"\bany ?(?:more|longer)\b", ""),
        phrase("'s", r"\b(it|that|there|he|she)'s\b", r"\1 is"),
        phrase("ave to|has to|as of|default", r"\b(?:have|has) to\b|\bas of now\b|\bby default\b", ""),
        phrase(" to", r"\b(?:decided|agreed|chose|wants? (?:us|me|you)) (not )?to\b", r"\1"),
        phrase("from now|days|now", r"\b(?:from now on|these days|nowadays|for now)\b", ""),
        phrase("moment", r"\bat the moment\b", ""),
        phrase("instead|rather|opposed", r"\b(?:instead of|rather than|as opposed to)\b", f" {CONTRAST} "),
        phrase(" not", r",\s*(?:and )?not\b|\band not\b", f" {CONTRAST} "),
        phrase(" over ", r"\b(prefers?\b.*?)\bover\b", rf"\1 {CONTRAST} "),
        phrase("after", r"\bafter (?:the|our) (?:change|update|upgrade|move|migration|switch)\b.*", ""),
        phrase("stop", r"\bstop(?= \w+ing\b)", NOT),
        phrase("ory", r"\b(?:mandatory|compulsory|obligatory)\b", "required"),
        phrase("responsible|charge", r"\b(?:is|are) (?:responsible for|in charge of)\b", "owns"),
        phrase("ed to|set to", r"\b(?:was|were|is|are|has been|have been) (?=(?:changed|set|raised|lowered) to\b)", ""),
        phrase("ed to|set to", r"\b(?:changed|set|raised|lowered) to\b", "is"),
        phrase("work", r"\b(works?) (on|with)\b", r"\1-\2"),
        phrase("never|not|as if", r"\bnever mind\b|\bnot (?:only|just|yet)\b|\bas if\b", "maybe"),
        phrase(" to ", r"\b(\d+) to (\d+)\b", r"\1-\2"),
    ),
)  # fmt: skip

SPANISH = Language(
    verbs=forms(
        """
        is: es son está están sigue soy
        prefer: prefiere prefiero prefieren gusta gustan quiere quiero
        use: usamos usa usan utilizamos utiliza uso
        need: necesita necesitan requiere requieren
        have: tiene tienen
        support: soporta admite
        run: corre funciona ejecuta
        live: vive reside
        take: dura tarda
        start: empieza comienza
        end: termina
        cost: cuesta
        """
    ),
    negations=words("no nunca jamás ningún ninguna tampoco"),
    fillers=words("el la los las un una unos unas al del le les ya ahora siempre también todos todas cada debe más"),
    joints=words("en a con por para de sobre desde hasta entre bajo según sin tras antes después como"),
    scopes=words("para antes después hasta sin tras de"),
    cuts=words("porque pues aunque pero"),
    doubts=words("quizás era eran estaba podría puede si fue había"),
    user=words("usuario usuaria yo mi mí me"),
    us=words("nosotros nos nuestro nuestra equipo proyecto"),
    vague=words("esto eso ese esa este esta él ella ello"),
    attributes=words(
        """nombre puerto base día fecha hora plazo zona idioma color tema fuente editor rama versión licencia
        responsable servidor dirección dominio ruta carpeta región límite tamaño duración
        presupuesto precio formato nivel moneda"""
    ),
    norms=words("prefiere siempre nunca jamás"),
    is_noun_first=True,
    opposites={"desactivado": "activado", "desactivada": "activada", "prohibido": "permitido", "odia": "gusta"},
    phrases=(
        phrase("lugar|vez", r"\b(?:en lugar de|en vez de)\b", f" {CONTRAST} "),
        phrase(" no ", r",\s*(?:y )?no\b", f" {CONTRAST} "),
        phrase("ya no", r"\bya no\b", NOT),
    ),
)  # fmt: skip

_NONE: frozenset[str] = frozenset()
OTHER_LANGUAGE = Language(
    {}, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE
)
"""A language without tables: only `key: value`, numbers, days, months and paths are
compared.
"""
LANGUAGES = (ENGLISH, SPANISH)
_OTHER_WORDS = words(
    """der die das den dem des ein eine und ist sind nicht auf mit wir nutzer läuft bei für
    le les du des est sont et dans sur pas il elle avec aux une au
    os um uma não são é em ao usuário il gli di è sono che della
    het een niet en van voor op met jest są nie się"""
)
"""Frequent words of German, French, Portuguese, Italian, Dutch and Polish that mark a
sentence as not analysed.
"""
_LAST_LATIN = "\u024f"


def _known_words(language: Language) -> frozenset[str]:
    return frozenset().union(
        language.verbs,
        language.negations,
        language.fillers,
        language.joints,
        language.user,
        language.us,
        language.attributes,
        language.norms,
    )


_ENGLISH_WORDS = _known_words(ENGLISH)
_SPANISH_WORDS = _known_words(SPANISH)


def detect_language(lowered: Iterable[str]) -> Language:
    """Return the language of a sentence: English, Spanish, or `OTHER_LANGUAGE`. Order:
    of equals, the first.
    """
    english = spanish = other = 0
    for word in lowered:
        if word[0] > _LAST_LATIN and word[0].isalpha():
            return OTHER_LANGUAGE
        english += word in _ENGLISH_WORDS
        spanish += word in _SPANISH_WORDS
        other += word in _OTHER_WORDS
    if other and other >= max(english, spanish):
        return OTHER_LANGUAGE
    return SPANISH if spanish > english else ENGLISH
