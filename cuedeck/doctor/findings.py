"""Findings of checks by their level."""

from __future__ import annotations

from cuedeck.model.diagnostic import Diagnostic


def failure(path: str, code: str, message: str, hint: str, line: int = 0) -> Diagnostic:
    """Return a finding that makes the workspace unhealthy."""
    return Diagnostic(path, line, "error", code, message, hint)


def warning(path: str, code: str, message: str, hint: str, line: int = 0) -> Diagnostic:
    """Return a finding that makes the workspace unhealthy with `--strict`."""
    return Diagnostic(path, line, "warning", code, message, hint)


def note(path: str, code: str, message: str, hint: str, line: int = 0) -> Diagnostic:
    """Return a finding that a person may ignore."""
    return Diagnostic(path, line, "info", code, message, hint)
