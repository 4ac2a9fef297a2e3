"""Words of messages to a coding agent that do not name a subject.

Words of requests say what to do. Common words occur in the comments of most programs
(measured over the standard library of Python and its packages), and so in messages
about any of them; words of time are common, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from cuedeck.model.fold_text import fold_word_list
from cuedeck.records.recall.irregular_words import BASE_FORMS
from cuedeck.records.recall.recall_terms import read_stems

_ENGLISH = """
    add ask best better bug build change check clean clear code commit compare
    complete convert copy correct count create current day debug delete describe
    difference different document easy edit error example exception explain fail
    failure fault file find first fix format function generate get give go good
    great help i idea implement improve include install issue keep know last line
    list look make mean mention method module month move need new next nice old one
    open optimize parameter people person please point print problem project pull
    push put question quick read reason refactor remember remove rename replace repo
    repository request review rewrite run say script search second see set show
    simple simplify something sort start stop suggest summarize summary support
    switch take task test thank thing think three time today tomorrow translate try
    two type understand update use variable verify want way week word work write
    wrong year yesterday
"""
_SPANISH = """
    agregar arreglar ayer añadir año borrar bueno buscar cambiar comprobar correcto
    corregir correr crear decir día ejecutar ejemplo eliminar encontrar entender
    error errores escribir explicar falla fallar fallo funcionar función fácil
    generar gente gracias hacer haz hoy idea leer lista línea manera mañana mejor
    mejorar mes mirar mostrar mover necesitar necesito nuevo pensar poner pregunta
    probar problema proyecto prueba puedes quiero quitar recordar renombrar resumen
    resumir revisar rápido saber sabes semana tarea tiempo usar usamos ver versión viejo
"""
_COMMON = """
    absolute abstract accept access active add additional algorithm alias allow
    append appear apply arbitrary argument array assert assign assume attempt
    attribute automatic background bar base basic begin behavior binary bit block
    body bool boundary bracket buffer byte cache calculate callable callback call
    cancel case catch chain character child choose class close collection color
    column combine comma command comment common comparison compatible compile
    complex component compute condition config configuration connection consistent
    constant construct contain content context continue control conversion convert
    corresponding count cover data debug decide declaration decode decorator default
    define definition depend dependency deprecated description detail detect
    determine dictionary difference digit directory disable display dot double drop
    duplicate dynamic effect element empty enable encode end enter entire entry
    environment equal escape event exact exclude execute exist exit expect explicit
    expression extend external extra extract fallback feature field fill filter
    final finish flag float folder force form format forward frame free future
    general generic global graph group guarantee handle happen hash header height
    hidden hold html http identifier ignore image immediate implement include index
    indicate individual inherit initial inline inner input insert inside instance
    integer interface internal interpreter invalid item iterate join json keep key
    keyword kind label language large layout lead left length letter level library
    limit line link list literal load local locate location log logic long lookup
    loop low main manager manual match maximum member memory menu merge message
    metadata middle minimum miss mode model modify multiple name namespace native
    negative nest next node note null number object obtain occur offset omit
    operator option order original outer output override overlap package page pair panel
    parallel parent parse parser part partial pass path pattern perform performance
    pixel place plain plot position possible prefix present preserve prevent
    previous print private process produce program property protocol provide public
    quote raise random range raw reach real receive recursive reduce reference
    register regular relative render repeat replace report represent representation
    require reset resolve resource respond response rest restore result retrieve
    return reuse reverse root round row rule runtime safe sample save scope screen
    scroll section select semantic send sentence separate separator sequence
    serialize set shape share shared short sign signature similar single size skip
    slow small socket source space special specific specify split square stack
    standard state statement static status step store stream strict string strip
    structure style subclass submit suffix support switch symbol syntax system table
    tag target template terminal text title together toggle tool top total trace
    track trailing transform translate tree trigger tuple turn unicode union unique
    unit unknown unused upload user utility valid validate value variable various
    vector vertical view visible wait warning whitespace whole width window wrap
    wrapper zero minute hour second night morning afternoon evening ten five six
    seven eight nine hundred thousand half monday tuesday wednesday thursday friday
    saturday sunday january february march april june july august september october
    november december
"""
_COMMON_SPANISH = """
    archivo ámbito base bloque botón campo carpeta clase clave columna consulta contenido
    dato detalle elemento enlace estado etiqueta fila formato hora imagen índice lento
    límite lote mensaje menú minuto nombre noche número objeto opción orden página
    pantalla parámetro paso patrón propiedad registro resultado segundo tabla tamaño
    texto tipo total usuario valor variable ventana lunes martes miércoles jueves viernes
    sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre
    noviembre diciembre
"""


_PREFIX = 2
"""Letters that a word shares with every word of the same stem."""
_LONG = 5
"""Length of a word from which it shares one more letter."""


def is_request(stem: str) -> bool:
    """Return whether a stem is that of a word of requests."""
    return _contains(f"{_ENGLISH} {_SPANISH}", stem)


def is_common(stem: str) -> bool:
    """Return whether a stem is that of a common word."""
    return _contains(f"{_COMMON} {_COMMON_SPANISH}", stem)


@cache
def _contains(words: str, stem: str) -> bool:
    """Return whether a stem is that of one of the words.

    Only the words that begin like the stem are stemmed, because stemming all of them
    would take longer than a search.
    """
    listed, folded = _fold_words(words)
    wanted = f" {stem[:_PREFIX]}"
    at = folded.find(wanted)
    while at >= 0:
        base = folded[at + 1 : at + 1 + _LONG].split(" ")[0]
        is_like = len(base) < _LONG or base[_PREFIX] == stem[_PREFIX : _PREFIX + 1]
        if is_like and stem in read_stems(listed[folded.count(" ", 0, at)]):
            return True
        at = folded.find(wanted, at + 1)
    return False


@cache
def _fold_words(words: str) -> tuple[Sequence[str], str]:
    """Return the words, and their base forms without accents as one text with a space
    before each.
    """
    listed = words.split()
    bases = "".join(f" {BASE_FORMS.get(word, word)}" for word in listed)
    return listed, fold_word_list(bases)
