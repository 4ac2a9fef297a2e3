"""Shared input of the doctor checks: the workspace and values derived from it, computed
at first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.workspace import Workspace
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.errors import ConfigurationError, Stale, StorageError
from cuedeck.model.file import CLOSED, File, Link
from cuedeck.model.paths import CONFIG, HOME
from cuedeck.model.scene_values import Target, Unresolved
from cuedeck.model.settings_schema import Settings
from cuedeck.parse.frontmatter import split_front_matter
from cuedeck.parse.settings_file import read_settings
from cuedeck.store.files.disk import LARGEST_TOML, read_bytes
from cuedeck.store.files.workspace_files import database_fault

if TYPE_CHECKING:
    from cuedeck.model.ports import Progress
    from cuedeck.parse.frontmatter import FrontMatter


def _report(
    level: Level, path: str, code: str, message: str, hint: str, line: int = 0
) -> Diagnostic:
    return Diagnostic(path, line, level, code, message, hint)


failure = partial(_report, "error")
"""Returns a finding that makes the workspace unhealthy."""
warning = partial(_report, "warning")
"""Returns a finding that makes the workspace unhealthy with `--strict`."""
note = partial(_report, "info")
"""Returns a finding that a person may ignore."""


class ResolvedLink(NamedTuple):
    """A link of a file and the result of its resolution."""

    source: str
    """Path of the file that contains the link; `config.toml` for pinned refs."""
    link: Link
    found: Target | Unresolved


class CheckContext:
    """The workspace and its problems, as input of the checks."""

    def __init__(
        self,
        workspace: Workspace,
        config: tuple[Diagnostic, ...] = (),
        fault: str = "",
        everything: bool = False,
    ) -> None:
        self.workspace = workspace
        self.paths = workspace.paths
        self.index = workspace.index
        self.everything = everything
        """Whether the other files of the repository and the refs of closed cards are
        checked, too.
        """
        self.config = config
        """Problems of the settings."""
        self.index_fault = fault
        """How the index file is corrupt; empty if it is sound. If corrupt, `workspace`
        uses an index in memory.
        """

    @cached_property
    def cards(self) -> tuple[File, ...]:
        """All cards, in order of path."""
        return tuple(file for file in self.index.files("card") if file.card is not None)

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Diagnostics of the parsers and the scan, in order of path and line: those of
        CueDeck's files and of their targets, or of all files.
        """
        found = self.index.troubled()
        return tuple(each for each in found if self.is_checked(each.path))

    @cached_property
    def resolved_links(self) -> tuple[ResolvedLink, ...]:
        """The links of CueDeck's files or of all files, resolved, in order of path and
        position; pinned refs come first.
        """
        if not self.everything:
            return self._own_links
        found = self._pinned_links()
        for file in self.index.files():
            found += self.resolve_links(file.path, file.links)
        return tuple(found)

    @cached_property
    def _own_links(self) -> tuple[ResolvedLink, ...]:
        found = self._pinned_links()
        for path in self.index.folder(HOME):
            file = self.index.file(path)
            if file is not None and path not in self.closed_cards:
                found += self.resolve_links(path, file.links)
        return tuple(found)

    def _pinned_links(self) -> list[ResolvedLink]:
        pinned = self.workspace.settings.scene.pinned
        links = [Link(ref, 0, "pinned", view="", pin=True) for ref in pinned]
        return self.resolve_links(CONFIG, links)

    def resolve_links(self, path: str, links: Iterable[Link]) -> list[ResolvedLink]:
        """Return the links of one file, resolved, in written order."""
        return [
            ResolvedLink(path, link, resolve(link, path, self.index, suggest=True))
            for link in links
        ]

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

    def is_checked(self, path: str) -> bool:
        """Return whether the problems of a file are reported."""
        return self.everything or self.is_needed(path)

    def is_needed(self, path: str) -> bool:
        """Return whether a path is a file of CueDeck or the target of one of its links,
        and so must be without errors.
        """
        if path == HOME or path.startswith(f"{HOME}/") or path in self._targets:
            return True
        return self.index.file(path) is None

    def matter(self, path: str) -> FrontMatter:
        """Return the front matter of a known file; none if it has changed since it was
        indexed or cannot be read.
        """
        try:
            text = self.workspace.texts.text(path)
        except (Stale, StorageError):
            text = ""
        return split_front_matter(path, text)

    def line_of(self, path: str, *keys: str) -> int:
        """Return the line of the first of these front-matter keys that exists, or 0."""
        lines = self.matter(path).lines
        return next((lines[key] for key in keys if key in lines), 0)


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
    fault = database_fault(workspace.paths.index)
    sound = workspace.reopened(index_in_memory=bool(fault))
    try:
        data = read_bytes(workspace.paths.config, LARGEST_TOML) or b""
    except StorageError as error:
        sound.settings = Settings()
        problems = [failure(CONFIG, "bad-config", error.message, error.hint)]
    else:
        text = data.decode("utf-8-sig", "replace")
        reading = read_settings(text, workspace.environ)
        sound.settings = reading.settings
        problems = [*reading.errors, *reading.warnings]
    try:
        _ = sound.config
    except ConfigurationError:  # a finding; the checks go on with the defaults
        sound.config = b""
    sound.refresh(progress)
    return CheckContext(sound, tuple(problems), fault, everything)
