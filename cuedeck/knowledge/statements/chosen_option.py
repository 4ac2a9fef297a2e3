"""Option of an offer that a prompt names: `B`, `2, but …`, `the second one`."""

from __future__ import annotations

import re

from cuedeck.text.fold_text import fold_text

_WORDS = r"(?:option|opción|opcion|variante|вариант|варіант)"
_SIGN = re.compile(rf"(?:{_WORDS} )?\(?([A-H]|\d)\)?(?:[.,!:)]|\s*$)", re.I)
_NAMED = re.compile(rf"[^.?!\n]{{0,60}}\b{_WORDS} ([A-H]|\d)\b", re.I)
_ANSWERS = re.compile(r"(?:^|\s)\d{1,2}[.)]\s")
_LEAD = re.compile(
    r"[^\n]*\b(?:answer|respuesta|respond|répon|antwort|ответ|відпов)\w*[^\n]*:", re.I
)
"""A first line that announces answers."""
_LETTERED = re.compile(
    rf"\s*(?:(?:[-*+]|#{{1,6}})\s*)?\**\(?({_WORDS}\s+)?([A-H]|\d{{1,2}})\b[.):]*\**",
    re.I,
)
_ITEM = re.compile(
    rf"(\s*)(?:[-*+]|\(?(?:[A-H]|\d{{1,2}})[.):]|#+ {_WORDS} \w+:?)\s", re.I
)
_ORDINALS = (
    "first|primer[ao]?|premiere?|erste[nrs]?|перв(?:ый|ую|ое|ая)|перш(?:ий|у|е|а)",
    "second|segund[ao]|deuxieme|seconde?|zweite[nrs]?|втор(?:ой|ую|ое|ая)|друг(?:ий|у|е|а)",
    "third|tercer[ao]?|troisieme|dritte[nrs]?|трет(?:ий|ью|ье|ья|ій|ю|є|я)",
    "fourth|cuart[ao]|quatrieme|vierte[nrs]?|четверт(?:ый|ую|ое|ая|ий|у|е|а)",
    "last|ultim[ao]|dernier[e]?|letzte[nrs]?|последн(?:ий|юю|ее|яя)|останн(?:ій|ю|є|я)",
)
_LAST = len(_ORDINALS) - 1
_NOUNS = r"(?:one|option|opcion|approach|idea|solution|variant[e]?|вариант|варіант)"
_ORDINAL = re.compile(
    rf"[^.?!\n]{{0,40}}?\b(?:{'|'.join(f'({fold_text(each)})' for each in _ORDINALS)})"
    rf"(?: {_NOUNS}\b|\s*[.,!]|\s*$)",
)
_LEAST_ANSWERS = 2
_END = 1_500
"""Characters of the end of an offer in which questions are."""
_MOST_WORDS = 20
"""Words of the longest message in which an ordinal names an option."""


def chosen_option(prompt: str, offer: str) -> str:
    """Return the text of the option of an offer that a prompt names; empty if it names
    none. Of several lists the last one counts, because offers are at the end.
    """
    prompt = prompt.lstrip()
    named = _NAMED.match(prompt) or _SIGN.match(prompt)
    if not offer:
        return ""
    if named is None:
        return _of_ordinal(prompt, offer)
    if len(_ANSWERS.findall(prompt)) > 1:
        return ""  # a list of answers to questions
    found = ""
    is_called_option = False
    for row in offer.split("\n"):
        option = _LETTERED.match(row)
        if option is None or option[2].lower() != named[1].lower():
            continue
        text = _text(row[option.end() :])
        is_better = bool(option[1]) or not is_called_option
        if text and text[-1] not in "?:" and is_better:
            found, is_called_option = text, bool(option[1])
    return found


def answers_questions(prompt: str, offer: str) -> bool:
    """Return whether a prompt is a numbered list of answers to questions at the end of
    an offer.
    """
    lead = _LEAD.match(prompt)
    if (
        _ANSWERS.match(prompt, lead.end() if lead else 0) is None
        or len(_ANSWERS.findall(prompt)) < _LEAST_ANSWERS
    ):
        return False
    return "?" in offer[-_END:]


def _of_ordinal(prompt: str, offer: str) -> str:
    if len(prompt.split()) > _MOST_WORDS or "?" in prompt:
        return ""
    ordinal = _ORDINAL.match(fold_text(prompt))
    if ordinal is None:
        return ""
    at = (ordinal.lastindex or 1) - 1
    items = _last_list(offer)
    if at == _LAST:
        at = len(items) - 1
    return items[at] if 0 <= at < len(items) > 1 else ""


def _last_list(offer: str) -> list[str]:
    items: list[str] = []
    depth = 0
    is_open = False
    for row in offer.split("\n"):
        item = _ITEM.match(row)
        if item is None:
            is_open = is_open and (not row.strip() or row[:1].isspace())
            continue
        indent = len(item[1])
        if not is_open:
            items, depth, is_open = [], indent, True
        if indent <= depth:
            items.append(_text(row[item.end() :]))
    return items


def _text(row: str) -> str:
    return " ".join(row.replace("*", "").split()).lstrip(": ")
