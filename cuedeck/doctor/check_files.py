"""Checks of files: diagnostics of the parsers and the scan, and names that differ only
in case.
"""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.doctor.check_context import CheckContext
from cuedeck.doctor.findings import warning
from cuedeck.model.diagnostic import Diagnostic

FRONT_MATTER = (
    "bad-yaml",
    "unclosed-front-matter",
    "not-a-mapping",
    "duplicate-key",
    "bad-value",
    "conflict",
    "second-front-matter",
)
CARD_FIELDS = ("unknown-status", "unknown-priority", "bad-budget", "card-setting")
CARD_IDS = ("card-id",)
REFS = ("bad-ref",)
_ELSEWHERE = frozenset((*FRONT_MATTER, *CARD_FIELDS, *CARD_IDS, *REFS))


def check_front_matter(context: CheckContext) -> Iterator[Diagnostic]:
    """Find front matter that cannot be parsed completely."""
    return (each for each in context.diagnostics if each.code in FRONT_MATTER)


def check_readable(context: CheckContext) -> Iterator[Diagnostic]:
    """Find files that could not be read or parsed: all diagnostics whose code belongs
    to no other check.
    """
    return (each for each in context.diagnostics if each.code not in _ELSEWHERE)


def check_ref_items(context: CheckContext) -> Iterator[Diagnostic]:
    """Find invalid items of `refs`."""
    return (each for each in context.diagnostics if each.code in REFS)


def check_path_case(context: CheckContext) -> Iterator[Diagnostic]:
    """Find paths that name the same file on case-insensitive file systems."""
    first: dict[str, str] = {}
    for path in context.index.paths():
        if not context.everything and not context.is_needed(path):
            continue
        other = first.setdefault(path.casefold(), path)
        if other != path:
            message = f"the name differs from `{other}` only in upper and lower case"
            hint = "rename one of them; macOS and Windows cannot store both"
            yield warning(path, "case-only", message, hint)
