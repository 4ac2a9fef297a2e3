"""What was found, as commands give it: in the shape of `doctor`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cuedeck.model.node import Diagnostic, Level

_LEVELS: tuple[Level, ...] = ("error", "warning", "info")
"""The gravest first."""


def finding_rows(found: Iterable[tuple[str, Diagnostic]]) -> list[dict[str, Any]]:
    """Return findings, each with the name of its check; gravest first, then by place."""
    ordered = sorted(found, key=lambda pair: (_LEVELS.index(pair[1].level), pair[1].path, pair[1].line, pair[1].code))
    return [_row(check, each) for check, each in ordered]


def is_healthy(rows: Iterable[dict[str, Any]]) -> bool:
    """Tell whether nothing is wrong; what is only worth knowing is not."""
    return all(row["level"] == "info" for row in rows)


def _row(check: str, found: Diagnostic) -> dict[str, Any]:
    return {
        "check": check,
        "level": found.level,
        "path": found.path,
        "line": found.line,
        "code": found.code,
        "message": found.message,
        "hint": found.hint,
    }
