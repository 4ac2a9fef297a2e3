"""A workspace as commands use it: its files, its index, its settings, its counter, each opened when first asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from cuedeck.store.fs.disk import read_bytes
from cuedeck.store.fs.tree import Changed, Masking, Tree, open_tree
from cuedeck.store.fs.visibility import OwnRules
from cuedeck.store.workspace_paths import WorkspacePaths, find_workspace, is_below

if TYPE_CHECKING:
    from cuedeck.app.mask_answers import SecretSearch
    from cuedeck.app.memory.memory_snapshot import MemorySnapshot
    from cuedeck.app.memory.session_context import CachedContext as MemoryBlock
    from cuedeck.app.scene.related_files import RelatedState
    from cuedeck.model.file import Secret
    from cuedeck.model.ports import Progress
    from cuedeck.model.settings_schema import Settings
    from cuedeck.ranking.memo import Memo
    from cuedeck.scene.mask import Mask
    from cuedeck.scene.visit_views import CachedViews
    from cuedeck.store.git.commit_log import History
    from cuedeck.store.index import Index
    from cuedeck.store.index.corpus import WorkspaceCorpus
    from cuedeck.store.index.texts import WorkspaceTexts
    from cuedeck.store.ledgers.ledger_files import Ledgers
    from cuedeck.store.ledgers.session_files import SessionFiles
    from cuedeck.store.memory.memory_files import MemoryFiles
    from cuedeck.store.tokens.token_counter import Tokens


Answer = TypeVar("Answer")
_ATTEMPTS = 5
"""Times an answer is tried while files keep changing under it."""

_OF_SETTINGS = (
    "config",
    "settings",
    "texts",
    "secrets",
    "related_state",
    "drawn",
    "memories",
    "remembered",
)
"""What was worked out under the settings; texts that are kept were masked by their rules."""


class Workspace:
    """The open workspace."""

    def __init__(self, workspace: WorkspacePaths, environ: Mapping[str, str], *, index_in_memory: bool = False) -> None:
        self.workspace = workspace
        self._index_place = "" if index_in_memory else workspace.index
        self.environ = {name: value for name, value in sorted(environ.items()) if _is_setting(name)}
        self._counters: dict[str, Tokens] = {}
        self.deadline: float | None = None
        """The time of the monotonic clock at which work that the next command can go on with is put off."""
        self.is_memory_unfinished = False
        """True when the deadline was over before the records of a memory were read."""
        self.begun: Mask | None = None
        """The mask of an answer of which the shell has not masked the rest yet."""

    @cached_property
    def config(self) -> bytes:
        """The bytes of `config.toml`, read once, so that everything that follows from them agrees."""
        return read_bytes(self.workspace.config) or b""

    @property
    def config_text(self) -> str:
        """The text of `config.toml`."""
        return self.config.decode("utf-8-sig", "replace")

    def speaks_of(self, section: str) -> bool:
        """Tell whether the settings may say anything of a section; where they do not, its defaults need no reading."""
        named = section.encode() in self.config
        return named or any(name.startswith(f"CUEDECK_{section.upper()}__") for name in self.environ)

    @cached_property
    def settings(self) -> Settings:
        """The effective settings. Raises: ConfigurationError."""
        from cuedeck.parse.settings_file import parse_settings

        return parse_settings(self.config_text, self.environ)[0]

    @cached_property
    def tree(self) -> Tree:
        """The tree of files and its index."""
        own = OwnRules(self._settings_source, self._ignored)
        tree = open_tree(self.workspace, self._index_place, own)
        tree.index.ledgers = self._entries
        tree.index.secrets = self.find_secrets
        tree.masking = self._masking
        return tree

    def _masking(self) -> Masking:
        return Masking(self.secrets.find, self.secrets.rules)

    def _ignored(self) -> Sequence[str]:
        from cuedeck.parse.profile_settings import private_patterns

        return (*self.settings.files.ignore, *private_patterns(self.settings))

    def _entries(self, kind: str, start: str = "") -> Sequence[str]:
        from cuedeck.app.ledger_entries import entry_ids

        return entry_ids(self, kind, start)

    @property
    def index(self) -> Index:
        """The index; `refresh` brings it up to date."""
        return self.tree.index

    @cached_property
    def texts(self) -> WorkspaceTexts:
        """The texts of the workspace."""
        from cuedeck.store.index.texts import WorkspaceTexts

        return WorkspaceTexts(self.workspace.root, self.index, self.find_secrets, self.secret_rules)

    @cached_property
    def corpus(self) -> WorkspaceCorpus:
        """The words and the history of the workspace."""
        from cuedeck.store.index.corpus import WorkspaceCorpus

        return WorkspaceCorpus(self.index, self.history.commits)

    @cached_property
    def sessions(self) -> SessionFiles:
        """The files of sessions."""
        from cuedeck.store.ledgers.session_files import SessionFiles

        return SessionFiles(self.workspace)

    @cached_property
    def ledgers(self) -> Ledgers:
        """The append-only ledgers."""
        from cuedeck.store.ledgers.ledger_files import Ledgers

        return Ledgers(self.workspace)

    @cached_property
    def memories(self) -> dict[str, MemoryFiles]:
        """The memories that were asked for, by the id of their profile."""
        return {}

    @cached_property
    def memory_blocks(self) -> dict[str, MemoryBlock]:
        """The blocks that sessions were given, by the id of their profile."""
        return {}

    @cached_property
    def remembered(self) -> dict[str, MemorySnapshot]:
        """What was made of MEMORY.md, by the id of its profile."""
        return {}

    @cached_property
    def related_state(self) -> RelatedState:
        """What the related tier keeps from one scene to the next."""
        from cuedeck.app.scene.related_files import RelatedState

        return RelatedState()

    @cached_property
    def drawn(self) -> Memo[CachedViews]:
        """What the visits of one scene lend the next."""
        from cuedeck.ranking.memo import Memo
        from cuedeck.scene.visit_views import CachedViews

        return Memo(CachedViews)

    @cached_property
    def history(self) -> History:
        """The git history that ends at HEAD."""
        from cuedeck.store.git.commit_log import History

        return History(self.workspace.root, self.index, deadline=self.deadline)

    @property
    def opened_history(self) -> History | None:
        """The git history, if anything asked for it: its modules are not imported before."""
        return self.__dict__.get("history")

    @property
    def is_unfinished(self) -> bool:
        """True when the deadline was over before everything was read; the next command reads on."""
        history = self.opened_history
        return self.is_memory_unfinished or (history is not None and history.is_unfinished)

    def refresh(self, progress: Progress | None = None) -> Changed:
        """Bring the index up to date with the disk."""
        return self.tree.refresh(progress)

    def close(self) -> None:
        """Let go of the index, if it was opened, and of what was begun."""
        history = self.__dict__.pop("history", None)
        if history is not None:
            history.close()
        tree = self.__dict__.pop("tree", None)
        if tree is not None:
            tree.index.close()

    def forget_settings(self) -> None:
        """Read the settings again when they are next asked for; what depends on them goes too."""
        for name in _OF_SETTINGS:
            self.__dict__.pop(name, None)

    def counter(self, encoding: str = "") -> Tokens:
        """Return the token counter of an encoding, by default that of the settings."""
        from cuedeck.store.tokens.token_counter import Tokens

        name = encoding or self.settings.scene.encoding
        if name not in self._counters:
            self._counters[name] = Tokens(name, self.index, self.workspace.cache)
        return self._counters[name]

    def mask(self) -> Mask:
        """Return a new mask, for one output."""
        from cuedeck.scene.mask import Mask

        return Mask(self.texts, self.find_secrets)

    def answer_mask(self) -> Mask:
        """Return a new mask, for what an answer has of the text of a file; the shell masks the rest with it."""
        self.begun = self.mask()
        return self.begun

    def find_secrets(self, text: str) -> Sequence[Secret]:
        """Return where `text` holds secrets, by the built-in formats and the settings."""
        return self.secrets.find(text)

    @cached_property
    def secrets(self) -> SecretSearch:
        """The search for secrets, by the built-in formats and the settings."""
        from cuedeck.app.mask_answers import SecretSearch

        return SecretSearch(self.settings.secrets)

    @property
    def secret_rules(self) -> str:
        """What tells the rules of the search from other ones."""
        return self.secrets.rules

    def _settings_source(self) -> bytes:
        return self.config + repr(self.environ).encode("utf-8", "surrogateescape")

    def settled(self, act: Callable[[], Answer]) -> Answer:
        """Return what `act` makes of the index as it is on disk now; a file that changes meanwhile is read again.

        Raises: Stale when a file keeps changing, StorageError.
        """
        from cuedeck.model.errors import Stale

        for _ in range(_ATTEMPTS - 1):
            try:
                return act()
            except Stale as stale:
                self.tree.distrust(stale.path)
                self.tree.refresh_paths([stale.path])
        return act()


def _is_setting(name: str) -> bool:
    return name.startswith("CUEDECK_") and "__" in name


def address_from(start: str, text: str) -> str:
    """Return an address relative to the workspace; one that begins with `./` or `../` is relative to the folder `start`.

    An address that leads out of the workspace comes back as it is. Raises: WorkspaceMissing.
    """
    if not text.startswith(("./", "../")):
        return text
    path, mark, anchor = text.partition("#")
    root = find_workspace(start).root
    place = os.path.normpath(os.path.join(os.path.realpath(start), path))
    if not is_below(place, root):
        return text
    ending = "/" if path.endswith("/") else ""
    return os.path.relpath(place, root).replace(os.sep, "/") + ending + mark + anchor


def open_project(start: str, environ: Mapping[str, str]) -> Workspace:
    """Open the workspace at or above `start`. Raises: WorkspaceMissing."""
    return Workspace(find_workspace(start), environ)
