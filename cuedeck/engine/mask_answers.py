"""Masking of answers, so that tags, titles, refs and file names contain no secret
either; errors for output and for the log, masked and shortened.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from cuedeck.model.errors import ConfigurationError, CueDeckError, StorageError
from cuedeck.model.formatting import shorten
from cuedeck.model.ports import Json
from cuedeck.model.secret import Word, unnumbered, without_placeholders
from cuedeck.parse.secrets import find_secrets
from cuedeck.parse.secrets.mask import Mask
from cuedeck.parse.secrets.plausibility import is_unmistakable
from cuedeck.store.files.log_file import log

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.secret import Secret


Value = TypeVar("Value")
Opened = TypeVar("Opened", bound="Workspace")
_LONG_WORD = r"[^\s\"'()\[\]{}=,]{16,}"


class _NoFiles:
    """Empty `Texts`, for answers that contain no text of files."""

    def text(self, path: str) -> str:
        return ""

    def secrets(self, path: str) -> tuple[Secret, ...]:
        return ()


def mask_given(value: Value, workspace: Workspace) -> Value:
    """Return a value that somebody gives, to be stored, masked like `mask_value`.

    If it contains a random value, the index is brought up to date first: only this
    tells whether a file reveals it as a secret. Hooks have no time to fill an index.
    """
    words = re.findall(_LONG_WORD, repr(value))
    if not workspace.is_refreshed and any(map(is_unmistakable, words)):
        with suppress(ConfigurationError, StorageError):
            if workspace.deadline is None or not workspace.index.is_empty:
                workspace.refresh()
    masked = mask_value(value, workspace)
    if masked != value:
        _walk(value, partial(_note, workspace))
    return masked


def _note(workspace: Workspace, text: str) -> str:
    with suppress(ConfigurationError, StorageError):
        workspace.note_secrets(text)
    return text


def mask_to_keep(value: Value, workspace: Workspace) -> Value:
    """Return the value masked by `mask_given`, without numbers in the placeholders, for
    texts used in many outputs.

    In another output, equal numbers would wrongly identify two different secrets.
    """
    kept: Value = _walk(mask_given(value, workspace), unnumbered)
    return kept


def nameable(text: str, workspace: Workspace) -> str:
    """Return the part of a text that may be used in a name, without secrets and their
    placeholders.

    Call it before slugifying: secret formats are not recognized in lower case.
    """
    return without_placeholders(mask_value(text, workspace))


def mask_value(
    value: Value, workspace: Workspace | None, *, is_answer: bool = False
) -> Value:
    """Return a value with masked secrets; equal secrets get equal numbers.

    A complete answer gets the numbers of the texts of files in it. Only keys of the
    type `Word` are masked, so that no setting can change the shape of an answer.
    Without a workspace, or with invalid settings, only the built-in formats are masked.
    The index is not opened.
    """
    masked: Value
    if workspace is not None:
        with suppress(ConfigurationError, StorageError):
            mask = workspace.answer_mask() if is_answer else workspace.mask()
            masked = _walk(value, mask.plain)
            return masked
    masked = _walk(value, Mask(_NoFiles(), find_secrets).plain)
    return masked


def _walk(value: Any, plain: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, dict):
        return {
            _mask_key(key, plain): _walk(item, plain) for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        items = [_walk(item, plain) for item in value]
        if hasattr(value, "_fields"):
            return type(value)(*items)
        return type(value)(items)
    return value


def _mask_key(key: Any, plain: Callable[[str], str]) -> Any:
    if isinstance(key, Word):
        return plain(key)
    return key


_LONGEST_ARGUMENT = 200
"""Maximal number of characters of an argument that an error quotes."""
_LONGEST_MESSAGE = 2_000
"""Maximal number of characters of a message."""
_LONG_ARGUMENT = re.compile(
    rf"`([^`]{{{_LONGEST_ARGUMENT + 1},}})`|\S{{{_LONGEST_ARGUMENT + 1},}}"
)


def error_report(error: CueDeckError, workspace: Workspace | None = None) -> Json:
    """Return an error as JSON. Masking precedes truncation, which could otherwise leave
    a part of a secret.
    """
    message, hint, *candidates = mask_value(
        [error.message, error.hint, *error.candidates], workspace
    )
    return {
        "code": error.code,
        "message": _short(message),
        "hint": _short(hint),
        "candidates": list(map(_short, candidates)),
    }


def emitted(act: Callable[[Opened], Value], workspace: Opened) -> Value:
    """Return the masked result of `act` on a workspace. Raises: any error of `act`,
    masked here, because its secrets are unknown outside the workspace.
    """
    workspace.begin_answer()
    try:
        return mask_value(act(workspace), workspace, is_answer=True)
    except CueDeckError as error:
        report = error_report(error, workspace)
        error.message, error.hint = report["message"], report["hint"]
        error.candidates = tuple(report["candidates"])
        raise


def log_event(workspace: Workspace, event: Json) -> bool:
    """Add an event to the log with its secrets masked; return whether it was
    written.
    """
    return log(workspace.paths, mask_value(event, workspace))


def log_error(
    workspace: Workspace, profile: str, job: str, error: CueDeckError | OSError
) -> Json:
    """Add the error of a background job to the log, masked; return its code, message
    and hint.
    """
    known = error if isinstance(error, CueDeckError) else CueDeckError(str(error))
    fields: Json = {
        "code": known.code,
        "message": known.message,
        "hint": known.hint,
    }
    log_event(workspace, {"event": "error", "profile": profile, "job": job, **fields})
    return fields


def _short(text: str) -> str:
    return shorten(_LONG_ARGUMENT.sub(_shorten_argument, text), _LONGEST_MESSAGE)


def _shorten_argument(match: re.Match[str]) -> str:
    if match[1]:
        return f"`{shorten(match[1], _LONGEST_ARGUMENT)}`"
    return shorten(match[0], _LONGEST_ARGUMENT)
