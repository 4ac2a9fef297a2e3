"""Phrases that mark a sentence as worth remembering, in English and Spanish.

Each pattern must match from the beginning of a sentence, so that questions, conditions
and quotations do not count: `Do you remember …`, `If we decided …`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cuedeck.records.cortex.memory_card import MemoryKind

USER = frozenset(("user",))
"""Roles of statements about the user."""
ANYONE = frozenset(("user", "assistant"))


class Marker(NamedTuple):
    """A pattern for sentences of one kind.

    Its groups: `key` is the phrase from which the key of the memory is made; `name`
    is a fixed key; `one` and `other` are the two sides of a choice.
    """

    kind: MemoryKind
    language: str
    roles: frozenset[str]
    pattern: re.Pattern[str]
    name: str = ""
    """Key of the memory if it does not depend on the sentence."""


def _marker(
    kind: MemoryKind,
    language: str,
    roles: frozenset[str],
    pattern: str,
    name: str = "",
    flags: int = re.IGNORECASE,
) -> Marker:
    return Marker(kind, language, roles, re.compile(pattern, flags), name)


LEAD_IN = re.compile(
    r"(?:(?:(?:ok|okay|yes|so|and|but|also|well|please|actually|then|btw|by the way|hi|"
    r"hello|sí|vale|bueno|y|pero|también|por favor|entonces|además|hola)\b[,:]?|"
    r"no[,:])\s+)+",
    re.IGNORECASE,
)
"""Words before a statement that do not belong to it. `No` without a comma negates the
statement.
"""
REMEMBER = re.compile(
    r"(?:(?:remember|don['’]?t forget|do not forget|keep in mind)"
    r"(?:\s*[:,]|\s+that|\s+to)?|"
    r"(?:recuerda|recuerde|recordad|no olvides|no olvide|ten en cuenta)"
    r"(?:\s*[:,]|\s+que)?)\s+"
    r"(?!(?:when|how|the time|what|why|cuando|cómo|cuándo|me\b))(?P<key>\S.+)",
    re.IGNORECASE,
)
"""A request to remember something; the rest may match a marker of its own."""
SPANISH = re.compile(r"(?:rec(?:uerd|ord)|no olvid|ten en)", re.IGNORECASE)
"""Beginning of `REMEMBER` in Spanish."""
PROBLEM = re.compile(
    r"(?:problem|issue|error|bug|symptom|problema|síntoma|fallo)\s*:\s*(?P<text>\S.*)",
    re.IGNORECASE,
)
SOLUTION = re.compile(
    r"(?:solution|fix|resolution|workaround|solución|solucion|arreglo)"
    r"\s*:\s*(?P<text>\S.*)",
    re.IGNORECASE,
)
TODO = re.compile(
    r"(?:TODO|TO DO|PENDIENTE|POR HACER)\s*[:\-]\s*(?P<key>\S.*)|\[ \]\s+(?P<box>\S.*)"
)
"""Something to do: a line `TODO: …`, or an open check box."""

_NAME = r"[A-ZÁÉÍÓÚÑÜ][\w'’-]*(?:\s+[A-ZÁÉÍÓÚÑÜ][\w'’-]*){0,3}"
_NOT_A_NAME = (
    r"(?!(?:This|That|These|Those|It|There|Here|What|Which|Who|He|She|They|We|You|I|"
    r"The|A|An|My|Our|Your|One|If|When|Now|Today|Esto|Eso|Esta|Este|Ese|Esa|El|La|"
    r"Los|Las|Un|Una|Mi|Nuestro|Nuestra|Aquí|Hoy|Si|Cuando)\b)"
)
_PREFER = r"(?:['’]d| would)?(?: (?!(?:hard|bare|scarce|rare)ly)\w+ly| always)? prefer"
_NOT_INVERTED = (
    r"(?!(?:have|has|had|do|does|did|was|were|am|is|are|would|will|should|can|could)\s+"
    r"(?:I|we|you|he|she|it|they|the)\b)"
)
"""No question or statement in inverted order: `Never have I …`."""
_NOT_FIRST_PERSON = (
    r"(?!(?:más\s+)?(?:yo|nosotr[oa]s|me|nos|he|hemos|ha|han|había|habíamos|se ha|"
    r"\w*[^\Wl]o|\w+[ai]mos|\w+[éí])\b)"
)
"""No verb of the first person: the user describes a habit and gives no instruction."""
_CHOICE_EN = (
    r"(?:(?:to|that|on|against|not|no|do|don['’]t|use|using|we|(?:will|should)(?:n['’]t)?)"
    r"\s+)*"
)
_CHOICE_ES = r"(?:(?:que|no|en contra de|contra|usar|usamos|usaremos)\s+)*"
"""Words before the object of a decision. A decision for something and a later one
against it have the same key.
"""
_OBJECT_EN = r"(?P<key>\S.*?)(?=,?\s+(?:because|since|so that|due to)\b|$)"
_OBJECT_ES = r"(?P<key>\S.*?)(?=,?\s+(?:porque|ya que|para que|debido a)\b|$)"
"""The object of a decision, without the reason: two reasons have one key."""
_FOR_EN = r"(?:for|as|in)\s+(?:the\s+|my\s+|our\s+)?(?!(?:I|we|you|it|he|she|they)\b)"
_FOR_ES = r"(?:para|como|en)\s+(?:el\s+|la\s+|mi\s+|nuestr[oa]\s+)?"
_RELATION_EN = (
    r"wife|husband|partner|son|daughter|brother|sister|mother|father|friend|boss|"
    r"manager|colleague|coworker|mentor|teammate|neighbou?r"
)
_RELATION_ES = (
    r"mujer|esposa|marido|esposo|pareja|hij[oa]|herman[oa]|madre|padre|amig[oa]|"
    r"jef[ea]|compañer[oa]|coleg[ao]|vecin[oa]"
)

MARKERS = (
    # preferences
    _marker(
        "preference",
        "en",
        USER,
        rf"(?:I|we){_PREFER}\s+.+?\s+{_FOR_EN}"
        r"(?P<key>[^,;.!]+)",
    ),
    _marker(
        "preference",
        "en",
        USER,
        rf"(?:I|we){_PREFER}\s+(?P<one>\S.*?)\s+"
        r"(?:over|to|rather than|instead of)\s+(?P<other>[^,;.]+)",
    ),
    _marker(
        "preference",
        "en",
        USER,
        rf"(?:I|we){_PREFER}\s+(?:to\s+)?"
        r"(?P<key>[^,;]+)",
    ),
    _marker(
        "preference",
        "en",
        USER,
        r"(?:my|our) (?:preferred|favou?rite)\s+(?P<key>[^,;.]+?)\s+(?:is|are)\s+\S",
    ),
    _marker(
        "preference", "en", USER, r"preference\s*:\s*(?P<key>[^=:,;]+)(?:[=:]\s*\S.*)?"
    ),
    _marker(
        "preference",
        "es",
        USER,
        rf"(?:yo |nosotros )?(?:prefiero|preferimos)\s+.+?\s+{_FOR_ES}"
        r"(?P<key>[^,;.!]+)",
    ),
    _marker(
        "preference",
        "es",
        USER,
        r"(?:yo |nosotros )?(?:prefiero|preferimos)\s+(?P<one>\S.*?)\s+"
        r"(?:a|antes que|en lugar de|en vez de)\s+(?P<other>[^,;.]+)",
    ),
    _marker(
        "preference",
        "es",
        USER,
        r"(?:yo |nosotros )?(?:prefiero|preferimos)\s+(?:que\s+)?(?P<key>[^,;]+)",
    ),
    _marker(
        "preference",
        "es",
        USER,
        r"(?:mi|nuestr[oa])\s+(?P<key>[^,;.]+?)\s+(?:preferid[oa]|favorit[oa])\s+"
        r"(?:es|son)\s+\S",
    ),
    _marker(
        "preference", "es", USER, r"preferencia\s*:\s*(?P<key>[^=:,;]+)(?:[=:]\s*\S.*)?"
    ),
    # decisions and milestones
    _marker(
        "event",
        "en",
        ANYONE,
        r"(?:we|I|the team|it)(?:['’]ve| have| has| was| is| has been)?\s+"
        rf"(?:decided|agreed)\s+{_CHOICE_EN}{_OBJECT_EN}",
    ),
    _marker(
        "event",
        "en",
        ANYONE,
        rf"(?:decision|decided|milestone)\s*:\s*{_CHOICE_EN}{_OBJECT_EN}",
    ),
    _marker(
        "event",
        "es",
        ANYONE,
        r"(?:hemos |he |se ha |nosotros |el equipo (?:ha )?)?"
        r"(?:decidimos|decidido|decidí|decidió|acordamos|acordado)\s+"
        rf"{_CHOICE_ES}{_OBJECT_ES}",
    ),
    _marker(
        "event",
        "es",
        ANYONE,
        r"(?:se decidió|decisión|decision|hito)\s*(?::|que)\s*"
        rf"{_CHOICE_ES}{_OBJECT_ES}",
    ),
    # goals
    _marker(
        "goal", "en", USER, r"(?:my|our) (?:\w+ )?goal is\s+(?:to\s+)?(?P<key>\S.+)"
    ),
    _marker("goal", "en", ANYONE, r"goal\s*:\s*(?P<key>\S.+)"),
    _marker("goal", "es", USER, r"(?:mi|nuestro) objetivo es\s+(?P<key>\S.+)"),
    _marker("goal", "es", ANYONE, r"objetivo\s*:\s*(?P<key>\S.+)"),
    # the user
    _marker(
        "personal_info",
        "en",
        USER,
        r"(?:my name is|call me)\s+\S",
        "name",
    ),
    _marker("personal_info", "es", USER, r"(?:me llamo|mi nombre es)\s+\S", "name"),
    _marker(
        "personal_info",
        "en",
        USER,
        r"(?:I live in|I['’]m from|I am from|I['’]m based in|I am based in)\s+\S",
        "location",
    ),
    _marker("personal_info", "es", USER, r"(?:vivo en|soy de)\s+\S", "location"),
    _marker(
        "personal_info",
        "en",
        USER,
        r"my (?P<key>birthday|e-?mail|phone|address|time ?zone|language|pronouns|age|"
        r"occupation|role|job title)(?: \w+)? (?:is|are)\s+\S",
    ),
    _marker(
        "personal_info",
        "es",
        USER,
        r"mi (?P<key>cumpleaños|correo|teléfono|dirección|zona horaria|idioma|edad|"
        r"profesión|puesto) es\s+\S",
    ),
    _marker(
        "work_history",
        "en",
        USER,
        r"(?:I|we) (?:work|worked|used to work)\s+(?:at|for)\s+"
        r"(?P<key>[^,;.]+?)(?:\s+as\s+[^,;.]+)?(?:\s+(?:since|until|from|in)\s.*)?"
        r"[.!]?$",
    ),
    _marker(
        "work_history",
        "es",
        USER,
        r"(?:trabajo|trabajé|trabajaba)\s+(?:en|para)\s+"
        r"(?P<key>[^,;.]+?)(?:\s+como\s+[^,;.]+)?(?:\s+(?:desde|hasta|en)\s.*)?[.!]?$",
    ),
    # people and things with a role
    _marker(
        "relationship",
        "en",
        USER,
        rf"{_NOT_A_NAME}(?P<key>{_NAME})\s+(?i:is)\s+(?i:my)\s+(?:\w+\s+)?"
        rf"(?:{_RELATION_EN})\b",
        flags=0,
    ),
    _marker(
        "relationship",
        "en",
        USER,
        rf"(?i:my)\s+(?:\w+\s+)?(?:{_RELATION_EN})\s+(?i:is)\s+(?P<key>{_NAME})",
        flags=0,
    ),
    _marker(
        "relationship",
        "es",
        USER,
        rf"{_NOT_A_NAME}(?P<key>{_NAME})\s+es\s+mi\s+(?:{_RELATION_ES})\b",
        flags=0,
    ),
    _marker(
        "relationship",
        "es",
        USER,
        rf"(?i:mi)\s+(?:{_RELATION_ES})\s+es\s+(?P<key>{_NAME})",
        flags=0,
    ),
    _marker(
        "entity",
        "en",
        ANYONE,
        rf"{_NOT_A_NAME}(?P<key>{_NAME})\s+is\s+(?:(?:our|my)\s+\w|"
        r"the\s+[\w -]{2,40}\s+(?:of|for|at|on|behind)\s+\w)",
        flags=0,
    ),
    _marker(
        "entity",
        "en",
        ANYONE,
        rf"(?i:our)\s+(?:[\w-]+\s+){{1,3}}is\s+(?P<key>{_NAME})",
        flags=0,
    ),
    _marker(
        "entity",
        "es",
        ANYONE,
        rf"{_NOT_A_NAME}(?P<key>{_NAME})\s+es\s+(?:nuestr[oa]\s+\w|mi\s+\w|"
        r"(?:el|la)\s+[\w -]{2,40}\s+de(?:l)?\s+\w)",
        flags=0,
    ),
    _marker(
        "entity",
        "es",
        ANYONE,
        rf"(?i:nuestr[oa])\s+(?:[\w-]+\s+){{1,3}}es\s+(?P<key>{_NAME})",
        flags=0,
    ),
    # what the agent learned
    _marker(
        "skill",
        "en",
        ANYONE,
        r"(?:I|we)(?:['’]ve| have)?\s+learn(?:ed|t)\s+(?:that|how to|to)\s+(?P<key>\S.+)",
    ),
    _marker(
        "skill", "en", ANYONE, r"(?:skill|lesson|lesson learned)\s*:\s*(?P<key>\S.+)"
    ),
    _marker(
        "skill",
        "es",
        ANYONE,
        r"(?:he aprendido|hemos aprendido|aprendí|aprendimos)\s+(?:que|a|cómo)\s+"
        r"(?P<key>\S.+)",
    ),
    _marker("skill", "es", ANYONE, r"(?:habilidad|lección)\s*:\s*(?P<key>\S.+)"),
    _marker("instruction", "en", USER, r"instruction\s*:\s*(?P<key>\S.+)"),
    _marker("instruction", "en", USER, r"from now on,?\s+(?P<key>\S.+)"),
    _marker("instruction", "en", USER, rf"always\s+{_NOT_INVERTED}(?P<key>\S.+)"),
    _marker(
        "instruction", "en", USER, rf"never\s+(?!mind\b){_NOT_INVERTED}(?P<key>\S.+)"
    ),
    _marker("instruction", "es", USER, r"instrucción\s*:\s*(?P<key>\S.+)"),
    _marker(
        "instruction",
        "es",
        USER,
        r"(?:de|a partir de) ahora(?: en adelante)?,?\s+(?P<key>\S.+)",
    ),
    _marker(
        "instruction",
        "es",
        USER,
        rf"(?:siempre|nunca)\s+{_NOT_FIRST_PERSON}(?P<key>\S.+)",
    ),
)
"""Markers in the order in which they are tried; the first match counts."""
