"""Sentences of reminders: parts without content are omitted."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CHOICE = re.compile(
    r"(?:we\s+)?(?:use|chose|choose|adopt|adopted|pick|picked|prefer|go\s+with|went\s+with)\s+(?=\S)",
    re.IGNORECASE,
)
_REASON = re.compile(r"because\s+(?=\S)", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Z][a-z]*(?:['’][a-z]+)?(?=[\s,;:]|$)")
_NAMES = re.compile(
    "I|Amazon|Angular|Apache|Apple|Azure|Bash|Celery|Chrome|Debian|Django|"
    "Docker|Fedora|Firefox|Flask|Git|Go|Google|Java|Julia|Kafka|Kotlin|"
    "Kubernetes|Lambda|Linux|Lua|Microsoft|Mongo|Mozilla|Nginx|Node|Oracle|"
    "Perl|Postgres|Prisma|Python|Qt|React|Redis|Ruby|Rust|Safari|Scala|Spring|"
    "Stripe|Swift|Terraform|Ubuntu|Unix|Vite|Vue|Webpack|Windows|Zig"
)
"""Words that stay capitalised in the middle of a sentence."""


def chosen(text: str) -> str:
    """Return the object of the verb; text that does not start with a verb of choice is
    quoted.
    """
    verb = _CHOICE.match(text)
    if verb:
        return text[verb.end() :]
    return '"{}"'.format(text.replace('"', "'"))


def sentence(text: str) -> str:
    """Return a text on one line, without its final full stop."""
    line = " ".join(text.split())
    if line.endswith(".."):
        return line
    return line.removesuffix(".")


def reason(text: str) -> str:
    """Return a reason for use within a sentence, without its leading `because`."""
    line = sentence(text)
    because = _REASON.match(line)
    return _lowered(line[because.end() :] if because else line)


def _lowered(text: str) -> str:
    """Return a text with its first letter lowered for use within a sentence, except for
    names.
    """
    first = _PLAIN.match(text)
    if first is None:
        return text
    word = re.split("['’]", first[0])[0]
    if _NAMES.fullmatch(word):
        return text
    return text[0].lower() + text[1:]


def joined(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: `a, b and c`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
