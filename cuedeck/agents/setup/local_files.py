"""Files for one checkout (`cuedeck setup HOST --local`), which git must not commit, and
CueDeck's lines in `info/exclude` of a repository.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from cuedeck.agents.edits.managed_part import Part
from cuedeck.agents.hosts.base import Host
from cuedeck.agents.setup.file_change import text_of
from cuedeck.agents.setup.host_targets import Target, shares_files
from cuedeck.model.errors import UsageError
from cuedeck.store.files.host_files import Place
from cuedeck.store.files.template import git_exclude
from cuedeck.store.git.exposure import git_hides, git_tracks
from cuedeck.store.git.head import find_repository
from cuedeck.store.workspace_paths import WorkspacePaths
from cuedeck.text.text_offsets import next_line

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
