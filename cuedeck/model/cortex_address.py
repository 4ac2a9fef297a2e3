"""Addresses of the cortex tree: `cortex://dimension[/owner[/category[/…]]]`.

Every spelling of an address is parsed here, and an accepted address names a file or
folder below `.cuedeck/cortex/`. Two spellings are accepted:

- `cortex://user/default/preferences/editor.md`, percent-decoded exactly once;
- the path `.cuedeck/cortex/user/default/preferences/editor.md`, or its part below
  `.cuedeck/cortex/`, where a percent sign is a character of the name.

Names are compared in Unicode normalisation form NFC. Rules that hold for names of
files, such as the reserved names of Windows, are checked on every system, so that a
tree can be copied between systems. The anchor of an address (`#L3-L9`) is split off by
`model.address.split_anchor` before an address is parsed here.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple
from unicodedata import category

from cuedeck.model.address import nfc
from cuedeck.model.errors import Invalid
from cuedeck.model.formatting import abbreviate
from cuedeck.model.paths import CORTEX, CORTEX_SCHEME

Dimension = Literal["resources", "user", "agent", "session"]
Level = Literal["L0", "L1"]
"""Level of a layer that is computed; L2 is the text itself."""
LayerName = Literal["L0", "L1", "L2"]
AddressFault = Literal[
    "bad_scheme",
    "bad_dimension",
    "bad_category",
    "bad_segment",
    "traversal",
    "reserved_name",
    "bad_query",
]

SCHEME = CORTEX_SCHEME
DIMENSIONS: tuple[Dimension, ...] = ("resources", "user", "agent", "session")
LAYERS: tuple[LayerName, ...] = ("L0", "L1", "L2")
TIMELINE = "timeline"
CATEGORIES: dict[Dimension, tuple[str, ...]] = {
    "user": (
        "preferences",
        "entities",
        "events",
        "personal_info",
        "work_history",
        "relationships",
        "goals",
    ),
    "agent": ("cases", "skills", "instructions"),
    "session": (TIMELINE,),
}
"""Categories of each dimension; below `resources` every category is allowed."""
MAX_NAME_BYTES = 240
"""UTF-8 bytes of the longest name; file systems allow 255, layer files add a suffix."""

_ANY_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_FORBIDDEN = frozenset('\\/<>:"|*?')
_FORBIDDEN_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Unicode categories: control, format, surrogate, line and paragraph separator."""
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*")
"""Names without forbidden characters."""
_TIMELINE_NAMES = (
    (re.compile(r"\d{4}-(?:0[1-9]|1[0-2])", re.ASCII), "a month such as `2026-11`"),
    (re.compile(r"0[1-9]|[12]\d|3[01]", re.ASCII), "a day such as `22`"),
    (
        re.compile(r"(?:[01]\d|2[0-3])_[0-5]\d_[0-5]\d_[A-Za-z0-9-]+\.md", re.ASCII),
        "a message such as `09_15_00_1a2b3c4d.md`",
    ),
)
"""Shapes of the names below `timeline/`, and their descriptions."""
_HINT = "write an address such as cortex://user/default/preferences/editor.md"
_MESSAGE_HINT = "a message is addressed as cortex://session/ID/timeline/2026-11/22/09_15_00_1a2b3c4d.md"
_DEVICE = r"(?i:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³]) *(?:\..*)?"
_NAME_RULES: tuple[tuple[str, AddressFault, str, str], ...] = (
    ("", "bad_segment", "an address contains an empty name", _HINT),
    (r"\.\.?", "traversal", "an address cannot contain `{}`", "write the full address"),
    (
        r"\..*",
        "reserved_name",
        "`{}`: names that begin with a dot are reserved",
        "use `?layer=L0` or `?layer=L1` to read a layer",
    ),
    (r".*[.\s]", "bad_segment", "`{}` ends with a dot or a blank", _HINT),
    (_DEVICE, "reserved_name", "`{}` is the name of a device on Windows", _HINT),
)
"""Names that no file can have on every system."""


class CortexAddressError(Invalid):
    """A text is not a cortex address; `reason` is the rule that it breaks."""

    def __init__(self, reason: AddressFault, message: str, hint: str = _HINT) -> None:
        super().__init__(message, hint=hint)
        self.reason: AddressFault = reason


class CortexAddress(NamedTuple):
    """A valid address; its parts are decoded and in NFC. Made by the parser only."""

    parts: tuple[str, ...]
    """Dimension, owner, category and the names below it; at least the dimension."""

    @property
    def dimension(self) -> Dimension:
        """First part."""
        return self.parts[0]  # type: ignore[return-value]

    @property
    def owner(self) -> str:
        """Second part: id of a user, an agent or a session, or name of a resource; may
        be empty.
        """
        return "".join(self.parts[1:2])

    @property
    def category(self) -> str:
        """Third part, may be empty."""
        return "".join(self.parts[2:3])

    @property
    def name(self) -> str:
        """Last part."""
        return self.parts[-1]

    @property
    def text(self) -> str:
        """Canonical spelling, which the parser accepts."""
        return SCHEME + "/".join(map(_escape, self.parts))

    @property
    def path(self) -> str:
        """Workspace-relative POSIX path."""
        return f"{CORTEX}/{'/'.join(self.parts)}"

    @property
    def parent(self) -> CortexAddress | None:
        """Address of the folder above; None for a dimension."""
        return CortexAddress(self.parts[:-1]) if len(self.parts) > 1 else None

    def is_within(self, top: CortexAddress) -> bool:
        """Return whether this is `top` or lies below it."""
        return self.parts[: len(top.parts)] == top.parts

    def child(self, name: str) -> CortexAddress:
        """Return the address of a name in this folder. Raises: CortexAddressError."""
        return _checked((*self.parts, _checked_name(name)))

    def __str__(self) -> str:
        return self.text


class LayerAddress(NamedTuple):
    """An address with the layer that its query names."""

    address: CortexAddress
    layer: LayerName | None = None


def checked_id(dimension: Dimension, identity: str) -> str:
    """Return an id that the grammar of addresses accepts as the name of its folder, in
    NFC; a UUID is written in lower case. Raises: CortexAddressError for any other id.
    """
    if _UUID.fullmatch(identity):
        return identity.lower()
    try:
        return CortexAddress((dimension,)).child(identity).name
    except CortexAddressError as error:
        raise CortexAddressError(
            error.reason,
            f"the id of the {dimension} is not valid: {error.message}",
            "use an id that can be the name of a folder, such as ana",
        ) from None


def is_cortex_address(text: str) -> bool:
    """Return whether a text names the cortex tree, validly or not: by its scheme in any
    case, or by the path of the tree.
    """
    return f"{text}/".startswith(f"{CORTEX}/") or text.lower().startswith(SCHEME)


def parse_cortex_address(text: str) -> CortexAddress:
    """Return the address that a text names; a query is refused.

    Raises: CortexAddressError.
    Example: `parse_cortex_address("cortex://user/default").path` is
    `.cuedeck/cortex/user/default`.
    """
    found = parse_layer_address(text)
    if found.layer is not None:
        raise CortexAddressError("bad_query", f"`{text}`: a layer is not possible here")
    return found.address


def parse_layer_address(text: str) -> LayerAddress:
    """Return the address that a text names, and the layer in its query.

    Raises: CortexAddressError.
    """
    written, mark, query = text.partition("?")
    layer = _parse_query(query, text) if mark else None
    if written.startswith(SCHEME):
        names = [_decode(name, text) for name in _split(written[len(SCHEME) :])]
    elif _ANY_SCHEME.match(written):
        problem = f"`{_shown(text)}` does not begin with `{SCHEME}`"
        raise CortexAddressError("bad_scheme", problem)
    else:
        names = _split(f"{written}/".removeprefix(f"{CORTEX}/").removesuffix("/"))
    parts = tuple(map(_checked_name, names))
    return LayerAddress(_checked(parts), layer)


def _split(path: str) -> list[str]:
    return path.removesuffix("/").split("/") if path else []


def _decode(name: str, text: str) -> str:
    if "#" in name:
        problem = f"`{_shown(text)}`: an anchor is not possible here"
        hint = "write %23 for a `#` in a name"
        raise CortexAddressError("bad_segment", problem, hint)
    if "%" not in name:
        return name
    if _BAD_ESCAPE.search(name):
        problem = f"`{_shown(text)}` contains an incomplete percent escape"
        raise CortexAddressError("bad_segment", problem, "write %25 for a percent sign")
    from urllib.parse import unquote_to_bytes

    try:
        return unquote_to_bytes(name).decode()
    except UnicodeError:
        problem = f"`{_shown(text)}` does not decode to valid UTF-8"
        raise CortexAddressError("bad_segment", problem) from None


def _checked(parts: tuple[str, ...]) -> CortexAddress:
    """Return the address with these names, each of which is valid in itself.

    Raises: CortexAddressError for a wrong dimension or category.
    """
    dimension = next((each for each in DIMENSIONS if parts[:1] == (each,)), None)
    if dimension is None:
        found = f"`{_shown(parts[0])}`" if parts else "nothing"
        begins = (
            f"an address of the cortex tree begins with one of {', '.join(DIMENSIONS)}"
        )
        raise CortexAddressError("bad_dimension", f"{begins}; got {found}")
    categories = CATEGORIES.get(dimension)
    if categories and len(parts) > 2 and parts[2] not in categories:
        problem = f"the categories of `{dimension}` are {', '.join(categories)}; got `{_shown(parts[2])}`"
        hint = "an unknown category is allowed below cortex://resources/ only"
        raise CortexAddressError("bad_category", problem, hint)
    if dimension == "session":
        _check_timeline(parts[3:])
    return CortexAddress(parts)


def _check_timeline(names: tuple[str, ...]) -> None:
    if len(names) > len(_TIMELINE_NAMES):
        problem = f"`{_shown(names[-2])}` is a message, not a folder"
        raise CortexAddressError("bad_segment", problem)
    for name, (shape, description) in zip(names, _TIMELINE_NAMES, strict=False):
        if not shape.fullmatch(name):
            problem = f"`{_shown(name)}` is not {description}"
            raise CortexAddressError("bad_segment", problem, _MESSAGE_HINT)


def _checked_name(name: str) -> str:
    """Return a name in NFC. Raises: CortexAddressError if no file can have this name on
    every system.
    """
    name = nfc(name)
    for pattern, fault, problem, hint in _NAME_RULES:
        if re.fullmatch(pattern, name, re.DOTALL):
            raise CortexAddressError(fault, problem.format(_shown(name)), hint)
    size = len(name.encode("utf-8", "replace"))
    if size > MAX_NAME_BYTES:
        problem = f"`{_shown(name)}` has {size} bytes, more than {MAX_NAME_BYTES}"
        raise CortexAddressError("bad_segment", problem, "use a shorter name")
    for character in "" if _PLAIN_NAME.fullmatch(name) else name:
        if character in _FORBIDDEN or category(character) in _FORBIDDEN_CATEGORIES:
            problem = f"`{_shown(name)}` contains the character U+{ord(character):04X}"
            signs = " ".join(sorted(_FORBIDDEN - {"/"}))
            hint = f"leave out slashes, control characters and any of {signs}"
            raise CortexAddressError("bad_segment", problem, hint)
    return name


def _parse_query(query: str, text: str) -> LayerName:
    for layer in LAYERS:
        if query == f"layer={layer}":
            return layer
    problem = f"`{_shown(text)}`: the only query is `layer`, given once"
    hint = f"write ?layer= and one of {', '.join(LAYERS)}"
    raise CortexAddressError("bad_query", problem, hint)


def _escape(name: str) -> str:
    return name.replace("%", "%25").replace("#", "%23")


def _shown(text: str) -> str:
    shown = abbreviate(text)
    return "".join(each if each.isprintable() else "\ufffd" for each in shown)
