"""Placeholders of secrets in masked text: `<secret:aws-key:1>` with kind and number."""

from __future__ import annotations

import re

PLACEHOLDER = "<secret:"
"""Prefix of every placeholder."""
_WHOLE = re.compile(rf"({PLACEHOLDER}[^\n]*?):\d+>")


def without_placeholders(masked: str) -> str:
    """Return a masked text without its placeholders."""
    return _WHOLE.sub("", masked)


def unnumbered(masked: str) -> str:
    """Return a masked text without placeholder numbers, fit to store and compare.

    Numbers are valid in one output only.
    """
    if PLACEHOLDER in masked:
        return _WHOLE.sub(r"\1>", masked)
    return masked
