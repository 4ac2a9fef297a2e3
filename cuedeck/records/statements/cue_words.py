"""Words and phrases that show the kind of a sentence, in six languages.

A phrase matches whole words in any case; `*` matches the rest of a word. The tables
are ordered: a sentence has the first kind of which it contains a phrase.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

RULES = """
    always; never; from now on; next time; every time; whenever; i prefer;
    make it a rule;
    siempre; nunca; jamás; a partir de ahora; de ahora en adelante; prefiero;
    cada vez que;
    toujours; jamais; désormais; à partir de maintenant; je préfère; chaque fois;
    immer; niemals; nie; ab jetzt; ab sofort; jedes mal; ich bevorzuge;
    всегда; никогда; отныне; нельзя; впредь; каждый раз; я предпочитаю;
    завжди; ніколи; відтепер; не можна; надалі; щоразу
"""
"""Phrases of a standing instruction, anywhere in a sentence."""
ORDERS = """
    don't; do not; never; only use; use only; avoid; stop; no more; you must not;
    no uses; no toques; no cambies; no hagas; evita; usa solo;
    ne * pas; évite; n'utilise;
    bitte keine; vermeide; benutze nur; verwende nur;
    не надо; не используй; не трогай; не меняй; больше не; используй только;
    не треба; не використовуй; не чіпай; не змінюй; більше не; використовуй лише
"""
"""Phrases that begin an instruction which holds until it is withdrawn."""
CORRECTIONS = """
    no,; no.; wrong; that's not; that is not; not like that; i said; i meant; revert;
    undo; stop doing; why did you; why on earth; still wrong; still broken; not what i;
    está mal; eso no; te dije; revierte; deshaz; por qué hiciste;
    c'est faux; ce n'est pas; j'ai dit; annule;
    falsch; so nicht; ich sagte; mach das rückgängig; warum hast du;
    неправильно; не так; я сказал*; верни; отмени; зачем ты;
    неправильно; не так; я казав; я казала; поверни; скасуй; навіщо ти
"""
CHOICES = """
    let's go with; let's use; let's do; let's take; go with; i'd prefer; i choose;
    we'll use; we should use; i want to use; i decided; we decided; decision:; agreed;
    vamos con; usemos; elijo; decidí; decidimos; mejor con;
    on prend; je choisis; allons-y avec; décidé;
    nehmen wir; wir nehmen; ich wähle; entschieden;
    давай возьм*; выбираю; решил*; будем использовать; используем;
    давай візьм*; обираю; вирішив; вирішила; вирішили; використаємо
"""
FAILED = """
    failed; fails; did not work; didn't work; does not work; doesn't work; hangs;
    not supported; doesn't yet; doesn't support; ruled out; not the cause; reverted;
    reverting; couldn't; could not; was canceled; was cancelled;
    falló; falla; no funciona; no funcionó; no se pudo;
    échoue; a échoué; ne fonctionne pas; n'a pas marché;
    fehlgeschlagen; schlägt fehl; funktioniert nicht; ging nicht;
    не работает; не сработало; не удалось; ошибка;
    не працює; не спрацювало; не вдалося; помилка
"""
FINDINGS = """
    the issue is; the issue was; the problem is; the problem was; the cause is;
    the cause was; the error is; the bug is; the bug was; root cause; because;
    turns out; turned out; found it; one thing to know; requires; mismatch;
    el problema es; el problema era; la causa; porque; resulta que; requiere;
    le problème est; la cause; parce que; il s'avère;
    das problem ist; die ursache; weil; es stellt* sich heraus;
    проблема в; причина; потому что; оказалось; оказывается;
    проблема в; причина; тому що; виявилося; виявляється
"""
DECISIONS = """
    decided; decision:; i chose; instead of; rather than; changed * to; switched to;
    we keep; i kept; left * alone; on purpose; deliberately; decidí;
    decidimos; en lugar de; en vez de; j'ai choisi; au lieu de;
    entschieden; statt; решил*; вместо; вирішив; вирішила; замість
"""
DONE = """
    fixed; added; created; implemented; introduced; updated; removed; renamed; moved;
    now uses; now has; now supports; now sends; enabled; disabled; corregido; agregado;
    añadido; creado; implementado; actualizado; eliminado; corrigé; ajouté; créé;
    supprimé; behoben; hinzugefügt; erstellt; entfernt; исправлен*; добавлен*; создан*;
    удален*; обновлен*; виправлен*; додан*; створен*; видален*; оновлен*
"""
OPEN = """
    next step; next steps; remaining steps; remaining work; todo; to do; still need*;
    still missing; still open; not yet; begin phase; start with; starting with;
    i recommend; the fix would be; would begin with; not written; pending;
    when ready; to be done; próximo paso; próximos pasos;
    pendiente; falta; queda por; todavía no; prochaine étape; reste à; pas encore;
    nächster schritt; noch offen; noch nicht; fehlt noch; следующ* шаг; осталось;
    ещё не; пока не; наступн* крок; залишилося; ще не; поки не
"""
PASSING = """
    possibly; maybe; perhaps; not always; does not always; quizás; tal vez; peut-être;
    yet; today; tomorrow; mañana; demain; morgen; завтра;
    i never; i always; it always; it never; they always; they never;
    vielleicht; nicht immer; возможно; не всегда; можливо; не завжди;
    for now; this time; just this once; right now; for the moment; temporarily;
    por ahora; esta vez; de momento; temporalmente; pour l'instant; cette fois;
    pour le moment; vorerst; diesmal; im moment; пока; на этот раз; временно; наразі;
    цього разу; тимчасово; поки що
"""
"""Phrases of guesses, of reports and of what holds once, which make no rule."""
QUESTIONS = """
    why; what; how; when; where; which; does; do you; don't you; didn't; is it; are you;
    can you; could you; would you; should; por qué; cómo; cuándo; pourquoi; comment;
    warum; wieso; wie; почему; зачем; как; чому; навіщо; як
"""
"""Beginnings of questions, which are often typed without a question mark."""
COURTESIES = """
    don't worry; don't know; don't think; don't understand; don't see; don't remember;
    have to go; have to leave; never mind; nevermind; no te preocupes; no sé; no entiendo;
    ne t'inquiète pas; je ne sais pas; keine sorge; weiß nicht; не знаю; не понимаю;
    не розумію
"""
PREAMBLES = """
    let me; i'll; i will; now let; now i; perfect; great; excellent; good; sure;
    looking; first,; i can see; i see; would you like; do you want; you're right;
    voy a; ahora; déjame; perfecto; claro; je vais; parfait; d'accord; ich werde;
    perfekt; lass mich; сейчас; отлично; давайте; хорошо; зараз; чудово
"""
"""Beginnings of sentences in which an agent announces its next step."""

_AGENT_KINDS: Mapping[str, str] = {
    "failed": FAILED,
    "finding": FINDINGS,
    "decision": DECISIONS,
    "open": OPEN,
    "done": DONE,
}


def is_rule(sentence: str) -> bool:
    """Return whether a sentence of the user is a standing instruction."""
    if len(sentence) > _LONGEST_RULE or sentence.rstrip().endswith("?"):
        return False
    if _pattern(QUESTIONS).match(sentence):
        return False
    if _pattern(PASSING).search(sentence) or _pattern(COURTESIES).search(sentence):
        return False
    if _pattern(RULES).search(sentence):
        return True
    start = _LEAD.sub("", sentence)
    return _pattern(ORDERS).match(start) is not None


def is_correction(message: str) -> bool:
    """Return whether a message of the user begins by correcting the last turn."""
    return _pattern(CORRECTIONS).match(message.lstrip()) is not None


def is_choice(sentence: str) -> bool:
    """Return whether a sentence of the user chooses something."""
    return _pattern(CHOICES).search(sentence) is not None


def kind_of_reply(passage: str) -> str:
    """Return the kind of a passage of the agent; `message` without a cue word."""
    if _CHECKED.search(passage):
        return "done"
    for kind, phrases in _AGENT_KINDS.items():
        if _pattern(phrases).search(passage):
            return kind
    return "message"


def is_head_of_steps(block: str) -> bool:
    """Return whether a block is the heading of a list of open steps."""
    text = block.rstrip("*: ")
    if len(text.split()) > _LONGEST_HEAD or text.endswith((".", "!", "?")):
        return False
    return _pattern(OPEN).search(text) is not None


def is_preamble(passage: str) -> bool:
    """Return whether a passage of the agent only announces its next step."""
    return _pattern(PREAMBLES).match(passage) is not None


_LONGEST_HEAD = 5
"""Words of a heading of open steps."""
_CHECKED = re.compile("[✅✔☑]")
_LONGEST_RULE = 240
"""Characters of a rule; longer sentences are mostly output or descriptions."""
_LEAD = re.compile(
    r"\A(?:(?:and|but|also|please|ok|okay|so|y|pero|también|por favor|et|mais|aussi|"
    r"und|aber|auch|bitte|и|но|также|пожалуйста|і|але|також|будь ласка)[,:]?\s+)+",
    re.I,
)
"""Words before the verb of an instruction."""


@cache
def _pattern(phrases: str) -> re.Pattern[str]:
    parts = []
    for phrase in phrases.split(";"):
        words = phrase.split()
        if words:
            parts.append(r"\s+".join(map(_word, words)))
    return re.compile(rf"(?<![\w'])(?:{'|'.join(parts)})(?![\w'])", re.I)


def _word(word: str) -> str:
    if word == "*":
        return r"\S+"
    return re.escape(word).replace(r"\*", r"\w*").replace("'", "['’]")
