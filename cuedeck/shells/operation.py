"""Declarations of operations: one function gives the command, its JSON, the arguments
of tools and the row in the docs.

A parameter before `*` is a positional argument of the command, one after it an option.
The docstring describes the command; its last part, `Args:`, describes each parameter:
`name: text`, or `name --option METAVAR: text`. Modules with declarations evaluate their
annotations, so they do without `from __future__ import annotations`.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

from cuedeck.model.memory_record import CATEGORIES, SENSITIVITIES
from cuedeck.shells.call import Answer, Text

if TYPE_CHECKING:
    from cuedeck.model.ports import JsonView
    from cuedeck.shells.call import Call


Run = TypeVar("Run", bound=Callable[..., Any])

_ARGS = "\n\nArgs:\n"
_ENTRY = re.compile(r"^    (\w+)(?: --([\w-]+))?(?: (\S+))?: ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Param:
    """What the annotation of a parameter says besides its type."""

    kind: str = ""
    """What it names, for completion: `card`, `decision`. An `address` is resolved from
    the current folder, a `place` becomes an absolute path."""
    metavar: str = ""
    choices: Sequence[str] = ()
    least: int | None = None
    most: int | None = None
    words: bool = False
    """True for a text that may be given as several arguments."""
    stdin: str = ""
    """`dash` if `-` means the text on stdin, `output` if that is the output of a
    program, `always` if the text is never an argument."""
    may_be_empty: bool = False
    is_name: bool = False
    """True for the name of a file, which may be arbitrary bytes."""
    dashes: bool = False
    """True for a positional argument that may begin with a dash."""
    help: str = ""
    """Description, if the docstring has none."""


WARNINGS = "*warnings {it}"
"""Text of the warnings of an answer."""
PROBLEMS = "*problems {level}: {path}{line:?:{line}}: {message}; {hint}"
"""Text of the parse problems of files in an answer."""
Many = tuple[str, ...]
Words = Annotated[str, Param(words=True)]
TextOrDash = Annotated[str, Param(stdin="dash")]
Place = Annotated[str, Param("place")]
Address = Annotated[str, Param("address", "ADDRESS")]
Addresses = Annotated[Many, Param("address", "ADDRESS")]
Card = Annotated[str, Param("card", "CARD")]
OwnCard = Annotated[
    str, Param("card", "CARD", help="Card it belongs to.  [default: the active card]")
]
Decision = Annotated[str, Param("decision", "ID")]
Assumption = Annotated[str, Param("assumption", "ID")]
Session = Annotated[str, Param("session", "SESSION")]
Count = Annotated[int, Param(least=1)]


class Piped(str):
    """A text that was read from stdin."""

    __slots__ = ()


class Given(NamedTuple):
    """A declared parameter."""

    name: str
    type: Any
    about: Param
    flag: str
    """Name of the option."""
    metavar: str
    help: str
    default: Any
    """`inspect.Parameter.empty` if a value is required."""
    is_option: bool

    @property
    def is_required(self) -> bool:
        """Whether a value must be given."""
        return self.default is inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that a person or an agent can do."""

    name: str
    """Words of the command: `decision list`."""
    run: Callable[..., Any]
    """Receives the call and the arguments; returns a value or an `Answer`."""
    text: Text | None
    example: str
    notes: Text | None
    """Writes the notes that are printed next to the JSON, too."""
    takes_folder: bool
    short_ids: bool = False
    """True to show a person the ids of records and experiences as short as they are
    unique."""

    @property
    def about(self) -> str:
        """The description, whose first line is a sentence."""
        return inspect.cleandoc(self.run.__doc__ or "").partition(_ARGS)[0]

    def params(self) -> Iterator[Given]:
        """Yield the declared parameters in order."""
        known = _described(inspect.cleandoc(self.run.__doc__ or ""))
        for each in list(inspect.signature(self.run).parameters.values())[1:]:
            kind, about = each.annotation, Param()
            if hasattr(kind, "__metadata__"):
                kind, (about, *_) = kind.__origin__, kind.__metadata__
            flag, metavar, help_ = known.get(each.name, ("", "", ""))
            yield Given(
                each.name,
                kind,
                about,
                flag or each.name.replace("_", "-"),
                metavar or about.metavar,
                help_ or about.help,
                each.default,
                each.kind is inspect.Parameter.KEYWORD_ONLY,
            )

    def answer(self, call: Call, given: JsonView) -> Answer | int:
        """Run the operation; return its exit code if it has shown its answer."""
        found = self.run(call, **given)
        if found is None or isinstance(found, int):
            return found or 0
        return found if isinstance(found, Answer) else Answer(found)


def _described(docstring: str) -> Mapping[str, tuple[str, str, str]]:
    parts = _ENTRY.split(docstring.partition(_ARGS)[2])
    found = {}
    for at in range(1, len(parts), 4):
        name, flag, metavar, text = parts[at : at + 4]
        lines = [line.strip() for line in text.strip().split("\n")]
        found[name] = (flag or "", metavar or "", " ".join(lines))
    return found


class Topic(NamedTuple):
    """Description of a group of operations."""

    about: str
    example: str


OPERATIONS: dict[str, Operation] = {}
"""The operations of the imported modules by name."""
TOPICS: dict[str, Topic] = {}
"""The groups of operations by their words."""


def operation(
    name: str,
    example: str,
    text: Text | None = None,
    *,
    notes: Text | None = None,
    takes_folder: bool = False,
    also: str = "",
    short_ids: bool = False,
) -> Callable[[Run], Run]:
    """Declare a function as an operation, under a second name `also`, too."""

    def register(run: Run) -> Run:
        for each in filter(None, (name, also)):
            OPERATIONS[each] = Operation(
                each, run, text, example, notes, takes_folder, short_ids
            )
        return run

    return register


def topic(name: str, about: str, example: str) -> None:
    """Describe the group of the operations whose names begin with `name`."""
    TOPICS[name] = Topic(inspect.cleandoc(about), example)


Sensitivity = Annotated[
    str,
    Param(
        choices=SENSITIVITIES, help="Who may see it; no agent gets a `secret` record."
    ),
]
AllowSecret = Annotated[
    bool, Param(help="Include records with the sensitivity `secret`.")
]
Profile = Annotated[
    str,
    Param(
        metavar="ID",
        help="Memory profile from the settings.  [default: the workspace memory]",
    ),
]
Category = Annotated[str, Param(help=f"One of {', '.join(CATEGORIES)}.")]
OnlyCategory = Annotated[str, Param(help="Only this category.")]
Record = Annotated[str, Param("record", "ID")]
Experience = Annotated[str, Param("experience", "ID")]
OwnSession = Annotated[
    str, Param("session", "ID", help="Its session.  [default: the open session]")
]
OnlySession = Annotated[str, Param("session", "ID", help="Only this session.")]


GROUPS = {
    "Context": {
        "scene": "scene",
        "why": "search",
        "read": "search",
        "find": "search",
        "suggest": "search",
        "open": "search",
        "graph": "drawings",
        "watch": "servers",
        "web": "servers",
        "lsp": "servers",
    },
    "Cards": {"card": "cards drawings", "list": "cards"},
    "Sessions": {
        "session": "sessions",
        "resume": "sessions",
        "progress": "sessions",
        "decide": "decisions",
        "decision": "decisions",
        "attempt": "decisions",
        "assumption": "assumptions",
    },
    "Memory": {
        "remember": "records",
        "recall": "records",
        "memory": "records memory",
        "experience": "experiences",
        "dream": "experiences",
        "layers": "cortex",
        "cortex": "cortex timelines sessions",
        "exchange": "exchange",
    },
    "Agents": {
        "setup": "health",
        "backfill": "maintenance",
        "capture": "maintenance",
        "hook": "servers",
        "mcp": "servers",
    },
    "Maintenance": {
        "start": "start",
        "init": "maintenance",
        "doctor": "health",
        "config": "maintenance",
        "clean": "maintenance",
        "completion": "servers",
        "uninstall": "start",
    },
}
"""Commands by topic, in the order of `--help`, each with the modules that declare its
operations.
"""

FIRST = {
    "Context": ("start", "scene", "why", "find"),
    "Cards": ("card", "list"),
    "Memory": ("remember", "recall", "decide", "resume"),
    "Agents and people": ("setup", "web", "doctor"),
}
"""Commands that `--help` shows first; `cuedeck help all` shows all."""

COMMANDS = {name: place for group in GROUPS.values() for name, place in group.items()}
"""Modules of each command, by name."""


def load(name: str) -> None:
    """Import the modules that declare the operations of a command."""
    for each in COMMANDS.get(name.partition(" ")[0], "").split():
        importlib.import_module(f"cuedeck.shells.operations.{each}")
