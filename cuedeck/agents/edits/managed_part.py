"""Interface of a managed part: CueDeck's own entries of one kind in a file of a host,
in any format; and the part of a file that is CueDeck's own as a whole.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from cuedeck.agents.hosts.base import PROGRAM
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.model.errors import Invalid

_MARK = f"// Written by `{PROGRAM} setup "
_LOCAL = " --local`"


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
    def put(self, text: str) -> str:
        """Add the missing own entries to a file, and bring the others up to date.
        Entries that a person wrote stay.
        """

    @abstractmethod
    def strip(self, text: str) -> str:
        """Remove the own entries, and the containers that become empty."""

    def is_right(self, text: str) -> bool:
        """Return whether each own entry is present exactly once and up to date."""
        return self.put(text) == text

    def programs(self, text: str) -> tuple[str, ...]:
        """Return the programs that the own entries start."""
        return ()


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

    def put(self, text: str) -> str:
        """Return the plugin, with any line endings if it is up to date. Raises: Invalid
        if the file has another content.
        """
        if text.strip() and not self.holds(text):
            hint = "move or delete it, and run the command again; nothing was changed"
            raise Invalid("the file is not the plugin of CueDeck", hint=hint)
        if text.splitlines() == self.text.splitlines():
            return text
        return self.text

    def programs(self, text: str) -> tuple[str, ...]:
        return (PROGRAM,)

    def strip(self, text: str) -> str:
        return "" if self.holds(text) else text


def is_local_plugin(text: str) -> bool:
    """Return whether a plugin was written for one checkout."""
    return _LOCAL in text.partition("\n")[0]
