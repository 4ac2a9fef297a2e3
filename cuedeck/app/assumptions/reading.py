"""What the assumptions of a workspace say and whether they hold. Nothing here writes.

The index must be up to date. A file that changes meanwhile raises `Stale`: who asks runs in `project.settled`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.store.disk import read_bytes

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.memory.assumptions import State
    from cuedeck.memory.checks import Passage
    from cuedeck.model.assumption import Assumption, Verdict
    from cuedeck.model.node import Diagnostic, Secret
    from cuedeck.parse.assumptions import Assumptions
    from cuedeck.store.named_files import NamedFiles

FILE = ".cuedeck/assumptions.toml"
LEDGER = "assumptions"


class Judged(NamedTuple):
    """An assumption and what came of its check."""

    assumption: Assumption
    verdict: Verdict
    """Masked."""
    message: str
    """The sentence of one that fails, masked; empty for the others."""


class Failing(NamedTuple):
    """An assumption that fails and that nobody has dealt with."""

    assumption: Assumption
    verdict: Verdict
    sentence: str
    """Masked."""


def read_assumptions(project: Project) -> Assumptions | None:
    """Return what the file holds; None when there is none, at the price of looking for it. Raises: StorageError."""
    data = read_bytes(project.workspace.absolute(FILE))
    if data is None:
        return None
    from cuedeck.parse.assumptions import parse_assumptions

    return parse_assumptions(data)


def verdicts(project: Project) -> Sequence[tuple[Assumption, Verdict]]:
    """Return the assumptions that have a check, in the order of the file, with what came of it."""
    found = read_assumptions(project)
    return [(each.assumption, each.verdict) for each in judge_all(project, found.items if found else ())]


def failing(project: Project) -> Sequence[Failing]:
    """Return the assumptions that fail and are not resolved, in the order of the file."""
    found = read_assumptions(project)
    failed = [each for each in judge_all(project, found.items if found else ()) if each.verdict.fails]
    if not failed:
        return ()
    from cuedeck.memory.assumptions import RESOLVED, UNKNOWN

    states = read_states(project)
    return [Failing(*each) for each in failed if states.get(each.assumption.id, UNKNOWN).status != RESOLVED]


def diagnostics(project: Project) -> Sequence[Diagnostic]:
    """Return what a person should mend: in the file, in checks that cannot be made, in the journal. Masked."""
    found = read_assumptions(project)
    if found is None:
        return ()
    from cuedeck.store.ledger import read_ledger

    judged = judge_all(project, found.items)
    said = [*found.faults, *broken(judged), *read_ledger(project.workspace, LEDGER).faults]
    mask = project.mask()
    return sorted(each._replace(message=mask.plain(each.message), hint=mask.plain(each.hint)) for each in said)


def broken(judged: Sequence[Judged]) -> Sequence[Diagnostic]:
    """Return the checks that could not be made."""
    from cuedeck.model.node import Diagnostic

    hint = "mend its check"
    return [
        Diagnostic(FILE, assumption.line, "error", "broken-check", f"`{assumption.id}`: {verdict.fault}", hint)
        for assumption, verdict, _ in judged
        if verdict.fault
    ]


def read_states(project: Project) -> Mapping[str, State]:
    """Return what the journal says of each assumption. Raises: StorageError."""
    from cuedeck.memory.assumptions import states
    from cuedeck.store.ledger import read_ledger

    return states(read_ledger(project.workspace, LEDGER).entries)


def judge_all(project: Project, assumptions: Sequence[Assumption]) -> Sequence[Judged]:
    """Check the assumptions that have a check; each file they name is read once. Raises: Stale."""
    checked = [each for each in assumptions if each.check is not None]
    if not checked:
        return ()
    from cuedeck.memory.assumptions import sentence
    from cuedeck.memory.checks import judge
    from cuedeck.store.named_files import NamedFiles

    files = NamedFiles(project.workspace.root, project.index, project.texts)
    sources = _Sources(project, files)
    masked = _masker(project, files)
    found = []
    for assumption in checked:
        verdict = judge(assumption, sources)
        path, message = _path(verdict.where), sentence(assumption, verdict) if verdict.fails else ""
        shown = verdict._replace(evidence=masked(verdict.evidence, path), fault=masked(verdict.fault, path))
        found.append(Judged(assumption, shown, masked(message, path)))
    return found


def _path(where: str) -> str:
    path, _, line = where.rpartition(":")
    return path if line.isdigit() else where


def _masker(project: Project, files: NamedFiles) -> Callable[[str, str], str]:
    """Return what masks words about a file, by what is a secret alone and what is one where it stands."""
    from cuedeck.scene.mask import Mask

    mask = Mask(_Texts(project, files), project.find_secrets)
    return lambda text, path: mask.words(text, path) if text and path else mask.plain(text)


class _Texts:
    """The texts of files that checks have read, for masking; implements `Texts`."""

    def __init__(self, project: Project, files: NamedFiles) -> None:
        self._project = project
        self._files = files

    def text(self, path: str) -> str:
        from cuedeck.model.errors import Invalid

        try:
            return self._files.text(path) or ""
        except Invalid:  # a folder that exists has a place and no text
            return ""

    def secrets(self, path: str) -> Sequence[Secret]:
        file = self._project.index.file(path)
        if file is None:
            return self._project.find_secrets(self.text(path))
        return self._project.texts.secrets(path) if file.kind != "binary" else ()


class _Sources:
    """What checks see of the workspace; implements `Sources`."""

    def __init__(self, project: Project, files: NamedFiles) -> None:
        self._project = project
        self.exists = files.exists
        self.text = files.text
        self.manifests = files.manifests

    def passage(self, address: str) -> Passage:
        """Return what an address stands for; files that git ignores are found by their path."""
        from cuedeck.graph.resolve import resolve_address
        from cuedeck.memory.checks import Passage
        from cuedeck.model.address import split_anchor
        from cuedeck.model.errors import Invalid, NotFound

        try:
            target = resolve_address(address, self._project.index)
        except NotFound:
            path, anchor = split_anchor(address)
            text = self.text(path) if path and self.exists(path) and not anchor else None
            if text is None:
                raise
            return Passage(path, 1, text)
        if target.kind == "folder":
            raise Invalid(f"`{address}` is a folder", hint="give the address of a doc")
        text = self.text(target.path) or ""
        return Passage(target.path, target.start, "\n".join(text.split("\n")[target.start - 1 : target.end]))
