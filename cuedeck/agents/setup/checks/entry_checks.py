"""Checks that own entries exist once and are current in the files of a host."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from cuedeck.agents.edits.hooks_json import ROOT, HooksPart, OwnHook, own_hooks
from cuedeck.agents.edits.json_document import line_of, look_up, read_json, read_value
from cuedeck.agents.edits.managed_block import BlockPart, blocks_of
from cuedeck.agents.edits.managed_part import Part
from cuedeck.agents.edits.own_commands import hook_words, is_own_hook
from cuedeck.agents.hosts.base import Host
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.agents.setup.connected_forms import exclude_target, local_targets
from cuedeck.agents.setup.host_targets import Target
from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.errors import CueDeckError, Invalid, StorageError
from cuedeck.store.files.host_files import check_folders, places_like, read_quietly
from cuedeck.store.workspace_paths import WorkspacePaths
from cuedeck.text.text_offsets import line_number


class SettingsFile(NamedTuple):
    """A settings file with its parsed value."""

    path: str
    """Path for display: workspace-relative, or `~/…`."""
    place: str
    value: Any


@dataclass(frozen=True)
class HostView:
    """A host in one workspace."""

    host: Host
    paths: WorkspacePaths
    targets: Sequence[Target]
    form: Form = "project"

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
            return own_hooks(read_json(self.hooks.read_text()).value)
        except (Invalid, StorageError):
            return []

    def settings_files(self, patterns: Sequence[str]) -> Iterator[SettingsFile]:
        """Yield the existing, readable files that match the patterns, in order."""
        for pattern in patterns:
            for path, place in places_like(self.paths, pattern):
                value = read_value(place, read_quietly(place))
                yield SettingsFile(path, place, value)

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


Health = Literal["right", "stale", "missing", "broken"]
_ORDER: tuple[Health, ...] = ("broken", "missing", "stale", "right")


def check_files(view: HostView) -> Iterator[Diagnostic]:
    """Yield own entries that are missing, outdated or edited, files that cannot be
    parsed, and a finding if git does not ignore the files of this checkout.
    """
    for target in view.targets:
        found = (examine_part(view, target, part)[1] for part in target.parts)
        # One finding for a missing file.
        yield from dict.fromkeys(each for each in found if each)
    exclude = None
    if view.form == "local":
        own = local_targets(view.host, view.paths, view.targets)
        exclude = exclude_target(view.paths, own)
    if exclude and not exclude.parts[0].is_right(exclude.read_text()):
        problem = "git does not ignore the files of this checkout"
        hint = f"`{view.command}` adds them to it"
        yield Diagnostic(
            exclude.path,
            0,
            "warning",
            "not-ignored",
            problem,
            hint,
        )


def state_of(view: HostView, target: Target) -> Health:
    """Return the worst health of the parts of a file."""
    found = {examine_part(view, target, part)[0] for part in target.parts}
    return next(health for health in _ORDER if health in found)


def examine_part(
    view: HostView, target: Target, part: Part
) -> tuple[Health, Diagnostic | None]:
    """Return the health of one part with its finding; `broken` includes files that
    set-up would refuse to change.
    """
    again = f"`{view.command}` repairs it"
    path = target.path
    try:
        data = target.read()
        text = target.text_of(data)
        if data is None or not part.holds(text):
            check_folders(target.place)
            part.put(text)
            problem = f"{part.name} is missing"
            found = Diagnostic(
                path,
                0,
                "error",
                "missing-entry",
                problem,
                again,
            )
            return "missing", found
        if part.is_right(text):
            return "right", None
    except (Invalid, StorageError) as error:
        return "broken", broken_file(path, error)
    line, code = 0, "stale-entry"
    problem = f"{part.name} differs from the expected text"
    if isinstance(part, BlockPart):
        line, code = line_number(text, blocks_of(text)[0].start), "stale-block"
    return "stale", Diagnostic(
        path,
        line,
        "error",
        code,
        problem,
        again,
    )


def broken_file(path: str, error: CueDeckError) -> Diagnostic:
    """Return the finding for a file that cannot be parsed or changed."""
    return Diagnostic(
        path,
        error.line,
        "error",
        "broken-file",
        error.problem,
        error.hint,
    )


_REMOVE = "remove the commands that begin with `cuedeck hook` from it"


def check_doubles(view: HostView) -> Iterator[Diagnostic]:
    """Yield own hooks that are twice in one file, or in two files that the host
    reads.
    """
    found = view.own_hooks()
    if view.hooks is None or not found:
        return
    path = view.hooks.path
    seen: Counter[str] = Counter()
    for each in found:
        seen[each.event] += 1
        if seen[each.event] == 2:
            line = line_of(path, read_quietly(view.hooks.place.absolute), each.path)
            message = f"two hooks of CueDeck for {each.event}: the event fires twice"
            hint = f"`{view.command}` keeps one of them"
            yield Diagnostic(
                path,
                line,
                "error",
                "double-hook",
                message,
                hint,
            )
    yield from _elsewhere(view, view.hooks, _name_form(each.command for each in found))
    for file in _borrowed(view):
        message = f"{view.host.title} runs the hooks of this file, too; each event is handled once, by {path}"
        yield Diagnostic(
            file.path,
            0,
            "info",
            "double-hook",
            message,
            "",
        )


def _name_form(commands: Iterable[str]) -> bool:
    return all("--from" in hook_words(command) for command in commands)


def _elsewhere(view: HostView, hooks: Target, is_named: bool) -> Iterator[Diagnostic]:
    """Yield other files whose hooks the host runs; `is_named` says whether the hooks of
    the examined file name their form.

    A hook that names its form does nothing if one of a form before it runs: see
    `shells.hook.fast_path`.
    """
    assert view.host.hooks is not None
    setup = view.host.setup
    forms = [each.hooks for each in (setup.user, setup.local) if each]
    for file in view.settings_files(setup.hooks_too or forms):
        commands = list(_own_commands(look_up(file.value, (ROOT,))))
        if not commands or os.path.realpath(file.place) == hooks.place.absolute:
            continue
        is_first = is_named and file.path == view.host.hooks.path
        level: Level = "error"
        outcome, hint = ": they fire twice", _REMOVE
        if is_first or _name_form(commands):
            level = "info"
            outcome, hint = "; each event is handled once, by one of the two", ""
        message = f"{view.host.title} runs the hooks of this file as well as those of {hooks.path}{outcome}"
        yield Diagnostic(
            file.path,
            0,
            level,
            "double-hook",
            message,
            hint,
        )


def _borrowed(view: HostView) -> Iterator[SettingsFile]:
    """Yield files of another host whose hooks the host also runs. They do nothing for
    an event that its own hooks handle.
    """
    borrowed = view.host.setup.borrowed
    if borrowed is None:
        return
    if borrowed.keys:
        setting = view.setting(borrowed.settings, borrowed.keys)
        if setting is None or setting[1] is not True:
            return
    for file in view.settings_files(borrowed.files):
        if any(_own_commands(look_up(file.value, (ROOT,)))):
            yield file


def _own_commands(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        command = value.get("command")
        if is_own_hook(command):
            yield str(command)
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _own_commands(each)


def programs_of(targets: Iterable[Target]) -> set[str]:
    """Return the programs that own entries start; files that cannot be parsed are
    skipped.
    """
    found: set[str] = set()
    for target in targets:
        text = read_quietly(target.place.absolute)
        for part in target.parts:
            with contextlib.suppress(Invalid):
                found.update(part.programs(text))
    return found
