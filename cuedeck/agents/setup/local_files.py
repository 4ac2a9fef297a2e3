"""Files for one checkout (`cuedeck setup HOST --local`), which git must not commit."""

from __future__ import annotations

import os
from collections.abc import Sequence

from cuedeck.agents.edits.exclude_lines import ExcludePart
from cuedeck.agents.hosts.base import Host
from cuedeck.agents.setup.file_change import text_of
from cuedeck.agents.setup.form_files import shares_files
from cuedeck.agents.setup.host_targets import Target
from cuedeck.model.errors import UsageError
from cuedeck.store.files.host_files import Place
from cuedeck.store.files.template import git_exclude
from cuedeck.store.git.exposure import git_hides, git_tracks
from cuedeck.store.git.head import find_repository
from cuedeck.store.workspace_paths import WorkspacePaths

EXCLUDE = ".git/info/exclude"


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
