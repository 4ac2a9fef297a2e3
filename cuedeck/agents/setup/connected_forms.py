"""Forms in which a host is connected, the next steps, and the files for one checkout
(`cuedeck setup HOST --local`), which git must not commit: CueDeck has lines in
`info/exclude` of a repository.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from cuedeck.agents.edits.hooks_json import HooksPart
from cuedeck.agents.edits.managed_block import BlockPart
from cuedeck.agents.edits.managed_part import Part
from cuedeck.agents.hosts.base import Host
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.agents.setup.host_targets import (
    FORMS,
    Target,
    files_of,
    is_local_file,
    passes,
    server_part,
    shares_files,
    written_targets,
)
from cuedeck.model.errors import CueDeckError, UsageError
from cuedeck.store.files.host_files import Place
from cuedeck.store.files.template import git_exclude
from cuedeck.store.git.exposure import git_hides, git_tracks
from cuedeck.store.git.head import find_repository
from cuedeck.store.workspace_paths import WorkspacePaths


def find_forms(host: Host, paths: WorkspacePaths) -> tuple[Form, ...]:
    """Return the forms in which a host is connected."""
    return tuple(form for form in FORMS if _has_form(host, paths, form))


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
            text = target.read_text()
            if any(_shows_form(host, text, part) for part in target.parts):
                return True
    return False


def _shows_form(host: Host, text: str, part: Part) -> bool:
    """Return whether an entry shows that a form is connected. In a file of its own, a
    hook names the form; a person may have written any other entry.
    """
    if isinstance(part, BlockPart) or not text or not part.holds(text):
        return False
    if isinstance(part, HooksPart):
        return not part.form_name or part.names_form(text)
    is_named = host.hooks is not None and not shares_files(host)
    return not is_named and part.strip(text) != text


def server_step(host: Host, paths: WorkspacePaths) -> str:
    """Return the step that registers the server; empty if it is registered, by set-up
    or by a person.
    """
    servers = [host.setup.server]
    for form in FORMS[1:]:
        with contextlib.suppress(CueDeckError):
            servers.append(files_of(host, paths, form).server)
    for server in servers:
        if server and passes(paths, server.path, server_part(server).holds):
            return ""
    if not host.setup.server:
        return ""
    setup = f"`cuedeck setup {host.name}"
    return f"{setup} --local` adds the MCP server for this checkout, {setup} --user` for all your projects"


def next_step(host: Host, paths: WorkspacePaths, form: Form) -> str:
    """Return the next step for the user."""
    step = host.setup.next_step.format(folder=paths.root)
    server = server_step(host, paths)
    if form != "project" and host.setup.server:
        server = host.setup.server_step
    return f"{step}; {server}" if server else step


def local_targets(
    host: Host, paths: WorkspacePaths, targets: Sequence[Target]
) -> tuple[Target, ...]:
    """Return the targets without files that the repository and one checkout share, and
    that now belong to the repository.
    """
    found = []
    for target in targets:
        is_local = not shares_files(host) or not os.path.exists(target.place.absolute)
        if is_local or is_local_file(host, paths, target.path):
            found.append(target)
    return tuple(found)


def check_local(host: Host, paths: WorkspacePaths, targets: Sequence[Target]) -> None:
    """Raise UsageError for a file that git would commit with the entries of this
    checkout.
    """
    if find_repository(paths.root) is None:
        return
    for target in targets:
        if target.is_of_user:
            continue
        is_taken = shares_files(host) and target.read() is not None
        if git_tracks(paths.root, target.path):
            problem = "is committed"
        elif is_taken and not git_hides(paths.root, target.path):
            problem = "is not ignored by git"
        else:
            continue
        raise UsageError(
            f"{target.path} {problem}, and --local writes nothing that a commit contains",
            hint=f"`cuedeck setup {host.name} --user` writes your own settings; nothing was changed",
        )


def exclude_target(paths: WorkspacePaths, targets: Sequence[Target]) -> Target | None:
    """Return `info/exclude` with the lines of those files that no other rule hides from
    git; None outside git, and if there are none.
    """
    repository = find_repository(paths.root)
    exclude = git_exclude(paths.root)
    if not exclude:
        return None
    # The git directory may be a link.
    folder = os.path.realpath(os.path.dirname(os.path.dirname(exclude)))
    place = Place(".git/info/exclude", os.path.join(folder, "info", "exclude"))
    target = Target(place.path, place, ())
    own = _split(target.read_text())[1]
    lines = []
    for each in targets:
        path = f"{repository.prefix if repository else ''}{each.path}"
        for special in ("\\", "*", "?", "["):
            path = path.replace(special, f"\\{special}")
        is_own = f"/{path}" in own or not git_hides(paths.root, each.path)
        if is_own and not each.is_of_user:
            lines.append(f"/{path}")
    if not lines:
        return None
    return target._replace(parts=(ExcludePart(tuple(lines)),))


_MARK = "# written by `cuedeck setup HOST --local`"


@dataclass(frozen=True, slots=True)
class ExcludePart(Part):
    """The managed part for the files that git must ignore: lines below a comment."""

    lines: tuple[str, ...]
    """Patterns that begin with `/`."""

    def holds(self, text: str) -> bool:
        return not set(self.lines).isdisjoint(_split(text)[1])

    def put(self, text: str) -> str:
        own = _split(text)[1]
        if set(self.lines).issubset(own):
            return text
        return _with_lines(text, dict.fromkeys([*own, *self.lines]))

    def strip(self, text: str) -> str:
        """Remove the lines, and the comment above them if no other line remains."""
        if not self.holds(text):
            return text
        own = _split(text)[1]
        return _with_lines(text, [line for line in own if line not in self.lines])


def _split(text: str) -> tuple[str, list[str], str]:
    """Return the text before the comment, the own lines below it, and the rest."""
    before, _, after = text.partition(_MARK)
    rows = after.splitlines(keepends=True)
    own = list(takewhile(lambda row: row.startswith("/"), rows[1:]))
    end = len("".join([*rows[:1], *own]))
    return before, [row.rstrip("\r\n") for row in own], after[end:]


def _with_lines(text: str, lines: Iterable[str]) -> str:
    before, _, after = _split(text)
    rows = "".join(f"{line}\n" for line in lines)
    if rows and before and not before.endswith("\n"):
        before += "\n"
    return f"{before}{_MARK}\n{rows}{after}" if rows else before + after
