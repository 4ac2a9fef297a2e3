"""Words of requests to a coding agent that say what to do, not about what."""

from __future__ import annotations

from functools import cache

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
    resumir revisar rápido saber sabes semana tarea tiempo usar ver versión viejo
"""


@cache
def request_stems() -> frozenset[str]:
    """Return the stems of the words."""
    return frozenset(read_stems(f"{_ENGLISH} {_SPANISH}"))
