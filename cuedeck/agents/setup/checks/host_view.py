"""Inputs of the checks: the files of a host, each read on first use."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from cuedeck.agents.edits.hooks_json import HooksPart, OwnHook, own_hooks
from cuedeck.agents.edits.json_tree import read_json
from cuedeck.agents.edits.read_values import look_up, read_value
from cuedeck.agents.hosts.base import Host
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.agents.setup.file_change import text_of
from cuedeck.agents.setup.host_targets import Target
from cuedeck.model.errors import Invalid, StorageError
from cuedeck.store.files.host_files import places_like, read_quietly
from cuedeck.store.workspace_paths import WorkspacePaths


class SettingsFile(NamedTuple):
    """A settings file with its parsed value."""

    path: str
    """Path for display: workspace-relative, or `~/…`."""
    place: str
    value: Any


class HostView:
    """A host in one workspace."""

    def __init__(
        self,
        host: Host,
        paths: WorkspacePaths,
        targets: Sequence[Target],
        form: Form = "project",
    ) -> None:
        self.host = host
        self.form = form
        self.workspace = paths
        self.targets = targets
        self._files: dict[str, list[SettingsFile]] = {}

    @property
    def command(self) -> str:
        """Return the command that connects the host."""
        host = self.host
        command = f"cuedeck setup {host.name}"
        return command if self.form == "project" else f"{command} --{self.form}"

    @property
    def hooks(self) -> Target | None:
        """Return the file of the hooks; None for a host without hooks."""
        for target in self.targets:
            if any(isinstance(part, HooksPart) for part in target.parts):
                return target
        return None

    def own_hooks(self) -> list[OwnHook]:
        """Return the own hooks in the file of the hooks; none if it cannot be parsed,
        which is a finding of its own.
        """
        if self.hooks is None:
            return []
        try:
            text = text_of(self.hooks, self.hooks.read())
            return own_hooks(read_json(text))
        except (Invalid, StorageError):
            return []

    def programs(self) -> Iterator[str]:
        """Yield the programs that own entries start; files that cannot be parsed are
        skipped.
        """
        for target in self.targets:
            for part in target.parts:
                with contextlib.suppress(Invalid):
                    yield from part.programs(read_quietly(target.place.absolute))

    def settings_files(self, patterns: Sequence[str]) -> Iterator[SettingsFile]:
        """Yield the existing, readable files that match the patterns, in order."""
        for pattern in patterns:
            if pattern not in self._files:
                found = places_like(self.workspace, pattern)
                self._files[pattern] = [
                    SettingsFile(path, place, read_value(place, read_quietly(place)))
                    for path, place in found
                ]
            yield from self._files[pattern]

    def setting(
        self, patterns: Sequence[str], keys: Sequence[str]
    ) -> tuple[SettingsFile, Any] | None:
        """Return the first file that has a setting, with its value; None if no file has
        it.
        """
        for file in self.settings_files(patterns):
            found = look_up(file.value, keys)
            if found is not None:
                return file, found
        return None
