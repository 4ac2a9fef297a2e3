"""The error tree.

CueDeckError
├── UsageError           exit 2   the command line or an argument is wrong
├── WorkspaceMissing     exit 3   no folder with `.cuedeck/` above the current one
├── ConfigurationError   exit 4   config.toml cannot be used
├── NotFound             exit 1   an address, card or anchor names nothing (code 1001)
├── Ambiguous            exit 1   an address or name matches several addresses
│   └── NoActiveCard     exit 1   no card, or several, could be the one to build a scene for
├── CycleFound           exit 1   references or dependencies run in a circle (code 1002)
├── Invalid              exit 1   a value is outside what is allowed (code 1010)
│   └── TooLong          exit 1   a text is longer than its limit (code 1003)
├── NetworkError         exit 1   an address cannot be listened at (code 1005)
├── Locked               exit 1   another process holds the lock (code 1007)
└── StorageError         exit 1   the disk refused a read or a write
    └── Stale            exit 1   a file is no longer what the index knows (code 1006)

Codes are stable; messages are not. Codes 1001 to 1010 keep the meaning of the documents this product
realises; codes from 1011 on are its own. Of the documents 1004 (front matter) is only a
finding of the doctor; 1008 (orphan card) and 1009 (rate limit) are not used: a card without refs or assignee is
healthy, and no rate is limited.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

FINDING_CODES: Mapping[str, int] = MappingProxyType(
    {
        "bad-active": 1001,
        "dead-cite": 1001,
        "missing-dependency": 1001,
        "dead-ref": 1001,
        "dependency-cycle": 1002,
        "ref-cycle": 1002,
        "large-file": 1003,
        "too-long": 1003,
        "bad-yaml": 1004,
        "not-a-mapping": 1004,
        "unclosed-front-matter": 1004,
        "corrupt-index": 1006,
        "held-lock": 1007,
        "bad-value": 1010,
        "ambiguous-ref": 1013,
        "several-active": 1013,
        "bad-config": 1012,
    }
)
"""Code of an error that says the same as a finding, by the code of the finding."""


class CueDeckError(Exception):
    """An expected failure: what went wrong, and in `hint` what to do next.

    `line` is the line of a file that it is about, 0 for none; `problem` is the message without that place.
    """

    code = 1000
    exit_code = 1

    def __init__(
        self, message: str, *, hint: str = "", candidates: tuple[str, ...] = (), line: int = 0, problem: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.candidates = candidates
        self.line = line
        self.problem = problem or message


class UsageError(CueDeckError):
    """The command line or an argument cannot be understood."""

    code = 1010
    exit_code = 2


class WorkspaceMissing(CueDeckError):
    """No folder at or above the current one holds `.cuedeck/`."""

    code = 1011
    exit_code = 3


class ConfigurationError(CueDeckError):
    """`config.toml` is not valid TOML or holds a value that cannot be used."""

    code = 1012
    exit_code = 4

    @classmethod
    def at(cls, path: str, line: int, problem: str, hint: str) -> ConfigurationError:
        """Return the error that tells of a problem on a line of a file, 0 for none."""
        place = f"{path} line {line}" if line else path
        return cls(f"{place}: {problem}", hint=hint, line=line, problem=problem)


class NotFound(CueDeckError):
    """An address, card, doc, anchor or file names nothing in the workspace."""

    code = 1001


class CycleFound(CueDeckError):
    """References or dependencies run in a circle; `candidates` holds the path."""

    code = 1002


class Locked(CueDeckError):
    """Another living process holds the lock that is needed."""

    code = 1007


class Invalid(CueDeckError):
    """A value is outside what is allowed."""

    code = 1010

    @classmethod
    def on(cls, line: int, problem: str, hint: str) -> Invalid:
        """Return the error that tells of a problem on a line of a text, 0 for none."""
        return cls(f"line {line}: {problem}" if line else problem, hint=hint, line=line, problem=problem)

    def in_file(self, path: str) -> Invalid:
        """Return an error of a text as one of its file."""
        return Invalid(f"{path}: {self.message}", hint=self.hint, line=self.line, problem=self.problem)


class TooLong(Invalid):
    """A text is longer than its limit; the message names both."""

    code = 1003


class NetworkError(CueDeckError):
    """The system refused an address of the network."""

    code = 1005


class Ambiguous(CueDeckError):
    """A name matches several addresses; `candidates` lists them."""

    code = 1013


class NoActiveCard(Ambiguous):
    """No card, or several, could be the one to build a scene for; `candidates` lists those to choose from."""


class StorageError(CueDeckError):
    """The disk refused a read or a write; nothing that existed before is changed."""

    code = 1014


class Stale(StorageError):
    """A file changed on disk after the index read it; refresh and try again."""

    code = 1006

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"{path} keeps changing", hint="run the command again when it is at rest")
