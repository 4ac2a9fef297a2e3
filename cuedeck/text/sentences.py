"""Splitting of prose into sentences, in scripts with and without spaces."""

from __future__ import annotations

import re
from bisect import bisect_right

_SHORT = """
    e.g i.e cf vs etc al approx ca fig figs no nos eq sec ch vol pp ed eds mr
    mrs ms dr prof st jr sr inc ltd co corp dept est a.m p.m u.s u.k jan feb mar
    apr jun jul aug sep sept oct nov dec p.ej sra srta dra ud uds pág núm z.b
    d.h u.a bzw usw ggf
"""
_ABBREVIATIONS = frozenset(_SHORT.split())
_END = re.compile(r"[.!?…]+[\"'”’»)\]*_]*(?=\s)|[。！？]+[」』”’）]*")
_OPENS = re.compile(r"[\"'“‘«(\[*_`¿¡]*(?:[^\Wa-zß-öø-ÿ_]|[`~$/<@#-]|[^\x00-\u024f])")
"""The beginning of a sentence: a capital, a digit, code, or another script."""
_LAST_WORD = re.compile(r"[^\s(\[\"'“‘«]*$")
_CODE = re.compile(r"`[^`\n]*`")
_BLANKS = re.compile(r"\s*")
_LONGEST_WORD = 40
"""Characters before a full stop in which an abbreviation is searched for."""
_SPACELESS_ENDS = "。！？"
_CLAUSE_MARKS = (", ", "; ", ": ")
_CLAUSE_END = r"[,;:.!?…–—]+(?=\s|$)|[。！？，、]|\n+|\s[-–—]\s"
_QUESTION_END = r"[?？؟][^\w(]*(?:\([^()]*\))?\W*\Z"
_QUESTION_START = r"""(?ix)\s*[¿]?(?:
    how|why|where|who|whose|which
    |when\s(?:do|does|did|is|are|will)\b|what(?:['’]?s|\s(?:is|are|was|were|does|do|did|should|would|about))
    |(?:can|could|would|will)\s(?:you|we|i)
    |(?:is|are|was|were|does)\s(?:there|it|we|i|the|you|this|that)
    |cómo|por\squé|dónde|quién|cuál(?:es)?|qué|puedes|podrías
    |comment|pourquoi|où|quelles?|quels?|est-ce|peux-tu|pouvez-vous
    |wie|warum|wo|wer|welche[rs]?|kannst\sdu|können\ssie
    |как|почему|где|кто|какой|какая|какие|можешь|чому|де|хто|який|яка|які|чи
    )\b(?![^\n]*[:.!;]\s*\S)"""
_LONGEST_REMARK = 300
LONGEST = 600
"""Maximum characters of a sentence; a longer one is divided."""


def split_sentences(
    text: str, *, longest: int = LONGEST, is_casual: bool = False
) -> list[str]:
    """Return the sentences of a text in order. A line break ends a sentence.

    Inline code is not divided, and an abbreviation such as `e.g.` ends no sentence. A
    sentence of more than `longest` characters is divided between clauses or words. In a
    casual text, sentences may begin in lower case.
    """
    found: list[str] = []
    for row in text.split("\n"):
        line = row.strip()
        if line:
            for sentence in _split_line(line, is_casual):
                parts: list[str] = []
                while len(sentence) > longest:
                    head = sentence[:longest]
                    cut = max(head.rfind(mark) + 1 for mark in _CLAUSE_MARKS)
                    if cut <= longest // 2:
                        cut = head.rfind(" ")
                    cut = cut if cut > 0 else longest
                    parts.append(sentence[:cut].rstrip())
                    sentence = sentence[cut:].lstrip()
                found += [*parts, sentence]
    return found


def first_sentence(text: str) -> str:
    """Return the first sentence of a text; empty if there is none."""
    return next(iter(split_sentences(text)), "")


def split_clauses(text: str) -> list[str]:
    """Return the clauses of a text, without the marks between them."""
    return re.split(_CLAUSE_END, text)


def _split_line(line: str, is_casual: bool) -> list[str]:
    code = [match.span() for match in _CODE.finditer(line)]
    starts = [begin for begin, _ in code]
    found: list[str] = []
    start = 0
    for match in _END.finditer(line):
        end = match.end()
        before = bisect_right(starts, match.start()) - 1
        if before >= 0 and match.start() < code[before][1]:
            continue
        if not _ends_sentence(line, start, match, is_casual):
            continue
        found.append(line[start:end].strip())
        start = end
    found.append(line[start:].strip())
    return [each for each in found if each]


def _ends_sentence(
    line: str, start: int, match: re.Match[str], is_casual: bool
) -> bool:
    mark = match[0]
    if mark[0] in _SPACELESS_ENDS:
        return True
    blanks = _BLANKS.match(line, match.end())
    if blanks is None:
        return False
    if not is_casual and not _OPENS.match(line, blanks.end()):
        return False
    if mark != ".":
        return True
    start = max(start, match.start() - _LONGEST_WORD)
    before = _LAST_WORD.search(line[start : match.start()])
    word = before[0].casefold() if before else ""
    is_initial = len(word) == 1 and word.isalpha()
    return word not in _ABBREVIATIONS and not is_initial


def is_question(text: str) -> bool:
    """Return whether a text ends with a question, apart from a remark in brackets."""
    return re.search(_QUESTION_END, text[-_LONGEST_REMARK:]) is not None


def asks(message: str) -> bool:
    """Return whether a message of a user is a question, also one without a question
    mark: a single sentence that begins as a question does.
    """
    return is_question(message) or re.match(_QUESTION_START, message) is not None
