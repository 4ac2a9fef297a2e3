"""Exception hierarchy with stable error codes and exit codes.

CueDeckError
├── UsageError           exit 2   the command line or an argument is wrong
├── WorkspaceMissing     exit 3   no folder with `.cuedeck/` at or above the current one
├── ConfigurationError   exit 4   config.toml cannot be used
│   └── MissingPackage   exit 4   the package of an extra is not installed
├── NotFound             exit 1   an address, card or anchor does not exist (code 1001)
├── Ambiguous            exit 1   an address or name matches several addresses
│   └── NoActiveCard     exit 1   no card, or several, could be the root of the scene
├── CycleFound           exit 1   references or dependencies form a cycle (code 1002)
├── Invalid              exit 1   a value is outside the allowed range (code 1010)
│   └── TooLong          exit 1   a text is longer than its limit (code 1003)
├── NetworkError         exit 1   a network address cannot be listened on (code 1005)
├── Locked               exit 1   another process holds the lock (code 1007)
└── StorageError         exit 1   a read or a write failed
    └── Stale            exit 1   a file differs from its index entry (code 1006)

Codes are stable; messages are not. Codes 1001 to 1010 keep the meaning of the CueDeck
documents; codes from 1011 are specific to this implementation. Code 1004 (front matter)
is only a finding of `doctor`. Codes 1008 (orphan card) and 1009 (rate limit) are not
used: a card without refs or assignee is valid, and there is no rate limit.
"""

from __future__ import annotations

import errno
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
        "bad-yaml": 1004,
        "not-a-mapping": 1004,
        "unclosed-front-matter": 1004,
        "corrupt-index": 1006,
        "bad-value": 1010,
        "ambiguous-ref": 1013,
        "several-active": 1013,
        "bad-config": 1012,
    }
)
"""Error code equivalent to a finding, by the code of the finding."""


class CueDeckError(Exception):
    """An expected failure; `message` states the problem and `hint` the next step.

    `line` is the line of the file concerned, 0 for none; `problem` is the message
    without the place.
    """

    code = 1000
    exit_code = 1

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        candidates: tuple[str, ...] = (),
        line: int = 0,
        problem: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.candidates = candidates
        self.line = line
        self.problem = problem or message


class UsageError(CueDeckError):
    """The command line or an argument is invalid."""

    code = 1010
    exit_code = 2


class WorkspaceMissing(CueDeckError):
    """Neither the current folder nor a folder above it contains `.cuedeck/`."""

    code = 1011
    exit_code = 3


class ConfigurationError(CueDeckError):
    """`config.toml` is not valid TOML or contains an unusable value."""

    code = 1012
    exit_code = 4

    @classmethod
    def at(cls, path: str, line: int, problem: str, hint: str) -> ConfigurationError:
        """Return the error for a problem on a line of a file; a line of 0 means the
        whole file.
        """
        place = f"{path} line {line}" if line else path
        return cls(f"{place}: {problem}", hint=hint, line=line, problem=problem)


EXTRAS: Mapping[str, str] = MappingProxyType(
    {
        "jinja2": "web",
        "lsprotocol": "lsp",
        "markdown_it": "web",
        "mcp_types": "mcp",
        "psycopg": "postgres",
        "uvicorn": "web",
    }
)
"""Extra that installs a module, by the module that its command imports first."""


def install_hint(extra: str) -> str:
    """Return the commands that install an extra."""
    named = f'"cuedeck[{extra}]"'
    return f"run `pipx inject cuedeck {named}`, `uv tool install {named}` or `pip install {named}`"


class MissingPackage(ConfigurationError):
    """A package of an extra is not installed."""

    def __init__(self, module: str) -> None:
        extra = EXTRAS[module]
        message = f"the extra `{extra}` is not installed: there is no module `{module}`"
        super().__init__(message, hint=install_hint(extra))


class NotFound(CueDeckError):
    """An address, card, doc, anchor or file does not exist in the workspace."""

    code = 1001


class CycleFound(CueDeckError):
    """References or dependencies form a cycle; `candidates` contains its path."""

    code = 1002


class Locked(CueDeckError):
    """Another living process holds the required lock."""

    code = 1007


class Invalid(CueDeckError):
    """A value is outside the allowed range."""

    code = 1010

    @classmethod
    def on(cls, line: int, problem: str, hint: str) -> Invalid:
        """Return the error for a problem on a line of a text; a line of 0 means the
        whole text.
        """
        return cls(
            f"line {line}: {problem}" if line else problem,
            hint=hint,
            line=line,
            problem=problem,
        )

    def in_file(self, path: str) -> Invalid:
        """Return this error with the path of the file in its message."""
        return Invalid(
            f"{path}: {self.message}",
            hint=self.hint,
            line=self.line,
            problem=self.problem,
        )


class TooLong(Invalid):
    """A text is longer than its limit; the message names both."""

    code = 1003


class NetworkError(CueDeckError):
    """The operating system refused a network address."""

    code = 1005


class Ambiguous(CueDeckError):
    """A name matches several addresses; `candidates` lists them."""

    code = 1013


class NoActiveCard(Ambiguous):
    """No card, or several, could be the root of the scene; `candidates` lists the
    choices.
    """


class StorageError(CueDeckError):
    """The operating system refused a read or a write; existing data is unchanged."""

    code = 1014


class Stale(StorageError):
    """A file changed on disk after the index, or the caller, read it; read it again."""

    code = 1006

    def __init__(
        self,
        path: str,
        problem: str = "keeps changing",
        hint: str = "run the command again when no program is writing it",
    ) -> None:
        self.path = path
        super().__init__(f"{path} {problem}", hint=hint)


def failed(what: str, error: OSError, hint: str) -> StorageError:
    """Return the error for an operation that the system, a link (`LinkRefused`), or a
    file or folder in the place of the other prevented.
    """
    if error.errno == errno.ELOOP:
        hint = "remove the link; nothing was changed"
    elif isinstance(error, IsADirectoryError):
        hint = "rename or remove the folder; nothing was changed"
    elif isinstance(error, NotADirectoryError):
        hint = "a part of the path is a file; nothing was changed"
    return StorageError(f"cannot {what}: {error.strerror}", hint=hint)
