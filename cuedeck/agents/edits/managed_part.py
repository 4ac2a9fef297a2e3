"""Interface of a managed part: CueDeck's own entries of one kind in a file of a host,
in any format; and the part of a file that is CueDeck's own as a whole.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cuedeck.agents.hosts.base import PROGRAM
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.model.errors import Invalid
from cuedeck.model.replaced_entry import Keys, Prior

_MARK = f"// Written by `{PROGRAM} setup "
_LOCAL = " --local`"


class Put(NamedTuple):
    """The result of adding own entries to a file."""

    text: str
    made: tuple[Keys, ...] = ()
    """The key paths of the containers that were created for the entries."""


def find_prior(prior: Sequence[Prior], keys: Keys) -> Any:
    """Return the value of the first prior entry at a path of keys, or None."""
    values = [entry.value for entry in prior if entry.keys == keys]
    return values[0] if values else None


class Part(ABC):
    """Own entries of one kind. Every method raises Invalid if the file cannot be parsed
    or safely changed.
    """

    __slots__ = ()
    name = ""
    """The entries as a finding names them."""

    @abstractmethod
    def holds(self, text: str) -> bool:
        """Return whether the file contains own entries, of any version."""

    @abstractmethod
    def is_right(self, text: str) -> bool:
        """Return whether each own entry is present exactly once and up to date."""

    @abstractmethod
    def put(self, text: str) -> Put:
        """Add the missing own entries to a file."""

    def renew(self, text: str) -> str:
        """Bring the own entries of a file up to date."""
        return self.put(text).text

    def prior(self, text: str) -> tuple[Prior, ...]:
        """Return the entries for CueDeck that set-up did not write, in file order."""
        return ()

    def programs(self, text: str) -> tuple[str, ...]:
        """Return the programs that the own entries start."""
        return ()

    @abstractmethod
    def strip(
        self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()
    ) -> str:
        """Remove the own entries, and the containers in `made` that become empty (None:
        any container).

        Entries in `prior` stay, or are restored if an own entry replaced them. All
        other entries stay.
        """


@dataclass(frozen=True, slots=True)
class PluginPart(Part):
    """The managed part for the plugin of one host, which is the whole file."""

    name = "the plugin of CueDeck"
    plugin: str
    host: str
    form: Form

    @property
    def text(self) -> str:
        """Return the text of the file. The first line names the form; the commands of a
        user's own plugin do so, because they do nothing if the repository has
        the plugin.
        """
        option = "" if self.form == "project" else f" --{self.form}"
        plugin = self.plugin
        if self.form == "user":
            host = f"--host {self.host}"
            plugin = plugin.replace(host, f"{host} --from user")
        command = f"{self.host}{option}`, which overwrites changes in this file."
        return f"{_MARK}{command}\n{plugin}"

    def holds(self, text: str) -> bool:
        return text.startswith(_MARK)

    def is_right(self, text: str) -> bool:
        """Return whether the file is up to date, with any line endings."""
        return text.splitlines() == self.text.splitlines()

    def put(self, text: str) -> Put:
        """Return the plugin. Raises: Invalid if the file has another content."""
        if text.strip():
            hint = "move or delete it, and run the command again; nothing was changed"
            raise Invalid("the file is not the plugin of CueDeck", hint=hint)
        return Put(text + self.text)

    def renew(self, text: str) -> str:
        return self.text

    def programs(self, text: str) -> tuple[str, ...]:
        return (PROGRAM,)

    def strip(
        self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()
    ) -> str:
        return "" if self.holds(text) else text


def is_local_plugin(text: str) -> bool:
    """Return whether a plugin was written for one checkout."""
    return _LOCAL in text.partition("\n")[0]
