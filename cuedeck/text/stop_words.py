"""Words that name no subject.

Prose: function words of English and Spanish are searched, but with little weight.

The lists of `stopwordsiso` contain topics such as `page`, and take longer to load than
a search takes. Code has its own list, and so have negations and words of politeness.
"""

from __future__ import annotations

from cuedeck.text.fold_text import fold_text, fold_word_list

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
