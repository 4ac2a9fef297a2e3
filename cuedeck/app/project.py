"""A workspace as commands use it: its files, its index, its settings, its counter, each opened when first asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from cuedeck.store.disk import read_bytes
from cuedeck.store.tree import Changed, Progress, Tree, open_tree
from cuedeck.store.workspace import Workspace, find_workspace

if TYPE_CHECKING:
    from cuedeck.model.node import Secret
    from cuedeck.model.settings import Settings
    from cuedeck.scene.mask import Mask
    from cuedeck.store.index import Index
    from cuedeck.store.texts import WorkspaceTexts
    from cuedeck.store.tokens import Tokens


class Project:
    """The open workspace."""

    def __init__(self, workspace: Workspace, environ: Mapping[str, str], *, index_in_memory: bool = False) -> None:
        self.workspace = workspace
        self._index_place = "" if index_in_memory else workspace.index
        self.environ = {name: value for name, value in sorted(environ.items()) if name.startswith("CUEDECK_")}
        self._counters: dict[str, Tokens] = {}

    @cached_property
    def settings(self) -> Settings:
        """The effective settings. Raises: ConfigurationError."""
        from cuedeck.parse.settings import parse_settings

        text = (read_bytes(self.workspace.config) or b"").decode("utf-8", "replace")
        return parse_settings(text, self.environ)[0]

    @cached_property
    def tree(self) -> Tree:
        """The tree of files and its index."""
        return open_tree(self.workspace, self._index_place, self._ignore_rules)

    @property
    def index(self) -> Index:
        """The index; `refresh` brings it up to date."""
        return self.tree.index

    @cached_property
    def texts(self) -> WorkspaceTexts:
        """The texts of the workspace."""
        from cuedeck.store.texts import WorkspaceTexts

        return WorkspaceTexts(self.workspace.root, self.index, self.find_secrets, self.secret_rules)

    def refresh(self, progress: Progress | None = None) -> Changed:
        """Bring the index up to date with the disk."""
        return self.tree.refresh(progress)

    def forget_settings(self) -> None:
        """Read the settings again when they are next asked for; what depends on them goes too."""
        for name in ("settings", "texts", "secret_rules", "_patterns"):
            self.__dict__.pop(name, None)

    def counter(self, encoding: str = "") -> Tokens:
        """Return the token counter of an encoding, by default that of the settings."""
        from cuedeck.store.tokens import Tokens

        name = encoding or self.settings.scene.encoding
        if name not in self._counters:
            self._counters[name] = Tokens(name, self.index.database, self.workspace.cache)
        return self._counters[name]

    def mask(self) -> Mask:
        """Return a new mask, for one output."""
        from cuedeck.scene.mask import Mask

        return Mask(self.texts, self.find_secrets)

    def find_secrets(self, text: str) -> Sequence[Secret]:
        """Return where `text` holds secrets, by the built-in formats and the settings."""
        from cuedeck.parse.secrets import find_secrets

        return find_secrets(text, extra=self._patterns, allow=self.settings.secrets.allow)

    @cached_property
    def _patterns(self) -> tuple[tuple[str, str], ...]:
        pairs = (pattern.partition(":") for pattern in self.settings.secrets.patterns)
        return tuple((kind.strip(), expression.strip()) for kind, _, expression in pairs)

    @cached_property
    def secret_rules(self) -> str:
        from cuedeck.parse.secrets import RULES_VERSION

        own = repr((self.settings.secrets.allow, self.settings.secrets.patterns))
        return f"{RULES_VERSION} {hashlib.sha256(own.encode()).hexdigest()[:16]}"

    def _ignore_rules(self) -> Sequence[str]:
        return self.settings.files.ignore


def open_project(start: str, environ: Mapping[str, str]) -> Project:
    """Open the workspace at or above `start`. Raises: WorkspaceMissing."""
    return Project(find_workspace(start), environ)
