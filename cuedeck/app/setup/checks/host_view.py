"""What the checks look at: a host's files as they are, each read when a check first asks for it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from cuedeck.app.setup.host_parts import Target
from cuedeck.hosts.hooks_json import HooksPart
from cuedeck.hosts.read_values import look_up, read_value
from cuedeck.model.errors import Invalid
from cuedeck.model.host import Host
from cuedeck.store.fs.host_files import places_like, read_quietly
from cuedeck.store.workspace_paths import WorkspacePaths


class Said(NamedTuple):
    """A file of settings and what it says."""

    path: str
    """As it is told: workspace-relative, or `~/…`."""
    place: str
    value: Any


class HostView:
    """A host in a workspace."""

    def __init__(self, host: Host, workspace: WorkspacePaths, targets: tuple[Target, ...]) -> None:
        self.host = host
        self.workspace = workspace
        self.targets = targets
        self._said: dict[str, list[Said]] = {}

    @property
    def hooks(self) -> Target | None:
        """Return the file of the hooks; None for a host that has none."""
        return next((each for each in self.targets if any(isinstance(part, HooksPart) for part in each.parts)), None)

    def programs(self) -> Iterator[str]:
        """Yield what own entries start, as far as their files can be read."""
        for target in self.targets:
            for part in target.parts:
                with contextlib.suppress(Invalid):
                    yield from part.programs(read_quietly(target.place.absolute))

    def say(self, patterns: Sequence[str]) -> Iterator[Said]:
        """Yield what files say that are there and can be read; in order."""
        for pattern in patterns:
            if pattern not in self._said:
                found = places_like(self.workspace, pattern)
                self._said[pattern] = [
                    Said(path, place, read_value(place, read_quietly(place))) for path, place in found
                ]
            yield from self._said[pattern]

    def setting(self, patterns: Sequence[str], keys: Sequence[str]) -> tuple[Said, Any] | None:
        """Return what the first file that has a setting says of it, with the file."""
        for said in self.say(patterns):
            found = look_up(said.value, keys)
            if found is not None:
                return said, found
        return None
