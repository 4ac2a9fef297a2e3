"""Evaluation of assumptions against the workspace, with masked results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.graph.address_lookup import resolve_address
from cuedeck.ledger.check_messages import cut
from cuedeck.ledger.kinds.assumption_kind import UNKNOWN, read_states, sentence
from cuedeck.model.address import split_anchor
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.parse.secrets.mask import Mask

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.assumption import Assumption, Verdict
    from cuedeck.model.secret import Secret
    from cuedeck.store.files.named_files import NamedFiles
    from cuedeck.work.assumptions.assumption_verdicts import Passage


class Judged(NamedTuple):
    """Assumption with the result of its check."""

    assumption: Assumption
    verdict: Verdict
    """Result with masked secrets."""
    message: str
    """Sentence about a failing assumption, masked; empty for the others."""


def judge_all(
    workspace: Workspace, assumptions: Sequence[Assumption]
) -> Sequence[Judged]:
    """Run the checks of the assumptions that have one. Each file is read once. Raises:
    Stale.
    """
    checked = [each for each in assumptions if each.check is not None]
    if not checked:
        return ()
    from cuedeck.store.files.named_files import NamedFiles
    from cuedeck.work.assumptions.assumption_verdicts import judge

    files = NamedFiles(workspace.paths.root, workspace.index, workspace.texts)
    mask = Mask(_Texts(workspace, files), workspace.find_secrets)
    sources = _Sources(workspace, files, mask)
    found = []
    for assumption in checked:
        verdict = judge(assumption, sources)
        message = ""
        if verdict.fails:
            never_held = read_states(workspace).get(assumption.id, UNKNOWN).never_held
            message = sentence(assumption, verdict, never_held=never_held)
        evidence = _masked(verdict.evidence, verdict.path, mask)
        fault = _masked(verdict.fault, verdict.path, mask)
        message = _masked(message, verdict.path, mask)
        found.append(
            Judged(
                assumption, verdict._replace(evidence=evidence, fault=fault), message
            )
        )
    return found


def _masked(text: str, path: str, mask: Mask) -> str:
    """Mask words about a file: secrets by their own format and secrets by their context
    in the file.
    """
    if text and path:
        return mask.words(text, path)
    return mask.plain(text)


class _Texts:
    """Texts of checked files, for masking; implements `Texts`."""

    def __init__(self, workspace: Workspace, files: NamedFiles) -> None:
        self._workspace = workspace
        self._files = files

    def text(self, path: str) -> str:
        try:
            return self._files.text(path) or ""
        except Invalid:  # a folder exists but has no text
            return ""

    def secrets(self, path: str) -> Sequence[Secret]:
        file = self._workspace.index.file(path)
        if file is None:
            return self._workspace.find_secrets(self.text(path))
        if file.kind == "binary":
            return ()
        return self._workspace.texts.secrets(path)


class _Sources:
    """View of the workspace for checks; implements `Sources`."""

    def __init__(self, workspace: Workspace, files: NamedFiles, mask: Mask) -> None:
        from cuedeck.work.assumptions.access_policy import Privacy

        self._workspace = workspace
        self._files = files
        self._mask = mask
        self._privacy = Privacy(workspace)
        self.exists = files.exists
        self.manifests = files.manifests

    def text(self, path: str) -> str | None:
        """Return the text of a file; None if it does not exist. Raises: Invalid if it
        is private.
        """
        text = self._files.text(path)
        if text is not None:
            self._privacy.check(path)
        return text

    def shown(self, path: str, line: int, words: str) -> str:
        """Return masked words of a line, or the whole masked line if it contains a
        secret that they may be part of.
        """
        masked, original = "", ""
        if line:
            masked = self._mask.lines(path, [(line, line)])[0].rstrip("\n")
            original = (self.text(path) or "").split("\n")[line - 1]
        if masked == original:
            return cut(self._mask.words(words, path))
        return cut(masked)

    def passage(self, address: str) -> Passage:
        """Return the passage of an address. Files ignored by git are found by their
        path.
        """
        from cuedeck.work.assumptions.assumption_verdicts import Passage

        try:
            target = resolve_address(address, self._workspace.index)
        except NotFound:
            path, anchor = split_anchor(address)
            if anchor or not path or not self.exists(path):
                raise
            text = self.text(path)
            if text is None:
                raise
            return Passage(path, 1, text)
        if target.kind == "folder":
            raise Invalid(f"`{address}` is a folder", hint="give the address of a doc")
        lines = (self.text(target.path) or "").split("\n")
        text = "\n".join(lines[target.start - 1 : target.end])
        return Passage(target.path, target.start, text)
