"""Answers of commands of the user that a call waits for.

A server answers all calls on a workspace in one thread, which must not wait for a
command. There, the call ends with `AnswerNeeded`; the server waits in another thread
and then repeats the call with the answer. So a call asks before it writes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, TypeVar

from cuedeck.store.files.external_command import RunningCommands

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

Answer = TypeVar("Answer")
Ask = Callable[[RunningCommands], Answer]
"""Runs a command, which it adds to the running ones, and returns its answer."""


class AnswerNeeded(Exception):
    """The call must be repeated with the answer to `question`."""

    def __init__(self, question: Hashable, ask: Ask[Any]) -> None:
        super().__init__("answer needed")
        self.question = question
        self._ask = ask
        self._commands = RunningCommands()

    def wait(self) -> Any:
        """Return the answer of the command."""
        return self._ask(self._commands)

    def end(self) -> None:
        """End the command, so that `wait` returns. Callable from any thread."""
        self._commands.end()


def await_answer(workspace: Workspace, question: Hashable, ask: Ask[Answer]) -> Answer:
    """Return the answer of a command to a question.

    Raises: AnswerNeeded if the workspace belongs to a server, which has no answer yet.
    """
    answers = workspace.command_answers
    if answers is None:
        return ask(RunningCommands())
    if question not in answers:
        raise AnswerNeeded(question, ask)
    answer: Answer = answers[question]
    return answer
