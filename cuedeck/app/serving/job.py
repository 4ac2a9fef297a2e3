"""A call that waits for its turn."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.model.errors import CueDeckError, StorageError

if TYPE_CHECKING:
    from cuedeck.app.serving.followed import FollowedProject


class Job(NamedTuple):
    """What is to be done, and where the answer goes."""

    act: Callable[[FollowedProject], Any]
    answer: Future[Any]

    def run(self, project: FollowedProject) -> None:
        """Do it, unless nobody waits for the answer any more."""
        if not self.answer.set_running_or_notify_cancel():
            return
        project.begin_call()
        try:
            self.answer.set_result(self.act(project))
        except BaseException as error:  # noqa: BLE001 - raised again where it was asked
            self.answer.set_exception(error)

    def turn_away(self, reason: CueDeckError) -> None:
        """Have it fail before it begins."""
        if self.answer.set_running_or_notify_cancel():
            self.answer.set_exception(reason)


def closed() -> StorageError:
    """Return what is told of a workspace that is being closed."""
    return StorageError("the workspace was closed in the meantime", hint="call again")
