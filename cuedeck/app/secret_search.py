"""Search for secrets with the rules of the settings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from cuedeck.parse.secrets import find_secrets

if TYPE_CHECKING:
    from cuedeck.model.file import Secret
    from cuedeck.model.settings_schema import SecretSettings

_LONGEST_LABEL = 1_000
"""Maximal length of a text whose result is cached, because it is likely to occur again."""
_KEPT_LABELS = 4_000


class SecretSearch:
    """Search for secrets with given settings and a cache for short texts."""

    def __init__(self, settings: SecretSettings) -> None:
        self._allow = settings.allow
        pairs = (pattern.partition(":") for pattern in settings.patterns)
        self._patterns = tuple((kind.strip(), expression.strip()) for kind, _, expression in pairs)
        self._written = settings.patterns
        self._labels: dict[str, Sequence[Secret]] = {}

    def find(self, text: str) -> Sequence[Secret]:
        """Return the secrets in `text`, in order."""
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
