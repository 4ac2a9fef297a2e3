"""A call of an operation: its workspace, its answer, and the one exit of answers, where
secrets are masked.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from cuedeck.model.errors import UsageError

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.ports import Json, Progress


class Call:
    """What an operation knows of its caller. The workspace is opened when it is first
    used.
    """

    def __init__(self, directory: str | None = None) -> None:
        self.directory = directory
        self.environ: Mapping[str, str] = os.environ
        self.json = False
        """True if a program reads the answer."""
        self.takes_folder = False
        """True for an operation that also works in a folder without `.cuedeck/`."""
        self.opened: Workspace | None = None

    @property
    def start(self) -> str:
        """The folder in which the operation works. Raises: UsageError if it does not
        exist.
        """
        if self.directory == "":
            raise UsageError("-C is empty", hint="omit it, or give a folder")
        try:
            folder = os.path.join(os.getcwd(), self.directory or "")
        except FileNotFoundError:
            raise UsageError(
                "the current folder does not exist any more",
                hint="change to an existing folder",
            ) from None
        if not os.path.isdir(folder):
            raise UsageError(
                f"{self.directory} is not a folder",
                hint="give an existing folder to -C",
            )
        return folder

    @property
    def workspace(self) -> Workspace:
        """The workspace. Raises: WorkspaceMissing."""
        if self.opened is None:
            from cuedeck.engine.open_workspace import open_workspace

            self.opened = open_workspace(
                self.start, self.environ, or_folder=self.takes_folder
            )
        return self.opened

    def memory(self, profile: str = "") -> MemoryFiles:
        """Return the memory of a profile. Raises: NotFound, ConfigurationError."""
        from cuedeck.ledger.records.memory_files import memory_of

        return memory_of(self.workspace, profile)

    def with_short_ids(self, value: Any, profile: str = "") -> Any:
        """Return a value for a person, with the ids of records and experiences as short
        as they are unique; texts of users stay.
        """
        from cuedeck.ledger.records.record_lookup import with_short_ids

        texts: list[str] = []

        def collect(text: str) -> str:
            texts.append(text.replace("\0", " "))
            return text

        _map_texts(value, collect)
        joined = with_short_ids(partial(self.memory, profile), "\0".join(texts))
        short = iter(joined.split("\0"))
        return _map_texts(value, lambda text: next(short))

    def progress(self, label: str) -> AbstractContextManager[Progress | None]:
        """Return a context with the callback for the progress of long work."""
        return nullcontext()

    def tell(self, event: Json, text: str, *, is_note: bool = False) -> None:
        """Show an event of an operation that does not end, as JSON or as a text."""

    def choose(self, count: int) -> int:
        """Return which of `count` rows the person chooses; 0 for none."""
        return 0

    def place(self, file: str) -> str:
        """Return the absolute path of a file argument."""
        return os.path.join(self.start, file)

    def target(self, file: str) -> str:
        """Return the absolute path of an output file. Raises: UsageError for `-`."""
        if file == "-":
            raise UsageError(
                "`-` is not an output file",
                hint="`cuedeck scene --print` and `cuedeck graph` write to stdout; for a file named `-` give `./-`",
            )
        return self.place(file)

    def address(self, text: str) -> str:
        """Return an address; one typed with `./` or `../` is resolved against the
        current folder of the command line.

        An address that leads out of the workspace comes back as it is. Raises:
        UsageError, WorkspaceMissing.
        """
        from cuedeck.engine.open_workspace import address_from

        return address_from(self.start, text)

    def addresses(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        """Return addresses, each as `address` does."""
        return tuple(map(self.address, texts))

    def shown(self, place: str) -> Any:
        """Return a path for display: relative to the open workspace, or absolute if
        outside it.
        """
        return place if self.opened is None else self.opened.paths.shown(place)

    def close(self) -> None:
        """Close the workspace, if one was opened."""
        if self.opened is not None:
            self.opened.close()


_OF_USERS = ("text", "snippet")
"""Fields whose texts contain no id of ours."""


def _map_texts(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {
            key: each if key in _OF_USERS else _map_texts(each, change)
            for key, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [_map_texts(each, change) for each in value]
    return value


class Styled(str):
    """Text for a terminal whose control characters are colours alone."""

    __slots__ = ()


class Raw(str):
    """Content of a file, which is printed as it is."""

    __slots__ = ()


class Note(str):
    """A message about an answer, printed next to it and not as a part of it."""

    __slots__ = ()


Text = str | Callable[[Any], "str | Iterable[str]"]
"""Writes the masked value of an answer for a person, one text or several; or the
template of the text.
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of an operation."""

    value: Any
    """A JSON object; a list of objects for one JSON line each; `Raw` for a text that
    has no JSON."""
    text: Text | None = None
    """How the value is shown, if the operation has no general form of it."""
    notes: Sequence[str] = ()
    """Messages that are printed next to the JSON, too."""
    code: int = 0
    """Exit code of the command."""
    is_masked: bool = False
    """True for a text that was masked before its size was measured."""


def emit(answer: Answer, workspace: Workspace | None) -> Answer:
    """Return an answer with masked secrets."""
    if answer.is_masked:
        return answer
    from cuedeck.engine.mask_answers import mask_value

    given = (answer.value, answer.notes)
    value, notes = mask_value(given, workspace, is_answer=True)
    return replace(answer, value=value, notes=notes)
