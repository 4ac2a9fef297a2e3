"""Private key blocks: PEM, OpenSSH, PGP, SSH2 and PuTTY, complete or truncated, also
inside quoted strings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ARMOUR, _PUTTY = KEY_MARKS = "PRIVATE KEY", "PuTTY-User-Key-File-"
"""Every private key contains one of these texts."""
# Strings, which `re` compiles at their first use: few texts contain a key.
_EDGE = r"-{{4,5}} ?{} (?:[A-Z0-9]{{1,12}} ){{0,3}}PRIVATE KEY(?: BLOCK)? ?-{{4,5}}"
_HEAD = _EDGE.format("BEGIN")
_TAIL = _EDGE.format("END")
_MATERIAL = r"[A-Za-z0-9+/=]{16,}|(?:\n|\\n)[A-Za-z0-9+/=]{4,}(?=\r?\n|\\n)"
# Between two lines there may be newlines (real or escaped) and characters of quotes,
# comments, diffs and code. The last line is shorter. It must end its line, so that
# prose after a block is not masked.
_BETWEEN = r"""(?:\s|\\[nrt]|["'`>#|*+,;()&\\])*+"""
_BODY = (
    rf"(?:{_BETWEEN}[A-Z][A-Za-z-]{{2,20}}: [^\r\n\\]{{0,200}})*+"
    rf"(?:{_BETWEEN}[A-Za-z0-9+/]{{40,}}+={{0,2}})*+"
    rf"""(?:{_BETWEEN}[A-Za-z0-9+/]{{2,}}+={{0,2}}(?=[ \t]*(?:[\r\n"'`\\]|$)))?"""
    rf"(?:{_BETWEEN}=[A-Za-z0-9+/]{{4}}(?![A-Za-z0-9+/=]))?"
)
_BEFORE = r"""(?:\s|[nrt]\\|["'`>#|*+,;()&\\])*+"""
_BODY_BACKWARDS = (
    rf"(?:{_BEFORE}[A-Za-z0-9+/]{{4}}=(?![A-Za-z0-9+/=]))?"
    rf"{_BEFORE}={{0,2}}[A-Za-z0-9+/]{{2,}}+(?:{_BEFORE}={{0,2}}[A-Za-z0-9+/]{{30,}}+)*+"
)
_PUTTY_KEY = (
    r"PuTTY-User-Key-File-[23]: [\w-]+(?:(?:\r?\n|(?:\\r)?\\n)[ \t]*"
    r"(?:Private-(?:MAC|Hash): [0-9a-f]*|[A-Z][A-Za-z0-9-]{2,20}: (?:[^\r\n\\]|\\(?![nr]))*+"
    r"|[A-Za-z0-9+/]{2,}+={0,2}(?=\s|\\[nr]|[\"'`]|$)))*+"
)


def key_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the span of every private key block, from BEGIN to END or to the last line
    that looks like base64.

    A header without key material after it (as in code that searches for one) is not a
    secret.
    """
    if _ARMOUR in text:
        yield from _armoured(text)
    if _PUTTY in text:
        for match in re.finditer(_PUTTY_KEY, text):
            if "Private-Lines:" in match[0]:
                yield match.span()


def _armoured(text: str) -> Iterator[tuple[int, int]]:
    heads = list(re.finditer(_HEAD, text))
    # The next header bounds the search for END, so that many headers without END do not
    # each scan the whole text.
    limits = [head.start() for head in heads[1:]]
    limits.append(len(text))
    closed = set()
    for head, limit in zip(heads, limits, strict=False):
        tail = re.compile(_TAIL).search(text, head.end(), limit)
        if tail and _is_material(text[head.end() : tail.start()]):
            closed.add(tail.start())
            yield head.start(), tail.end()
            continue
        body = re.compile(_BODY).match(text, head.end(), limit)
        if body and _is_material(body[0]):
            yield head.start(), body.end()
    yield from _headless(text, [head.end() for head in heads], closed)


def _headless(
    text: str, heads: list[int], closed: set[int]
) -> Iterator[tuple[int, int]]:
    """Yield the rest of each block without its BEGIN: the last lines and END."""
    limit = 0
    number = 0
    for tail in re.finditer(_TAIL, text):
        while number < len(heads) and heads[number] <= tail.start():
            limit = max(limit, heads[number])
            number += 1
        if tail.start() not in closed:
            start = _headless_start(text, limit, tail.start())
            if start is not None:
                yield start, tail.end()
        limit = tail.end()


def _headless_start(text: str, limit: int, end: int) -> int | None:
    """Return where the key material before the END at `end` begins, not before `limit`;
    None if there is none.
    """
    # Matched backwards from END: only the line next to END may be short, and the match
    # stops at the block start.
    body = re.match(_BODY_BACKWARDS, text[limit:end][::-1])
    if body is None or (len(body[0]) < 30 and "=" not in body[0]):
        return None
    start = end - body.end()
    # In reverse, the `n` of an escaped newline looks like the first letter of the
    # following line.
    is_escape = text[start - 1 : start] == "\\" and text[start] in "nrt"
    # The same holds for the `+` of an added line in a diff.
    is_added = text[start] == "+" == text[end - 1]
    if is_escape or is_added:
        return start + 1
    return start


def _is_material(body: str) -> bool:
    # Code and prose between two markers may contain long names, but never for most of
    # their length.
    found = sum(map(len, re.findall(_MATERIAL, body)))
    visible = "".join(body.split())
    if found <= 0:
        return False
    return found >= 0.4 * len(visible)
