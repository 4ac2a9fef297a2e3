"""Masking of answers: no secret leaves in a tag, a title, a ref or the name of a file either."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar

from cuedeck.parse.secrets import find_secrets

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.file import Secret
    from cuedeck.model.settings_schema import SecretSettings

Value = TypeVar("Value")


class Word(str):
    """A key of a mapping that is no name of ours but a word of others, such as a path: it is masked as a value is."""

    __slots__ = ()


class _NoFiles:
    """Stands where answers need no text of files."""

    def text(self, path: str) -> str:
        return ""

    def secrets(self, path: str) -> tuple[Secret, ...]:
        return ()


def mask_kept(value: Value, project: Workspace) -> Value:
    """Return what `mask_answer` does; for an answer that is given again and again, that nothing was masked is kept."""
    import json
    from hashlib import sha256

    from cuedeck.store.index.texts import is_cleared, keep_cleared

    key = "answer " + sha256(json.dumps(value, default=str).encode("utf-8", "surrogatepass")).hexdigest()
    # The version of the index covers the built-in rules, and the text of all settings covers those about secrets:
    # neither has to be loaded for the key.
    rules = sha256(project.config + repr(project.environ).encode("utf-8", "surrogateescape")).hexdigest()
    if is_cleared(project.index, key, rules):
        project.begun = None
        return value
    masked = mask_answer(value, project)
    if masked == value:
        keep_cleared(project.index, key, rules)
    return masked


def mask_to_keep(value: Value, project: Workspace) -> Value:
    """Return what `mask_value` does without the numbers, for words of which many outputs to come will be a part.

    There each number would say of two secrets that they are one.
    """
    from cuedeck.model.secret_placeholder import unnumbered

    kept: Value = _walk(mask_value(value, project), unnumbered)
    return kept


def nameable(text: str, project: Workspace) -> str:
    """Return what of a text may become part of a name: its words, without its secrets and without what stands for them.

    To be asked before the text gets the form of a name: in lower case no format of a secret is known again.
    """
    from cuedeck.model.secret_placeholder import without_placeholders

    return without_placeholders(mask_value(text, project))


def as_words(value: Any) -> Any:
    """Return a value that others made, with every key in it as a `Word`."""
    if isinstance(value, dict):
        return {Word(key): as_words(each) for key, each in value.items()}
    return [as_words(each) for each in value] if isinstance(value, list) else value


def mask_answer(value: Value, project: Workspace) -> Value:
    """Return what `mask_value` does, for a whole answer of app: by the mask with which app began it, if it did."""
    begun, project.begun = project.begun, None
    if begun is None:
        return mask_value(value, project)
    masked: Value = _walk(value, begun.plain)
    return masked


def mask_value(value: Value, project: Workspace | None) -> Value:
    """Return a value with every secret in its texts masked, the same secret by the same number.

    Of keys, only those are masked that are a `Word`: whatever the settings call a secret, an answer keeps its shape.
    Without a project, or with settings that cannot be read, the built-in formats are masked. The index is not
    opened.
    """
    from cuedeck.model.errors import ConfigurationError, StorageError
    from cuedeck.parse.secrets import find_secrets
    from cuedeck.scene.mask import Mask

    try:
        find = project.find_secrets if project else find_secrets
        masked: Value = _walk(value, Mask(_NoFiles(), find).plain)
    except (ConfigurationError, StorageError):
        masked = _walk(value, Mask(_NoFiles(), find_secrets).plain)
    return masked


def _walk(value: Any, plain: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, dict):
        return {plain(key) if isinstance(key, Word) else key: _walk(each, plain) for key, each in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_walk(each, plain) for each in value))
    if isinstance(value, list | tuple):
        return type(value)(_walk(each, plain) for each in value)
    return value


_LONGEST_LABEL = 1_000
"""Characters of a text that is likely to be asked about again."""
_KEPT_LABELS = 4_000


class SecretSearch:
    """Finds secrets under some settings."""

    def __init__(self, settings: SecretSettings) -> None:
        self._allow = settings.allow
        pairs = (pattern.partition(":") for pattern in settings.patterns)
        self._patterns = tuple((kind.strip(), expression.strip()) for kind, _, expression in pairs)
        self._written = settings.patterns
        self._labels: dict[str, Sequence[Secret]] = {}

    def find(self, text: str) -> Sequence[Secret]:
        """Return where `text` holds secrets, in order."""
        if len(text) > _LONGEST_LABEL:
            return self._search(text)
        # The same addresses and reasons are printed after every save.
        if text not in self._labels:
            if len(self._labels) >= _KEPT_LABELS:
                self._labels.clear()
            self._labels[text] = self._search(text)
        return self._labels[text]

    @cached_property
    def rules(self) -> str:
        """Hash of the settings about secrets. The built-in rules are part of the version of the index."""
        own = repr((self._allow, self._written))
        return sha256(own.encode()).hexdigest()[:16]

    def _search(self, text: str) -> Sequence[Secret]:
        return find_secrets(text, extra=self._patterns, allow=self._allow)
