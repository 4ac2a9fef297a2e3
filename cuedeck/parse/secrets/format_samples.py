"""Sample values of common secret formats, to measure how many formats a pattern of
`secrets.allow` exempts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from string import ascii_lowercase, ascii_uppercase, digits

from cuedeck.parse.secrets.custom_patterns import is_allowed
from cuedeck.parse.secrets.formats import RULES

_ALNUM = ascii_lowercase + ascii_uppercase + digits
_HEX = "0123456789abcdef"
_FORMATS = (
    ("anthropic-key", "sk-ant-api03-", _ALNUM, 95),
    ("aws-key", "AKIA", ascii_uppercase + digits, 16),
    ("aws-secret", "", _ALNUM + "+/", 40),
    ("github-token", "ghp_", _ALNUM, 36),
    ("github-token", "github_pat_", _ALNUM, 82),
    ("gitlab-token", "glpat-", _ALNUM, 20),
    ("google-key", "AIza", _ALNUM, 35),
    ("huggingface-token", "hf_", _ALNUM, 34),
    ("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJ", _ALNUM, 40),
    ("npm-token", "npm_", _ALNUM, 36),
    ("openai-key", "sk-proj-", _ALNUM, 124),
    ("password", "Tr0ub4dor&", _ALNUM, 3),
    ("sendgrid-key", "SG.", _ALNUM, 66),
    ("slack-token", "xoxb-", digits, 40),
    ("stripe-key", "sk_live_", _ALNUM, 24),
)
"""(kind, prefix, alphabet of the rest, length of the rest) of formats with a structure
of their own.
"""
_BODIES = (
    *((_ALNUM, size) for size in (16, 20, 24, 28, 32, 36, 40, 43, 64, 100)),
    *((_HEX, size) for size in (32, 40, 48, 64)),
    *((ascii_uppercase + digits, size) for size in (16, 27, 58)),
)
"""Alphabet and length of the rest of a token after the prefix of its vendor."""
_STEPS = (37, 23)
"""Two values per format are generated: a pattern that matches both allows the format,
not just one value.
"""


def allowed_samples(expression: str) -> tuple[str, ...]:
    """Return the sorted kinds for which a pattern allows every sample value of a
    format.
    """
    found = set()
    for kind, prefix, alphabet, size in _formats():
        values = (prefix + _body(alphabet, size, step) for step in _STEPS)
        if all(is_allowed(value, [expression]) for value in values):
            found.add(kind)
    return tuple(sorted(found))


@cache
def _formats() -> Sequence[tuple[str, str, str, int]]:
    found = list(_FORMATS)
    found += [("secret-value", "", *body) for body in _BODIES]
    for rule in RULES:
        for prefix in rule.prefixes:
            found += [(rule.kind, prefix, *body) for body in _BODIES]
    return found


def _body(alphabet: str, size: int, step: int) -> str:
    return "".join(
        alphabet[(at * step + at // 7) % len(alphabet)] for at in range(size)
    )
