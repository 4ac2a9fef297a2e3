"""Masking of answers: no secret leaves in a tag, a title, a ref or the name of a file either."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.model.node import Secret

Value = TypeVar("Value")


class _NoFiles:
    """Stands where answers need no text of files."""

    def text(self, path: str) -> str:
        return ""

    def secrets(self, path: str) -> tuple[Secret, ...]:
        return ()


def mask_value(value: Value, project: Project | None) -> Value:
    """Return a value with every secret in its texts masked, the same secret by the same number.

    Without a project, or with settings that cannot be read, the built-in formats are masked. The index is not
    opened.
    """
    from cuedeck.model.errors import ConfigurationError
    from cuedeck.parse.secrets import find_secrets
    from cuedeck.scene.mask import Mask

    try:
        find = project.find_secrets if project else find_secrets
        masked: Value = _walk(value, Mask(_NoFiles(), find).plain)
    except ConfigurationError:
        masked = _walk(value, Mask(_NoFiles(), find_secrets).plain)
    return masked


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
