"""Open workspace of a command: files, index, settings and token counter, each opened on
first use.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from cuedeck.model.errors import ConfigurationError, Stale, StorageError
from cuedeck.model.paths import HOME
from cuedeck.model.secret import replace_secrets
from cuedeck.store.files.disk import LARGEST_TOML, read_bytes
from cuedeck.store.index import Index
from cuedeck.store.index.schema import is_current
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.ledger.ledger import Ledger
    from cuedeck.ledger.session_files import SessionFiles
    from cuedeck.model.file import File
    from cuedeck.model.ports import EntryLookup, Progress
    from cuedeck.model.secret import Secret
    from cuedeck.model.settings_schema import Settings
    from cuedeck.parse.secrets import SecretSearch
    from cuedeck.parse.secrets.mask import Mask
    from cuedeck.store.files.tree import Changed, Tree
    from cuedeck.store.git.commit_log import History
    from cuedeck.store.index.corpus import WorkspaceCorpus, WorkspaceTexts
    from cuedeck.store.tokens.token_counter import Tokens


Answer = TypeVar("Answer")
Cache = TypeVar("Cache")
OpenLedgers = Callable[["Workspace"], "EntryLookup"]
"""Gives the index access to the ledgers of a workspace."""

_GIT_SECONDS = 1.0
"""Time of a git process in a hook; killed later, a hook would leave git behind."""
_ATTEMPTS = 5
"""Maximal number of attempts to compute an answer while files keep changing."""

_DERIVED_FROM_SETTINGS = ("config", "settings", "texts", "secrets")
"""Cached attributes that depend on the settings. Cached texts are masked by the rules
of the settings.
"""


class Workspace:
    """Open workspace."""

    def __init__(
        self,
        paths: WorkspacePaths,
        environ: Mapping[str, str],
        open_ledgers: OpenLedgers,
        *,
        index_in_memory: bool = False,
    ) -> None:
        self.paths = paths
        self._open_ledgers = open_ledgers
        self._index_place = "" if index_in_memory else paths.index
        self.environ = {
            name: value
            for name, value in sorted(environ.items())
            if name.startswith("CUEDECK_") and "__" in name
        }
        self._counters: dict[str, Tokens] = {}
        self._caches: dict[Callable[[], Any], Any] = {}
        self._cached_under: object = None
        """Known values of secrets under which the caches were filled."""
        self.deadline: float | None = None
        """Time of the monotonic clock from which resumable work is left to the next
        command.
        """
        self.pause: Callable[[], None] = lambda: None
        """Called between the steps of a scene; raises an error to end its build."""
        self.is_server = False
        """Whether a server answers all calls on this workspace in one thread."""
        self.is_refreshed = False
        """Whether the index was updated since this workspace was opened, or since the
        present call of a server began.
        """
        self.counts_recalls = True
        """Whether the hits of recall are counted for dreaming."""
        self._scans_once = False
        self._answer_mask: Mask | None = None
        """Mask of the answer to the present call."""

    @cached_property
    def config(self) -> bytes:
        """Bytes of `config.toml`, read once so that all derived values are consistent.
        Raises: ConfigurationError.
        """
        try:
            return read_bytes(self.paths.config, LARGEST_TOML) or b""
        except StorageError as error:
            raise ConfigurationError(error.message, hint=error.hint) from error

    @property
    def config_text(self) -> str:
        """Text of `config.toml`."""
        data = self.config.removeprefix(b"\xef\xbb\xbf")
        return data.decode("utf-8", "replace")

    def may_configure(self, section: str) -> bool:
        """Return whether the settings may contain a section. If not, its defaults apply
        without parsing.
        """
        name = section.encode()
        for line in self.config.splitlines():
            if name in line.partition(b"#")[0]:
                return True
        prefix = f"CUEDECK_{section.upper()}__"
        return any(variable.startswith(prefix) for variable in self.environ)

    @cached_property
    def settings(self) -> Settings:
        """Effective settings. Raises: ConfigurationError."""
        from cuedeck.parse.settings_file import parse_settings

        return parse_settings(self.config_text, self.environ)[0]

    @cached_property
    def tree(self) -> Tree:
        """Tree of files that updates the index."""
        # A hook that only searches reads the index as it is.
        from cuedeck.store.files.ignore_state import OwnRules
        from cuedeck.store.files.tree import Tree

        own = OwnRules(self._settings_source, self._ignored, lambda: self.git_deadline)
        return Tree(self.paths, self.index, own, self._secret_search)

    def _secret_search(self) -> SecretSearch:
        return self.secrets.know(self.index.known_values())

    def _ignored(self) -> Sequence[str]:
        from cuedeck.parse.settings_checks import private_patterns

        return (*self.settings.files.ignore, *private_patterns(self.settings))

    @cached_property
    def index(self) -> Index:
        """Index; `refresh` updates it."""
        index = Index(self._index_place)
        index.ledgers = cache(partial(self._open_ledgers, self))
        index.secrets = self.find_secrets
        index.rebuild = self._rebuild_index
        index.parse = self._parse_known
        return index

    # A tree replaces the next two functions of its index by its own.

    def _rebuild_index(self) -> None:
        self.tree.index.rebuild()

    def _parse_known(self, path: str, digest: str) -> File | None:
        return self.tree.index.parse(path, digest)

    @cached_property
    def texts(self) -> WorkspaceTexts:
        """Texts of the files."""
        from cuedeck.store.index.corpus import WorkspaceTexts

        return WorkspaceTexts(
            self.paths.root, self.index, self.find_secrets, self.secret_rules
        )

    @cached_property
    def corpus(self) -> WorkspaceCorpus:
        """Terms and commit history of the files."""
        from cuedeck.store.index.corpus import WorkspaceCorpus

        return WorkspaceCorpus(self.index, self._masked_text, self.history.commits)

    def _masked_text(self, path: str) -> str:
        # The texts are another object after a change of the settings.
        return self.texts.masked(path)

    @cached_property
    def sessions(self) -> SessionFiles:
        """Session files."""
        from cuedeck.ledger.session_files import SessionFiles

        return SessionFiles(self.paths, self._compress_kib)

    def _compress_kib(self) -> int:
        from cuedeck.model.session import COMPRESS_KIB

        # Without the section, the default applies and the settings need not be parsed.
        if not self.may_configure("session"):
            return COMPRESS_KIB
        return self.settings.session.compress_kib

    @cached_property
    def ledger(self) -> Ledger:
        """Ledger of decisions, attempts and other entries."""
        from cuedeck.ledger.ledger import Ledger

        return Ledger(self.paths)

    @cached_property
    def history(self) -> History:
        """Git history that ends at HEAD."""
        from cuedeck.store.git.commit_log import History

        def without_secrets(text: str) -> str:
            shown = self.masked(text)
            if shown != text:
                self.note_secrets(text)
            return shown

        return History(
            self.paths.root,
            self.index,
            self.deadline,
            without_secrets,
            lambda: self.masking_rules,
        )

    def cached(self, make: Callable[[], Cache]) -> Cache:
        """Return the cache that `make` creates, the same one until the settings or the
        known values of secrets change.

        A capability calls it with the class of its own cache, so that this class knows
        none of them.
        """
        index = self.__dict__.get("index")
        if index is not None and index.value_rows() is not self._cached_under:
            # The caches contain texts that were masked.
            self._cached_under = index.value_rows()
            self._caches.clear()
        if make not in self._caches:
            self._caches[make] = make()
        cache: Cache = self._caches[make]
        return cache

    def reopened(self, *, index_in_memory: bool = False) -> Workspace:
        """Return the same workspace with nothing read yet, optionally with an index
        that is not stored.
        """
        return Workspace(
            self.paths,
            self.environ,
            self._open_ledgers,
            index_in_memory=index_in_memory,
        )

    @property
    def git_deadline(self) -> float | None:
        """Time at which a git process that is started now is killed in a hook, as at a
        named pipe in the place of a file; None elsewhere.
        """
        if self.deadline is None:
            return None
        return time.monotonic() + _GIT_SECONDS

    @property
    def opened_history(self) -> History | None:
        """Git history if it was used, else None. Avoids importing its modules."""
        return self.__dict__.get("history")

    @property
    def is_unfinished(self) -> bool:
        """Whether the deadline passed before everything was read; the next command
        continues.
        """
        history = self.opened_history
        return history is not None and history.is_unfinished

    def refresh(self, progress: Progress | None = None) -> Changed:
        """Update the index from the disk."""
        if self._scans_once and self.is_refreshed:
            return self.tree.refresh_paths((HOME,))
        self.is_refreshed = True
        return self.tree.refresh(progress)

    @contextmanager
    def one_scan(self) -> Iterator[None]:
        """Let the first `refresh` of the block scan all files, and a later one only
        those that CueDeck writes.
        """
        self._scans_once, self.is_refreshed = True, False
        try:
            yield
        finally:
            self._scans_once = False

    def refresh_for_recall(self) -> tuple[str, ...]:
        """Update the index before a search of the memory; return notes for its answer.

        Raises: StorageError, ConfigurationError.
        """
        self.refresh()
        return ()

    def close(self) -> None:
        """Close the index and the caches, if they were opened."""
        for opened in self._caches.values():
            close_cache = getattr(opened, "close", None)
            if close_cache is not None:
                close_cache()
        self._caches.clear()
        for name in ("history", "tree"):
            self.__dict__.pop(name, None)
        index = self.__dict__.pop("index", None)
        if index is not None:
            index.close()

    def forget_settings(self) -> None:
        """Drop the settings and all cached values that depend on them. They are read
        again on next use.
        """
        for name in _DERIVED_FROM_SETTINGS:
            self.__dict__.pop(name, None)
        self._caches.clear()

    def counter(self, encoding: str = "") -> Tokens:
        """Return the token counter of an encoding, by default that of the settings."""
        from cuedeck.store.tokens.token_counter import Tokens

        name = encoding or self.settings.scene.encoding
        if name not in self._counters:
            self._counters[name] = Tokens(name, self.index, self.paths.cache)
        return self._counters[name]

    def mask(self) -> Mask:
        """Return a new mask for one output. Masking a file opens the index."""
        from cuedeck.parse.secrets.mask import Mask

        return Mask(_LateTexts(self), self.find_secrets)

    def answer_mask(self) -> Mask:
        """Return the mask of the answer to the present call: of its file text, and in
        the shell of all its values.
        """
        if self._answer_mask is None:
            self._answer_mask = self.mask()
        return self._answer_mask

    def begin_answer(self) -> None:
        """Begin the answer to another call."""
        self._answer_mask = None

    def find_secrets(self, text: str) -> Sequence[Secret]:
        """Return the secrets in `text`, by the built-in formats, the settings and the
        values that are secrets in any file.
        """
        return self._search().find(text)

    def masked(self, text: str) -> str:
        """Return `text` with a placeholder without a number for each secret; line
        numbers do not change.
        """
        return replace_secrets(text, self.find_secrets(text))

    def find_secrets_in_part(self, text: str) -> Sequence[Secret]:
        """Return the secrets in a part of a file that is read in parts."""
        return self._search().find_in_part(text)

    def note_secrets(self, text: str) -> None:
        """Note the random values that the rules recognise in a text without a file, so
        that their copies are masked from the next refresh on.
        """
        marks = self._search().search(text).marks
        if marks:
            self.index.note_values(marks)

    def _search(self) -> SecretSearch:
        # A damaged index is replaced when it is opened, which is not for every command.
        if "index" in self.__dict__ or is_current(self._index_place):
            self.secrets.know(self.index.known_values())
        return self.secrets

    @cached_property
    def secrets(self) -> SecretSearch:
        """Search for secrets, by the built-in formats and the settings."""
        from cuedeck.parse.secrets import SecretSearch

        return SecretSearch(self.settings.secrets)

    @property
    def secret_rules(self) -> str:
        """Hash that identifies the configured rules of the search for secrets."""
        return self.secrets.rules

    @property
    def masking_rules(self) -> str:
        """Hash that identifies everything on which masking depends, the known values
        included. It differs between machines if there are any.
        """
        return self.secret_rules + self.index.values_digest

    def _settings_source(self) -> bytes:
        return self.config + repr(self.environ).encode("utf-8", "surrogateescape")

    def settled(self, act: Callable[[], Answer]) -> Answer:
        """Return the result of `act`, repeated with re-read files if they change
        meanwhile.

        Raises: Stale if a file keeps changing, StorageError.
        """
        for _ in range(_ATTEMPTS - 1):
            try:
                return act()
            except Stale as stale:
                self.begin_answer()
                self.tree.distrust(stale.path)
                self.tree.refresh_paths([stale.path])
        return act()


class _LateTexts:
    """Texts of the files of a workspace, whose index is opened by the first use."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def text(self, path: str) -> str:
        return self._workspace.texts.text(path)

    def secrets(self, path: str) -> Sequence[Secret]:
        return self._workspace.texts.secrets(path)
