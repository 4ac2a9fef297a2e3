"""Shared input of the doctor checks: the workspace and values derived from it, computed
at first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.workspace import Workspace
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import ConfigurationError, Stale, StorageError
from cuedeck.model.file import CLOSED, File, Link
from cuedeck.model.paths import CONFIG, DOCS, HOME
from cuedeck.model.scene_values import Target, Unresolved
from cuedeck.model.settings_schema import Settings
from cuedeck.parse.frontmatter import split_front_matter
from cuedeck.parse.settings_file import read_settings
from cuedeck.store.clock import local_now
from cuedeck.store.files.disk import LARGEST_TOML, read_bytes
from cuedeck.store.files.workspace_files import database_fault
from cuedeck.store.git.exposure import left_out

if TYPE_CHECKING:
    from cuedeck.model.ports import Progress
    from cuedeck.parse.frontmatter import FrontMatter
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths


def failure(path: str, code: str, message: str, hint: str, line: int = 0) -> Diagnostic:
    """Return a finding that makes the workspace unhealthy."""
    return Diagnostic(path, line, "error", code, message, hint)


def warning(path: str, code: str, message: str, hint: str, line: int = 0) -> Diagnostic:
    """Return a finding that makes the workspace unhealthy with `--strict`."""
    return Diagnostic(path, line, "warning", code, message, hint)


def note(path: str, code: str, message: str, hint: str, line: int = 0) -> Diagnostic:
    """Return a finding that a person may ignore."""
    return Diagnostic(path, line, "info", code, message, hint)


class ResolvedLink(NamedTuple):
    """A link of a file and the result of its resolution."""

    source: str
    """Path of the file that contains the link."""
    kind: str
    """Kind of that file; `config` for refs pinned in the settings."""
    link: Link
    found: Target | Unresolved


class CheckContext:
    """The workspace, its settings and its problems, as input of the checks."""

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        config: tuple[Diagnostic, ...],
        fault: str,
        now: datetime,
        everything: bool = False,
    ) -> None:
        self.workspace = workspace
        self.everything = everything
        """Whether the other files of the repository and the refs of closed cards are
        checked, too.
        """
        self.settings = settings
        self.config = config
        """Problems of the settings."""
        self.index_fault = fault
        """How the index file is corrupt; empty if it is sound. If corrupt, `workspace`
        uses an index in memory.
        """
        self.now = now
        self._matters: dict[str, FrontMatter] = {}

    @property
    def paths(self) -> WorkspacePaths:
        return self.workspace.paths

    @property
    def index(self) -> Index:
        return self.workspace.index

    @cached_property
    def cards(self) -> tuple[File, ...]:
        """All cards, in order of path."""
        return tuple(file for file in self.index.files("card") if file.card is not None)

    @cached_property
    def docs(self) -> tuple[File, ...]:
        """The Markdown files in `.cuedeck/docs/`, in order of path."""
        docs = []
        for path in self.index.folder(DOCS):
            file = self.index.file(path)
            if file is not None and file.kind == "doc":
                docs.append(file)
        return tuple(docs)

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Diagnostics of the parsers and the scan, in order of path and line: those of
        CueDeck's files and of their targets, or of all files.
        """
        found = self.index.troubled()
        if self.everything:
            return tuple(found)
        return tuple(each for each in found if self.is_needed(each.path))

    @cached_property
    def resolved_links(self) -> tuple[ResolvedLink, ...]:
        """The links of CueDeck's files or of all files, resolved, in order of path and
        position; pinned refs come first.
        """
        if not self.everything:
            return self._own_links
        found = self._pinned_links()
        for file in self.index.files():
            found += self.resolve_links(file)
        return tuple(found)

    @cached_property
    def _own_links(self) -> tuple[ResolvedLink, ...]:
        found = self._pinned_links()
        for path in self.index.folder(HOME):
            file = self.index.file(path)
            if file is not None and path not in self.closed_cards:
                found += self.resolve_links(file)
        return tuple(found)

    def _pinned_links(self) -> list[ResolvedLink]:
        found = []
        for ref in self.settings.scene.pinned:
            link = Link(ref=ref, line=0, form="pinned", view="", pin=True)
            target = resolve(link, CONFIG, self.index)
            found.append(ResolvedLink(CONFIG, "config", link, target))
        return found

    def resolve_links(self, file: File, *, suggest: bool = True) -> list[ResolvedLink]:
        """Return all links of one file, resolved, in written order."""
        found = []
        for link in file.links:
            target = resolve(link, file.path, self.index, suggest=suggest)
            found.append(ResolvedLink(file.path, file.kind, link, target))
        return found

    @cached_property
    def closed_cards(self) -> frozenset[str]:
        """The paths of the cards that are done or archived."""
        return frozenset(
            file.path for file in self.cards if file.card and file.card.status in CLOSED
        )

    @cached_property
    def _targets(self) -> frozenset[str]:
        found = [each.found for each in self._own_links]
        return frozenset(each.path for each in found if isinstance(each, Target))

    def is_needed(self, path: str) -> bool:
        """Return whether a path is a file of CueDeck or the target of one of its links,
        and so must be without errors.
        """
        if path == HOME or path.startswith(f"{HOME}/") or path in self._targets:
            return True
        return self.index.file(path) is None

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """The paths that a sparse checkout leaves out."""
        return left_out(self.paths.root)

    def text(self, path: str) -> str:
        """Return the text of a known file; empty if it has changed since it was indexed
        or cannot be read.
        """
        try:
            return self.workspace.texts.text(path)
        except (Stale, StorageError):
            return ""

    def matter(self, path: str) -> FrontMatter:
        """Return the front matter of a known file."""
        if path not in self._matters:
            self._matters[path] = split_front_matter(path, self.text(path))
        return self._matters[path]

    def line_of(self, path: str, *keys: str) -> int:
        """Return the line of the first of these front-matter keys that exists, or 0."""
        lines = self.matter(path).lines
        for key in keys:
            if key in lines:
                return lines[key]
        return 0

    def close(self) -> None:
        """Close the index."""
        self.index.close()


Run = Callable[..., Iterable[Diagnostic]]


class Check(NamedTuple):
    """One check: its name, the condition it verifies, and its function."""

    name: str
    doc: str
    run: Run


CHECKS: list[Check] = []
"""The checks of the imported modules. They share one context and change nothing."""


def check(name: str, doc: str) -> Callable[[Run], Run]:
    """Declare a function as a check."""

    def register(run: Run) -> Run:
        CHECKS.append(Check(name, doc, run))
        return run

    return register


def open_context(
    workspace: Workspace, progress: Progress | None = None, *, everything: bool = False
) -> CheckContext:
    """Open and refresh a workspace for the checks, even if its settings or its index
    are broken.

    Invalid settings are replaced by the defaults. A corrupt index file is not touched;
    an index in memory is used.
    """
    settings, config = _read_settings(workspace.paths.config, workspace.environ)
    fault = database_fault(workspace.paths.index)
    sound = workspace.reopened(index_in_memory=bool(fault))
    sound.settings = settings
    try:
        _ = sound.config
    except ConfigurationError:  # a finding; the checks go on with the defaults
        sound.config = b""
    sound.refresh(progress)
    return CheckContext(
        workspace=sound,
        settings=settings,
        config=config,
        fault=fault,
        now=local_now(),
        everything=everything,
    )


def _read_settings(
    place: str, environ: Mapping[str, str]
) -> tuple[Settings, tuple[Diagnostic, ...]]:
    """Return the usable settings, and the problems of the file `config.toml` and of the
    environment variables.
    """
    try:
        data = read_bytes(place, LARGEST_TOML) or b""
    except StorageError as error:
        return Settings(), (failure(CONFIG, "bad-config", error.message, error.hint),)
    reading = read_settings(data.decode("utf-8-sig", "replace"), environ)
    return reading.settings, (*reading.errors, *reading.warnings)
