"""Forms in which a host is connected, the next steps, and the files for one checkout
(`cuedeck setup HOST --local`), which git must not commit: CueDeck has lines in
`info/exclude` of a repository.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from dataclasses import dataclass

from cuedeck.agents.edits.hooks_json import HooksPart
from cuedeck.agents.edits.managed_block import BlockPart
from cuedeck.agents.edits.managed_part import Part
from cuedeck.agents.hosts.base import Host
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.agents.setup.file_change import text_of
from cuedeck.agents.setup.host_targets import (
    FORMS,
    Target,
    files_of,
    is_local_file,
    is_shared_part,
    server_part,
    shares_files,
    written_targets,
)
from cuedeck.model.errors import CueDeckError, UsageError
from cuedeck.parse.text_decoding import decode_exactly
from cuedeck.store.files.host_files import Place, place_of, read_quietly
from cuedeck.store.files.template import git_exclude
from cuedeck.store.git.exposure import git_hides, git_tracks
from cuedeck.store.git.head import find_repository
from cuedeck.store.workspace_paths import WorkspacePaths
from cuedeck.text.text_offsets import next_line


def find_forms(host: Host, paths: WorkspacePaths) -> tuple[Form, ...]:
    """Return the forms in which a host is connected."""
    found = [form for form in FORMS if _has_form(host, paths, form)]
    return tuple(found)


def _has_form(host: Host, paths: WorkspacePaths, form: Form) -> bool:
    try:
        targets, _ = written_targets(host, paths, (form,))
    except UsageError:
        return False
    for target in targets:
        is_local = is_local_file(host, paths, target.path)
        if form != "user" and is_local is not (form == "local"):
            continue
        with contextlib.suppress(CueDeckError):  # a check of the file reports it
            if any(_shows_form(host, target, part) for part in target.parts):
                return True
    return False


def _shows_form(host: Host, target: Target, part: Part) -> bool:
    """Return whether an entry shows that a form is connected. In a file of its own, a
    hook names the form; a person may have written any other entry.
    """
    if isinstance(part, BlockPart):
        return False
    if not isinstance(part, HooksPart):
        is_named = host.hooks is not None and not shares_files(host)
        return not is_named and _has_own(target, part)
    text = decode_exactly(target.read() or b"")
    return part.names_form(text) if part.form_name else part.holds(text)


def has_server(host: Host, paths: WorkspacePaths) -> bool:
    """Return whether a server is registered, by set-up or by a person."""
    for form in FORMS:
        with contextlib.suppress(CueDeckError):
            server = host.setup.server
            if form != "project":
                server = files_of(host, paths, form).server
            if server is None:
                continue
            part = server_part(server)
            if part.holds(read_quietly(place_of(paths, server.path).absolute)):
                return True
    return False


def is_connected(host: Host, paths: WorkspacePaths) -> bool:
    """Return whether a host has hooks or a server of CueDeck in this workspace, other
    than hooks that it shares with another host.
    """
    try:
        targets, _ = written_targets(host, paths, ("project", "local"))
    except CueDeckError:
        return False
    for target in targets:
        own = [part for part in target.parts if not is_shared_part(part)]
        with contextlib.suppress(CueDeckError):
            if any(_has_own(target, part) for part in own):
                return True
    return False


def _has_own(target: Target, part: Part) -> bool:
    text = decode_exactly(target.read() or b"")
    if not text:
        return False
    if not part.holds(text):
        return False
    return part.strip(text) != text


def removed_forms(host: Host) -> tuple[Form, ...]:
    """Return the forms that a removal without a form includes."""
    is_local = host.hooks is not None or host.setup.server is not None
    return ("project", "local") if is_local else ("project",)


def local_targets(
    host: Host, paths: WorkspacePaths, targets: Sequence[Target]
) -> tuple[Target, ...]:
    """Return the targets without files that the repository and one checkout share, and
    that now belong to the repository.
    """
    found = []
    for target in targets:
        is_absent = not os.path.exists(target.place.absolute)
        is_local = is_absent or not shares_files(host)
        if is_local or is_local_file(host, paths, target.path):
            found.append(target)
    return tuple(found)


def next_step(host: Host, paths: WorkspacePaths, form: Form) -> str:
    """Return the next step for the user."""
    step = host.setup.next_step.format(folder=paths.root)
    server = server_step(host, paths)
    if form != "project" and host.setup.server:
        server = host.setup.server_step
    return f"{step}; {server}" if server else step


def server_step(host: Host, paths: WorkspacePaths) -> str:
    """Return the step that registers the server; empty if it is registered."""
    if not host.setup.server or has_server(host, paths):
        return ""
    setup = f"`cuedeck setup {host.name}"
    return f"{setup} --local` adds the MCP server for this checkout, {setup} --user` for all your projects"


EXCLUDE = ".git/info/exclude"
_MARK = "# written by `cuedeck setup HOST --local`"


def check_local(host: Host, paths: WorkspacePaths, targets: Sequence[Target]) -> None:
    """Raise UsageError for a file that git would commit with the entries of this
    checkout.
    """
    if find_repository(paths.root) is None:
        return
    for target in targets:
        if target.is_of_user:
            continue
        problem = ""
        if git_tracks(paths.root, target.path):
            problem = "is committed"
        elif (
            shares_files(host)
            and target.read() is not None
            and not git_hides(paths.root, target.path)
        ):
            problem = "is not ignored by git"
        if problem:
            raise UsageError(
                f"{target.path} {problem}, and --local writes nothing that a commit contains",
                hint=f"`cuedeck setup {host.name} --user` writes your own settings; nothing was changed",
            )


def exclude_target(paths: WorkspacePaths, targets: Sequence[Target]) -> Target | None:
    """Return `info/exclude` with the lines of those files that no other rule hides from
    git; None outside git, and if there are none.
    """
    exclude = git_exclude(paths.root)
    if not exclude:
        return None
    # The git directory may be a link.
    folder = os.path.realpath(os.path.dirname(os.path.dirname(exclude)))
    place = Place(EXCLUDE, os.path.join(folder, "info", "exclude"))
    target = Target(EXCLUDE, place, ())
    own = ExcludePart(()).own(text_of(target, target.read()))
    lines = []
    for each in targets:
        line = _line(paths, each)
        if not each.is_of_user and (
            line in own or not git_hides(paths.root, each.path)
        ):
            lines.append(line)
    if not lines:
        return None
    return target._replace(parts=(ExcludePart(tuple(lines)),))


def _line(paths: WorkspacePaths, target: Target) -> str:
    repository = find_repository(paths.root)
    prefix = repository.prefix if repository else ""
    path = f"{prefix}{target.path}"
    for special in ("\\", "*", "?", "["):
        path = path.replace(special, f"\\{special}")
    return f"/{path}"


@dataclass(frozen=True, slots=True)
class ExcludePart(Part):
    """The managed part for the files that git must ignore."""

    lines: tuple[str, ...]
    """Patterns that begin with `/`."""

    def own(self, text: str) -> tuple[str, ...]:
        """Return the lines that set-up wrote, for any host."""
        _, found, _ = _split(text)
        return found

    def holds(self, text: str) -> bool:
        """Return whether the file contains any of the lines, written by set-up."""
        return any(line in self.lines for line in self.own(text))

    def put(self, text: str) -> str:
        missing = [line for line in self.lines if line not in self.own(text)]
        if not missing:
            return text
        before, found, _ = _split(text)
        at = len(before)
        added = "".join(f"{line}\n" for line in missing)
        if not found and _MARK not in before.splitlines():
            glue = "" if not before or before.endswith("\n") else "\n"
            added = f"{glue}{_MARK}\n{added}"
        elif not before.endswith("\n"):
            added = f"\n{added}"
        return text[:at] + added + text[at:]

    def strip(self, text: str) -> str:
        """Remove the lines, and the comment above them if no other line remains."""
        before, found, after = _split(text)
        if not found:
            return text
        rest = [line for line in found if line not in self.lines]
        head = "".join(before.splitlines(keepends=True)[: -1 - len(found)])
        if rest:
            head += "".join(f"{line}\n" for line in (_MARK, *rest))
        return head + after


def _split(text: str) -> tuple[str, tuple[str, ...], str]:
    """Return the text up to the last own line, the own lines, and the text after them.

    Without own lines, the first is the whole text.
    """
    start = text.find(_MARK)
    if start < 0:
        return text, (), ""
    at = next_line(text, start)
    found: list[str] = []
    while text.startswith("/", at):
        end = next_line(text, at)
        found.append(text[at:end].rstrip("\r\n"))
        at = end
    return text[:at], tuple(found), text[at:]
