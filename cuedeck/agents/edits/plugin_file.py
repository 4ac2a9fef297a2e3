"""A file that is CueDeck's own as a whole: the plugin of a host."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cuedeck.agents.edits.managed_part import Part, Put
from cuedeck.agents.hosts.base import PROGRAM
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.model.errors import Invalid
from cuedeck.model.replaced_entry import Keys, Prior
from cuedeck.parse.text_edit import Insertion, insert

_MARK = f"// Written by `{PROGRAM} setup "
_LOCAL = " --local`"


@dataclass(frozen=True, slots=True)
class PluginPart(Part):
    """The managed part for the plugin of one host."""

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
        after, undo = insert(text, [Insertion(len(text), self.text)])
        return Put(after, undo)

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
