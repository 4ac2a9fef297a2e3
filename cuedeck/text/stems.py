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


_ENGLISH = """
         a about above after again against all also am an and any
    are aren't as at     be because been before being below between
    both but by     can can't cannot could couldn't did didn't do
    does doesn't doing don't down during     each ever few for from
    further had hadn't has hasn't have haven't having he her
    here hers herself him himself his how i i'd i'll i'm i've if in
    into is isn't it     its it's itself just let let's like
    many may me might more most much must my myself no nor not of
    off on once only or     other ought our ours ourselves out over
    own please     same shall she should shouldn't so some such
    tell than that that's the their theirs them themselves then
    there these they this     those through to too under until up us
    very was wasn't we were weren't what what's when where which
    while who whom whose     why will with won't would wouldn't yet
    you your yours yourself yourselves
"""
_SPANISH = """
         a al algo algún alguna algunas alguno algunos ante aquel
    aquella aquellas aquello     aquellos aquí así aún aunque bajo
    bien cada casi como cómo con contra cual cuál     cuáles
    cualquier cuando cuándo cuánta cuántas cuánto cuántos cuyo cuya
    de del desde donde dónde durante e el él ella ellas ello ellos
    en entre era eran     eres es esa esas ese eso esos está están
    estaba estaban estamos estar estas este     esto estos estoy
    estuvo fue fueron fui ha había habían hace haber hacer hacia han
    has hasta hay he hemos hice hicimos hizo incluso la las le les
    lo los     más me mi mía mías mío míos mis misma mismas mismo
    mismos mucha muchas mucho muchos     muy ni ninguna ningún no
    nos nosotras nosotros nuestra nuestras nuestro nuestros     o os
    otra otras otro otros para pero poco por porque pues que qué
    quien quién     quienes quiénes se según ser será si sí sido
    siempre sin sobre sois solo sólo somos     son soy su sus suya
    suyas suyo suyos     tal también tampoco tan tanta tanto te
    tenemos tener tengo tenía ti tiene tienen     toda todas todavía
    todo todos tras tu tú tus tuvo tuya tuyo u un una unas uno unos
    usted ustedes va vamos van vosotras vosotros voy y ya yo
    dime cuéntame recuérdame
"""
_TALK = """
         say says said saying tell tells told talk talks talked
    talking speak spoke discuss     discussed mention mentioned
    remember remembered forget forgot forgotten know knew     last
    thing things     hablar hablamos hablaste hablado hablé decir
    dijimos dije dijo dijeron dicho contar     conté contó comentar
    comentamos comentó mencionar mencionó mencionamos recordar
    recuerdas recuerdo olvidar olvidé olvidó saber sabes sabemos
    último última cosa cosas
"""
_CODE = """
         could else now one per see use used uses using via     add
    added adding adds allow allows change changed changes fix fixed
    fixes fixing instead make makes made new     remove removed
    removes support supports update updated updates     assert async
    await boolean bool case catch class const def default elif enum
    err error except export extends     false fn func function impl
    implements import int interface lambda let match mod mut nil
    none null number package     pass pub raise return self static
    str string struct super switch test tests true try type typeof
    undefined var     void yield
"""
NEGATIONS = """
         not no never none neither nor nobody nothing nowhere
    without     nunca jamás sin ni tampoco nadie nada ningún ninguna
    ninguno     ne pas aucun aucune sans     nicht nie niemals kein
    keine keinen keinem keiner ohne     non senza nessun nessuna não
    nao nem sem nenhum nenhuma niet geen nooit zonder     nie nigdy
    bez żaden     не нет ни никогда без нельзя 不 没 無 无 未 别 勿 莫
    can't cannot couldn't didn't doesn't don't hadn't hasn't haven't
    isn't aren't     shouldn't wasn't weren't won't wouldn't mustn't
"""
"""Words that negate a statement, in ten languages, separated by blanks."""
CHAT_WORDS = """
         actually bye certainly fact glad good great hello hey hi
    kindly keep mind nice note now obviously     oh ok okay really
    remember simply sorry sure thank thanks well wow yeah yes
    bien ciertamente claramente claro favor gracias hola información
    nota obviamente perdón posible     realmente recuerda supuesto
    vale
"""
"""Words of politeness and emphasis, which state nothing, separated by blanks."""
STOP_WORDS = frozenset(fold_word_list(f"{_ENGLISH} {_SPANISH}").split())
"""Folded function words."""
CODE_STOP_WORDS = frozenset(f"{_ENGLISH} {_CODE}".split())
"""English function words, verbs of commit messages, and keywords of programming
languages: no terms of code and docs.
"""
TALK_WORDS = frozenset(fold_word_list(_TALK).split())
"""Folded words that name a conversation and not its subject."""


def is_stop_word(word: str) -> bool:
    """Return whether a word, in any case and with or without accents, is a function
    word.
    """
    return fold_text(word) in STOP_WORDS
