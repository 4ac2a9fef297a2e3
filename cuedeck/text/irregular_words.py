"""Irregular English and Spanish forms, which no stemmer joins with their base form."""

from __future__ import annotations

from cuedeck.text.fold_text import fold_word_list

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
    preferir prefiero prefiere, mostrar muestra, servir sirve, elegir elige eligió
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
