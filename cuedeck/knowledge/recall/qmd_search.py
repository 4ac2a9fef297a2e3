"""Search by the user's own qmd command, as a second opinion on the order of units.

qmd only names places. The text of a hit comes from the index of recall, so masking,
filters, secret and superseded records work as in every search, and a result outside the
files that recall may read is dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.awaited_command import await_answer
from cuedeck.model.errors import StorageError
from cuedeck.parse.qmd_results import QmdResult
from cuedeck.store.files.qmd_command import ask_qmd

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.files.running_commands import RunningCommands


class QmdAnswer(NamedTuple):
    """The places that qmd found."""

    results: tuple[QmdResult, ...] = ()
    notes: tuple[str, ...] = ()
    """Warning that qmd did not answer; empty if it did."""


class QmdQuestion(NamedTuple):
    """A query for qmd, with the settings of the command."""

    command: tuple[str, ...]
    mode: str
    query: str
    seconds: int

    def ask(self, commands: RunningCommands) -> QmdAnswer:
        """Return the answer of qmd, which is one of the running commands meanwhile."""
        try:
            found = ask_qmd(self.command, self.mode, self.query, self.seconds, commands)
        except StorageError as error:
            note = f"qmd is not used, only the built-in search: {error.message}"
            return QmdAnswer((), (note,))
        return QmdAnswer(tuple(found))


def search_qmd(workspace: Workspace, text: str) -> QmdAnswer:
    """Return the places that qmd finds; none, with a warning, if it fails.

    Raises: AnswerNeeded as `await_answer` does.
    """
    settings = workspace.settings.memory
    question = QmdQuestion(
        settings.qmd_command,
        settings.qmd_mode,
        _without_secrets(workspace, text),
        settings.qmd_seconds,
    )
    return await_answer(workspace, question, question.ask)


def _without_secrets(workspace: Workspace, text: str) -> str:
    """Return a query without its secrets: other users can read the arguments of a
    process.
    """
    for secret in reversed(workspace.find_secrets(text)):
        text = f"{text[: secret.start]} {text[secret.end :]}"
    return text
