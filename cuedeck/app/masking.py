"""Masking of answers: no secret leaves in a tag, a title, a ref or the name of a file either."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from cuedeck.app.project import Project

Value = TypeVar("Value")


def mask_value(project: Project, value: Value) -> Value:
    """Return a value with every secret in its texts masked, the same secret by the same number."""
    masked: Value = _walk(value, project.mask().plain)
    return masked


def mask_text(text: str) -> str:
    """Return a text masked by the built-in formats; for errors, which may come before any workspace is open."""
    from cuedeck.parse.secrets import find_secrets

    for secret in reversed(find_secrets(text)):
        text = f"{text[: secret.start]}<secret:{secret.kind}>{text[secret.end :]}"
    return text


def _walk(value: Any, plain: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, dict):
        return {_walk(key, plain): _walk(each, plain) for key, each in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_walk(each, plain) for each in value))
    if isinstance(value, list | tuple):
        return type(value)(_walk(each, plain) for each in value)
    return value
