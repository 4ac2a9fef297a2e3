"""Parts of a message of the user that were said by others: pasted code, quotations,
e-mails, logs and sessions of a shell.

When in doubt, a part was said by another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LEAST_LOG_LINES = 3
"""Lines of the shortest log without marks of Markdown."""
_MOST_OF_LINE = 300
"""Characters of a line that are compared with the patterns of logs."""
_MOST_HEADERS = 6
"""Lines in which the headers of an e-mail are searched for."""
_QUOTATION = re.compile(
    r"""
    (?<![\w`]) (?:
      "(?=\S) [^"]{1,2000} "(?!\w)
    | '(?=\w) (?:[^'\n]|(?<=\w)'(?=\w)){1,500} '(?!\w)
    | “[^”]{1,2000}” | «[^»]{1,2000}» | „[^“”]{1,2000}[“”]
    )
    """,
    re.VERBOSE,
)
_REPORT = re.compile(
    r"""
    (?: (?<!\bi\ )(?<!\byou\ )\b(?:says|said|wrote|writes|states|recommends)
      | \b(?:docs|documentation|readme|they|people)\ say
      | \b(?:dice|dijo|dit|sagt|schrieb|пишет|сказал|каже)
    )\b[^:,\n]{0,40}[:,]\s.*
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""Words of another one without quotation marks, to the end of a sentence."""
_COMMENT = re.compile(r"(?<!`)<!--.*?(?:-->|\Z)", re.DOTALL)
_JOINED = str.maketrans(".!?", "\ue02e\ue021\ue03f")
_SEPARATE = str.maketrans("\ue02e\ue021\ue03f", ".!?")
_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})")
_QUOTED = re.compile(r"\s*>")
_INDENTED = re.compile(r"(?: {4}|\t)\s*\S")
_FILLED = re.compile(r"\s*\S")
_SHELL = re.compile(
    r"""
    (?: (?:\([\w.-]+\)\s)?
        (?: [\w.-]+@[\w.-]+[:\ ]\S*\s?[$\#%>]
          | [\w.-]+@[\w.-]+\ (?:MINGW|MSYS|UCRT|CLANG)\w*\ [^\n]+ | (?:PS\ )?[A-Z]:\\[^\n>]*>
          | (?:~|~?/[^\s$❯%]*)\s?[❯$%] | (?:ba|z)?sh[\d.-]*[$\#] )(?:\s|$)
      | (?P<bare>[$%➜❯λ])\s+[a-z./~] )
    """,
    re.VERBOSE,
)
"""A prompt of a shell; the output of its command follows."""
_MAIL = re.compile(
    r"""
    (?=(?:[\w-]+:\ [^\n]*\n){0,5}
       (?:(?:subject|betreff|asunto|objet|тема):|[\w-]+:[^\n]*@))
    (?:(?:from|to|cc|subject|date|sent|von|an|betreff|datum|de|para|à|asunto|objet|fecha
         |от|кому|тема|дата|від):\ [^\n]*\n){2}
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Headers of an e-mail."""
_MAIL_END = re.compile(
    r"""
    (?: (?:(?:best|kind|warm|many)\ )?(?:regards|wishes|thanks|cheers|sincerely)
      | thank\ you | (?:mit|viele|beste)\ [\w\ ]*grüße\w* | saludos | cordialement
      | с\ уважением | з\ повагою | --
    )[,.!]?\s*$
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""The line before the signature of an e-mail."""
_LEAD = re.compile(
    r"""
    (?: (?<!\bavoid\ )(?<!\bprevent\ )(?<!\bhandle\ )(?<!\bwrite\ )(?<!\bfor\ the\ )
        \b(?:outputs?|logs?|traceback|stack\ ?trace|errors?|readme|article|e-?mail)
    | \b(?:pasted?|copied
    | says|(?<!\bi\ )said|wrote|writes|printed|prints|reported|answered|replied
    | salida|registro|dice|dijo|escribió|respondió|correo
    | sortie|journal|dit|écrit|répondu
    | ausgabe|protokoll|meldung|sagt|schrieb|antwortete
    | вывод|лог|ошибка|пишет|сказал|ответил|вивід|помилка|каже|відповів)
    )\b[^\n:]{0,60}:\s*$
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A line that announces words of a program or of another person."""
_LOG_LINE = re.compile(
    r"""
    \s*(?:
      \[?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d | \[?\d\d:\d\d:\d\d\b
    | \[?(?:error|warn(?:ing)?|info|debug|trace|fatal|notice|panic|critical
        |ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|NOTICE|CRITICAL)\b\]?[:\s\]\[(]
    | at\ [\w$.<>\[\]\ ]+\ ?\(?[^\s()]*:\d+ | File\ "[^"]+",\ line\ \d+
    | Traceback\ \(most | [\w.]+(?:Error|Exception|Warning)\b:
    | (?:npm|yarn|pnpm|cargo|pip)\ (?:ERR|WARN|error|notice)
    | @@\ | [+-]{3}\ [ab]/ | diff\ --git | index\ [0-9a-f]{7}
    | \d+\s*[│|]\ | -->\ \S+:\d+ | [^\s:]+\.\w+:\d+(?::\d+)?[:\s]
    | (?:FAILED|PASSED|FAIL|PASS|not\ ok|---\ (?:FAIL|PASS))\b | [✓✔✗✘×●⏺⎿❯╭│╰├└]\s?
    | [-=]{3,}\ \S | \{" | [{}\[\]]{1,3},?\s*$ | "[^"\n]{1,80}":\s | (?:GET|POST|PUT|DELETE|HEAD)\ /
    )
    """,
    re.VERBOSE,
)
"""A line of a log, a stack trace, a terminal or a diff."""


def without_quotations(sentence: str) -> str:
    """Return a sentence in which words of others are replaced by `""`."""
    return _REPORT.sub('""', _QUOTATION.sub('""', sentence))


def join_quotations(text: str) -> str:
    """Return a text in which quotations contain no end of a sentence, so that they are
    divided nowhere; `restore_quotations` is the inverse.
    """
    return _QUOTATION.sub(lambda found: found[0].translate(_JOINED), text)


def restore_quotations(text: str) -> str:
    """Return a part of a text of `join_quotations` as it was."""
    return text.translate(_SEPARATE)


def is_marked(block: str) -> bool:
    """Return whether a pasted block is enclosed in marks of Markdown."""
    text = block.lstrip("\n")
    return any(each.match(text) for each in (_FENCE, _QUOTED, _INDENTED))


def split_pasted(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the parts of a text in order, and whether they were said by others."""
    lines = text.split("\n")
    start = at = 0
    is_announced = False
    """Whether the last line that is not blank announces a pasted block."""
    while at < len(lines):
        end = _paste_end(lines, at, is_announced) if lines[at].strip() else at
        if end > at:
            yield from _split_lines("\n".join(lines[start:at]))
            yield True, "\n".join(lines[at:end])
            start = at = end
            is_announced = False
            continue
        if lines[at].strip():
            is_announced = bool(_LEAD.search(lines[at][-_MOST_OF_LINE:]))
        at += 1
    yield from _split_lines("\n".join(lines[start:]))


def _split_lines(text: str) -> Iterator[tuple[bool, str]]:
    start = 0
    for found in _COMMENT.finditer(text):
        yield False, text[start : found.start()]
        yield True, found[0]
        start = found.end()
    yield False, text[start:]


def _paste_end(lines: list[str], at: int, is_announced: bool) -> int:
    """Return the line after the pasted block that begins at a line; the line itself if
    none does.
    """
    first = lines[at]
    is_after_blank = at == 0 or not lines[at - 1].strip()
    fence = _FENCE.match(first)
    if fence:
        return _fence_end(lines, at, fence["fence"])
    if _QUOTED.match(first):
        return _run_end(lines, at, _QUOTED)
    if is_after_blank and _INDENTED.match(first):
        return _run_end(lines, at, _INDENTED)
    shell = _SHELL.match(first)
    if shell and not shell["bare"]:
        prompts = (
            end for end in range(len(lines) - 1, at, -1) if _SHELL.match(lines[end])
        )
        return _run_end(lines, next(prompts, at), _FILLED)
    if is_announced or (shell and is_after_blank):
        return _run_end(lines, at, _FILLED)
    if _MAIL.match("\n".join(lines[at : at + _MOST_HEADERS])):
        ends = (end for end in range(at, len(lines)) if _MAIL_END.match(lines[end]))
        return _run_end(lines, next(ends, len(lines)), _FILLED)
    end = _log_end(lines, at)
    return end if end - at >= _LEAST_LOG_LINES else at


def _fence_end(lines: list[str], at: int, fence: str) -> int:
    for end in range(at + 1, len(lines)):
        found = _FENCE.match(lines[end])
        if found and found["fence"].startswith(fence):
            return end + 1
    return len(lines)


def _run_end(lines: list[str], at: int, pattern: re.Pattern[str]) -> int:
    end = at
    while end < len(lines) and pattern.match(lines[end]):
        end += 1
    return end


def _log_end(lines: list[str], at: int) -> int:
    """Return the line after the log that begins at a line. Indented lines, and a single
    other line between two of its lines, belong to it.
    """
    end = at
    inside: tuple[str, ...] = (" ", "\t")
    while end < len(lines):
        following = lines[end : end + 2] if end > at else lines[at : at + 1]
        is_log = any(_LOG_LINE.match(line[:_MOST_OF_LINE]) for line in following)
        if lines[end].startswith(("@@ ", "diff --git ")):
            inside = (" ", "\t", "+", "-")
        is_indented = end > at and lines[end].startswith(inside)
        if not is_log and not is_indented:
            break
        end += 1
    return end
