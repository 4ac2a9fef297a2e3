"""Arguments of a tool: their JSON schema and lenient parsing."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_origin

from cuedeck.model.errors import Invalid
from cuedeck.model.ports import Json, JsonView

if TYPE_CHECKING:
    from cuedeck.shells.operation import Given

Kind = Literal["text", "texts", "names", "number", "share", "flag", "object"]
"""`texts` are sentences; `names` contain no comma, so that a string of them is split at
commas.
"""
LONGEST = 200_000
"""Maximum characters of one argument, unless its field has another limit."""
LONGEST_ADDRESS = 16_000
"""Maximum characters of an address; a path has at most 4,096 bytes on Linux, and an
escaped byte has three characters.
"""
_MOST = 500
"""Maximum items of a list."""
_SHOWN = 60
_TEXTS = {"type": "array", "items": {"type": "string"}}
_TYPES: dict[Kind, tuple[Json, Any]] = {
    "text": ({"type": "string"}, ""),
    "texts": (_TEXTS, ()),
    "names": (_TEXTS, ()),
    "number": ({"type": "integer"}, None),
    "share": ({"type": "number"}, 0.0),
    "flag": ({"type": "boolean"}, False),
    "object": ({"type": "object"}, {}),
}
"""JSON schema and value of a missing argument."""
_KINDS: Mapping[Any, Kind] = {int: "number", float: "share", bool: "flag"}
_ADDRESSES = ("address", "written address", "cortex", "memory file", "place")


class Field(NamedTuple):
    """One argument."""

    name: str
    kind: Kind = "text"
    about: str = ""
    """Description, if the name alone is not clear."""
    choices: tuple[str, ...] = ()
    default: Any = None
    """Value if the argument is missing; None means the empty value of its kind."""
    least: int = 0
    most: int = 0
    """Bounds of a number; 0 means no upper limit."""
    required: bool = False
    also: tuple[str, ...] = ()
    """Accepted aliases."""
    longest: int = LONGEST
    """Maximum characters of a text; 0 for a tool that checks the length itself."""

    def schema(self) -> Json:
        """Return the JSON schema."""
        found = dict(_TYPES[self.kind][0])
        if self.choices:
            chosen = {"type": "string", "enum": list(self.choices)}
            found = chosen if self.kind == "text" else {**found, "items": chosen}
        if self.about:
            return {**found, "description": self.about}
        return found

    def read(self, value: Any) -> Any:
        """Return the validated value. Raises: Invalid, which names the field."""
        if value is None:
            return self.empty
        read = _READERS[self.kind](self, value)
        if not self.choices:
            return read
        values = read if isinstance(read, tuple) else (read,)
        for each in values:
            if each not in self.choices:
                raise _bad(self, each, f"must be one of {', '.join(self.choices)}")
        return read

    @property
    def empty(self) -> Any:
        """The value of a missing argument."""
        return _TYPES[self.kind][1] if self.default is None else self.default


def field_of(name: str, given: Given, about: str) -> Field:
    """Return the argument that gives a value to a parameter of an operation."""
    bounds = given.about
    is_many = get_origin(given.type) is tuple
    is_address = bounds.kind in _ADDRESSES and not is_many
    return Field(
        name,
        "names" if is_many else _KINDS.get(given.type, "text"),
        about,
        tuple(bounds.choices),
        None if given.is_required else given.default,
        bounds.least or 0,
        bounds.most or 0,
        longest=LONGEST_ADDRESS if is_address else LONGEST,
    )


def read_arguments(fields: Sequence[Field], given: JsonView) -> Json:
    """Return the value of every field. Raises: Invalid, which names the wrong or
    unknown field.
    """
    known: dict[str, Field] = {}
    for field in fields:
        known[field.name] = field
        for name in field.also:
            known[name] = field
    sent: Json = {}
    names: dict[str, str] = {}
    for name, value in given.items():
        if name not in known:
            fields_known = [field.name for field in fields]
            raise Invalid(
                f"there is no argument `{_short(name)}`", hint=_near(name, fields_known)
            )
        if value is None:
            continue
        own = known[name].name
        if own in sent:
            raise Invalid(
                f"`{own}` is given twice, as `{names[own]}` and as `{name}`",
                hint=f"give `{own}` alone",
            )
        sent[own] = value
        names[own] = name
    for field in fields:
        if field.required and field.name not in sent:
            raise Invalid(
                f"`{field.name}` is missing", hint=field.about or f"give `{field.name}`"
            )
    return {field.name: field.read(sent.get(field.name)) for field in fields}


def _near(name: str, names: Sequence[str]) -> str:
    near = difflib.get_close_matches(name[:_SHOWN], names, 1)
    return (
        f"did you mean `{near[0]}`?"
        if near
        else f"the arguments are {', '.join(names)}"
    )


def _text(field: Field, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _bad(field, value, "must be a text")
    text = str(value)
    if field.longest and len(text) > field.longest:
        raise Invalid(
            f"`{field.name}` has {len(text):,} characters",
            hint=f"at most {field.longest:,}",
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Invalid(
            f"`{field.name}` is not valid Unicode", hint="leave out lone surrogates"
        ) from None
    return text


def _items(field: Field, value: Any) -> tuple[str, ...]:
    if isinstance(value, str) and value.lstrip().startswith("["):
        value = _parsed(value)
    elif isinstance(value, str):
        text = _text(field, value)
        value = text.split(",") if field.kind == "names" else [text]
    if not isinstance(value, list | tuple):
        raise _bad(field, value, "must be a list of texts")
    if len(value) > _MOST:
        raise Invalid(
            f"`{field.name}` has {len(value):,} items", hint=f"at most {_MOST}"
        )
    texts = [_text(field, each).strip() for each in value]
    return tuple(filter(None, texts))


def _parsed(text: str) -> Any:
    """Return the value of a JSON text, else the text as a list of one: some clients
    send lists as strings.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return [text]


def _number(field: Field, value: Any) -> int:
    is_number = isinstance(value, str | int | float) and not isinstance(value, bool)
    try:
        number = int(value) if is_number else None
    except (ValueError, OverflowError):
        number = None
    if number is None or (isinstance(value, float) and value != number):
        raise _bad(field, value, "must be a whole number")
    if number < field.least or (field.most and number > field.most):
        bounds = f"at least {field.least:,}"
        if field.most:
            bounds = f"from {field.least:,} to {field.most:,}"
        raise _bad(field, value, f"must be {bounds}")
    return number


def _share(field: Field, value: Any) -> float:
    try:
        share = -1 if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        share = -1
    if not 0 <= share <= 1:
        raise _bad(field, value, "must be a number from 0 to 1")
    return share


def _flag(field: Field, value: Any) -> bool:
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if not isinstance(value, bool):
        raise _bad(field, value, "must be true or false")
    return value


def _object(field: Field, value: Any) -> Json:
    found = _parsed(value) if isinstance(value, str) else value
    if not isinstance(found, dict):
        raise _bad(field, value, "must be an object")
    return found


_READERS: dict[Kind, Callable[[Field, Any], Any]] = {
    "text": _text,
    "texts": _items,
    "names": _items,
    "number": _number,
    "share": _share,
    "flag": _flag,
    "object": _object,
}


def _bad(field: Field, value: Any, what: str) -> Invalid:
    return Invalid(
        f"`{field.name}` {what}, not {_short(value)}",
        hint=field.about or f"correct `{field.name}`",
    )


def _short(value: Any) -> str:
    text = value
    if not isinstance(value, str):
        try:
            text = json.dumps(value, ensure_ascii=False)
        except (ValueError, RecursionError, TypeError):
            text = type(value).__name__
    text = text.encode("utf-8", "replace").decode()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


CURSOR = Field("cursor", about="`next` of the previous result")


def limit(default: int, most: int) -> Field:
    """Return the argument for the number of items per page."""
    return Field(
        "limit",
        "number",
        default=default,
        least=1,
        most=most,
        also=("top_k", "topK", "top", "max_results", "maxResults"),
    )
