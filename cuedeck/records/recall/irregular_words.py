"""Irregular English forms, which no stemmer joins with their base form."""

from __future__ import annotations

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
"""


def _read_forms() -> dict[str, str]:
    base_forms = {}
    for group in _FORMS.replace("\n", ",").split(","):
        base, *forms = group.split() or [""]
        base_forms.update(dict.fromkeys(forms, base))
    return base_forms


BASE_FORMS = _read_forms()
"""Irregular form -> base form, in lower case."""
