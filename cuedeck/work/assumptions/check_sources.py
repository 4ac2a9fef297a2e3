"""Access of assumption checks to the files of a workspace, with masked secrets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.graph.address_lookup import resolve_address
from cuedeck.model.address import split_anchor
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.model.formatting import shorten
from cuedeck.parse.secrets.mask import Mask
from cuedeck.store.files.named_files import NamedFiles
from cuedeck.work.assumptions.access_policy import Privacy

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.secret import Secret

_LONGEST_SHOWN = 80


def cut(text: str) -> str:
    """Return file text on one line, shortened for display; mask secrets first, or a
    part of one could remain.
    """
    return shorten(" ".join(text.split()), _LONGEST_SHOWN)


class Passage(NamedTuple):
    """The text at an address."""

    path: str
    first: int
    """Number of its first line."""
    text: str


class Sources:
    """View of the workspace for checks. Its methods raise Invalid for paths outside it
    or unreadable files. It implements `Texts` for the mask of the checked files.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._privacy = Privacy(workspace.paths, workspace.settings)
        self._files = NamedFiles(workspace.paths.root, workspace.index, workspace.texts)
        self.exists = self._files.exists
        self.manifests = self._files.manifests
        self.mask = Mask(self, workspace.find_secrets)

    def text(self, path: str) -> str:
        """Return the text of a file for the mask."""
        try:
            return self._files.text(path) or ""
        except Invalid:  # a folder exists but has no text
            return ""

    def secrets(self, path: str) -> Sequence[Secret]:
        """Return the secrets of a file for the mask."""
        file = self._workspace.index.file(path)
        if file is None:
            return self._workspace.find_secrets(self.text(path))
        if file.kind == "binary":
            return ()
        return self._workspace.texts.secrets(path)

    def read(self, path: str) -> str | None:
        r"""Return the text of a file with `\n` newlines; None if it does not exist.
        Raises: Invalid if it is private.
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
            masked = self.mask.lines(path, [(line, line)])[0].rstrip("\n")
            original = (self.read(path) or "").split("\n")[line - 1]
        if masked == original:
            return cut(self.mask.words(words, path))
        return cut(masked)

    def passage(self, address: str) -> Passage:
        """Return the passage of an address. Files ignored by git are found by their
        path. Raises: NotFound, Ambiguous.
        """
        try:
            target = resolve_address(address, self._workspace.index)
        except NotFound:
            path, anchor = split_anchor(address)
            if anchor or not path or not self.exists(path):
                raise
            text = self.read(path)
            if text is None:
                raise
            return Passage(path, 1, text)
        if target.kind == "folder":
            raise Invalid(f"`{address}` is a folder", hint="give the address of a doc")
        lines = (self.read(target.path) or "").split("\n")
        text = "\n".join(lines[target.start - 1 : target.end])
        return Passage(target.path, target.start, text)
