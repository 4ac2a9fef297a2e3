"""What stands for a secret in a masked text: `<secret:aws-key:1>`, its kind and its number."""

from __future__ import annotations

import re

PLACEHOLDER = "<secret:"
"""How what stands for a secret begins."""
_WHOLE = re.compile(rf"({PLACEHOLDER}[^\n]*?):\d+>")


def without_placeholders(masked: str) -> str:
    """Return a masked text without what stands for its secrets."""
    return _WHOLE.sub("", masked)


def unnumbered(masked: str) -> str:
    """Return a masked text as it can be kept and compared: numbers belong to the one output that gave them."""
    return _WHOLE.sub(r"\1>", masked) if PLACEHOLDER in masked else masked
