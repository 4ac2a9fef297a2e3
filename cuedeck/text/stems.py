"""Stem of one word: its Snowball stem in the language that its letters show.

A stem depends on the word alone, never on its text, so that a query and an index built
at different times agree. Latin words go through the English and then the Spanish
stemmer, words of other alphabets through the stemmer of their script. Irregular forms,
which no stemmer joins with their base form, are replaced first.
"""

from __future__ import annotations

from _thread import get_ident
from functools import lru_cache
from typing import Any

from cuedeck.text.fold_text import fold_text, fold_word_list

_SHORTEST_STEMMED = 3
_SHORTEST_SPANISH = 5
"""Shortest word that the Spanish stemmer changes. It would join `note` and `not`."""
_SHORTEST_RESULT = 4
"""Shortest Spanish stem of a word that may be English. `release` would become `rel`."""
_SPANISH_ENDINGS = (
    *("mos", "mente", "ando", "iendo", "aba", "aban", "ieron"),
    *("ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas"),
)
_LATIN_END = "\u0250"
_SCRIPTS = (
    ("\u0370", "\u0400", "greek"),
    ("\u0400", "\u0530", "russian"),
    ("\u0600", "\u0700", "arabic"),
    ("\u0900", "\u0980", "hindi"),
)
"""First character, first character after the script, Snowball algorithm."""

_FORMS = """
    become became, begin began begun, bite bit bitten, blow blew blown
    break broke broken, bring brought, build built, burn burnt, buy bought
    catch caught, choose chose chosen, come came, deal dealt, dig dug, draw drew drawn
    dream dreamt, drink drank drunk, drive drove driven, eat ate eaten
    fall fell fallen, feed fed, feel felt, fight fought, find found, fly flew flown
    forget forgot forgotten, forgive forgave forgiven, freeze froze frozen
    get got gotten, give gave given, go went gone, grow grew grown, hang hung
    hear heard, hide hid hidden, hold held, keep kept, know knew known, lay laid
    lead led, learn learnt, leave left, lend lent, lose lost, make made, mean meant
    meet met, pay paid, ride rode ridden, ring rang rung, rise rose risen, run ran
    say said, see saw seen, seek sought, sell sold, send sent, shake shook shaken
    shine shone, shoot shot, show shown, sing sang sung, sink sank sunk, sit sat
    sleep slept, speak spoke spoken, spend spent, stand stood, steal stole stolen
    stick stuck, strike struck, swear swore sworn, sweep swept, swim swam swum
    swing swung, take took taken, teach taught, tear tore torn, tell told
    think thought, throw threw thrown, understand understood, wake woke woken
    wear wore worn, win won, write wrote written
    child children, foot feet, half halves, knife knives, leaf leaves, life lives
    man men, mouse mice, person people, shelf shelves, tooth teeth, wife wives
    woman women
    caer cae cayó cayeron, cerrar cierra cierran, conducir conduje condujo
    contar cuenta cuentan, costar cuesta cuestan, creer creyó, dar di dio dimos dieron
    decir digo dije dijo dijimos dijeron dicho, dormir duerme duermo durmió
    empezar empieza empiezan, encontrar encuentra encuentro, estar estuve estuvo
    haber hubo, hacer hago hice hizo hicimos hicieron hecho, ir fui fue fuimos fueron
    jugar juega, leer leo leí leyó leímos, mover mueve, oír oigo oyó
    pedir pido pide piden pidió, pensar pienso piensa, perder pierdo pierde
    poder puedo puede pudo, poner pongo puse puso pusimos puesto, probar prueba
    querer quiero quiere quiso, recordar recuerdo recuerda
    romper roto, saber sé supe supo, salir salgo, seguir sigo sigue siguió
    sentir siento siente, tener tengo tuve tuvo tuvimos, traer traje trajo
    venir vengo vino vinieron, ver vi vio vimos vieron visto, volver vuelvo vuelve vuelto
    preferir prefiero prefiere prefieren, mostrar muestra, servir sirve, elegir elige eligió
    llover llueve, morir murió muerto, abrir abierto, escribir escrito, resolver resuelto
    actor actriz, pez peces, vez veces, luz luces, voz voces
"""


_SHORTEST_FOLDED = 4
"""Shortest form that is known without its accents, too: `se` is not `sé`."""


def _read_forms() -> dict[str, str]:
    base_forms = {}
    forms = _FORMS.replace("\n", ",")
    # Folding the whole text takes much less time than folding every word.
    folded_groups = fold_word_list(forms).split(",")
    for group, folded_group in zip(forms.split(","), folded_groups, strict=True):
        base = ""
        for form, folded in zip(group.split(), folded_group.split(), strict=True):
            if not base:
                base = form
                continue
            base_forms[form] = base
            if len(form) >= _SHORTEST_FOLDED:
                base_forms[folded] = base
    return base_forms


BASE_FORMS = _read_forms()
"""Irregular form -> base form, in lower case."""


@lru_cache(maxsize=100_000)
def stem_word(word: str) -> str:
    """Return the stem of one word in lower case, without accents."""
    if len(word) < _SHORTEST_STEMMED or not word.isalpha():
        return fold_text(word)
    if word[0] < _LATIN_END:
        return fold_text(_stem_latin(word))
    for first, end, algorithm in _SCRIPTS:
        if first <= word[0] < end:
            return fold_text(_snowball(algorithm, word))
    return fold_text(word)


def _stem_latin(word: str) -> str:
    """Return the stem of an English or Spanish word.

    A word that looks Spanish is stemmed as Spanish. Any other is stemmed as English and
    then as Spanish, because most Spanish nouns look like English plurals. The Spanish
    stem counts unless it is so short that different English words would share it.
    """
    word = BASE_FORMS.get(word, word)
    is_long = len(word) >= _SHORTEST_SPANISH
    if is_long and (not word.isascii() or word.endswith(_SPANISH_ENDINGS)):
        return _snowball("spanish", word)
    stem = _snowball("english", word)
    if len(stem) < _SHORTEST_SPANISH or stem.endswith("e"):
        return stem
    spanish = _snowball("spanish", stem)
    is_verb = stem.endswith(("ar", "ir"))
    return spanish if len(spanish) >= _SHORTEST_RESULT or is_verb else stem


def _snowball(algorithm: str, word: str) -> str:
    stem: str = _stemmer(algorithm, get_ident()).stemWord(word)
    return stem


@lru_cache(maxsize=64)
def _stemmer(algorithm: str, thread: int) -> Any:
    """Return the stemmer of a thread: a stemmer keeps the word that it works on."""
    # `snowballstemmer` would give the same class, but is another package to load.
    from Stemmer import Stemmer

    return Stemmer(algorithm, 0)
