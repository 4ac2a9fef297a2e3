"""Computation of the layers of one text or file."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cuedeck.context.scene.view_text import indented_signature
from cuedeck.knowledge.cortex.memory_card import HISTORY
from cuedeck.knowledge.layers.document_layers import (
    SourceText,
    document_layers,
    source_layers,
)
from cuedeck.knowledge.layers.folder_layers import FolderChild, folder_layers
from cuedeck.knowledge.layers.layer_file import (
    LEVELS,
    LIMITS,
    OVERVIEW_TOKENS,
    LayerPair,
    rules_id,
)
from cuedeck.knowledge.layers.timeline_layers import Message, text_layers
from cuedeck.model.cortex_address import CATEGORIES, TIMELINE, CortexAddress, Level
from cuedeck.model.file import File
from cuedeck.model.ports import Count
from cuedeck.model.scene_values import Span
from cuedeck.model.secret import Secret, replace_secrets
from cuedeck.parse.fence import fold, language_of
from cuedeck.parse.frontmatter import split_front_matter
from cuedeck.parse.languages import language_of_path
from cuedeck.parse.notebook import as_shown
from cuedeck.parse.parse_file import kind_of, parse_file
from cuedeck.parse.prose import read_prose
from cuedeck.parse.sections import read_sections
from cuedeck.parse.source_file import read_header
from cuedeck.parse.text_decoding import decode, decode_with_nuls
from cuedeck.parse.unparsed_text import markdown_of_rst, read_data_facts

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

MAX_CHARACTERS = 1_000_000
"""Characters of a text that are read for its layers; a longer one is cut."""
_CLOCK = re.compile(r"(\d\d)_(\d\d)_\d\d_")
_LONGEST_SEQ = 18
"""Digits."""
_DAY_PARTS = 5
"""Parts of the address of a day: session, id, timeline, month, day."""
_SEPARATORS = re.compile(r"[-_]+")


@dataclass(frozen=True, slots=True)
class LayerContext:
    """The inputs of layers besides the files."""

    count: Count
    find_secrets: Callable[[str], Sequence[Secret]]
    rules: str
    """Identifies this context in input hashes."""

    def masked(self, text: str) -> str:
        """Return the beginning of a text with its secrets masked."""
        text = text[:MAX_CHARACTERS]
        return replace_secrets(text, self.find_secrets(text))

    def masked_path(self, path: str) -> str:
        """Return a path as layers show it: on one line, with its secrets masked."""
        names = (
            name if name.isprintable() else fold(name, len(name))
            for name in path.split("/")
        )
        return self.masked("/".join(names))


def layer_context(workspace: Workspace) -> LayerContext:
    """Return the context of a workspace. Raises: ConfigurationError."""
    count = workspace.counter()
    rules = rules_id(count.encoding, workspace.secret_rules)
    return LayerContext(count, workspace.find_secrets, rules)


def layers_of_text(
    context: LayerContext, path: str, kind: str, masked: str, file: File | None = None
) -> LayerPair:
    """Return the layers of a card, doc or source with masked secrets.

    `file` is its parsed content, if the caller has it.
    """
    if file is None:
        data = masked.encode("utf-8", "replace")
        file = parse_file(path, data, decode(data))
    shown = context.masked_path(path)
    body = masked[split_front_matter(path, masked).offset :]
    if kind != "source":
        headings = (section.title for section in file.sections)
        title = file.title or next(filter(None, headings), "") or _readable_name(shown)
        note = ""
        if file.card is not None:
            note = f" (card, {file.card.status}, {file.card.priority})"
        return document_layers(title, body, context.count, note)
    if path.lower().endswith(".rst"):
        body = markdown_of_rst(masked, read_sections(path, masked))
        titles = (block.text for block in read_prose(body) if block.kind == "heading")
        title = next(titles, "") or _readable_name(shown)
        return document_layers(title, body, context.count)
    return source_layers(_source_text(shown, masked, file), context.count)


def _source_text(path: str, text: str, file: File) -> SourceText:
    facts = read_data_facts(path, text)
    language = language_of_path(path)
    rules = language.rules if language is not None else None
    rows = text.split("\n")

    def lines(spans: Sequence[Span]) -> list[str]:
        return ["\n".join(rows[first - 1 : last]) for first, last in spans]

    header = "\n".join(comment.text for comment in read_header(text))
    return SourceText(
        path=path,
        text=text,
        doc=facts.lead or header,
        symbols=file.symbols,
        signatures=[indented_signature(each, lines) for each in file.symbols],
        language=language_of(path),
        comment=rules.comments[0] if rules is not None else "#",
        keys=facts.keys,
    )


def _readable_name(path: str) -> str:
    """Return the file name of a path as words: `release-notes.md` is `release
    notes`.
    """
    stem = posixpath.splitext(posixpath.basename(path))[0]
    return _SEPARATORS.sub(" ", stem).strip() or path


def needed_levels(data: bytes, count: Count) -> Sequence[Level]:
    """Return the levels that a file of the cortex tree needs layer files for: those
    whose limit its text exceeds.
    """
    if len(data) <= LIMITS["L0"]:  # a token has at least one byte
        return ()
    decoded = decode_with_nuls(data)
    if decoded.binary:
        return ()
    tokens = count.count(decoded.text[:MAX_CHARACTERS])
    return [level for level in LEVELS if tokens > LIMITS[level]]


def is_day(folder: CortexAddress) -> bool:
    """Return whether the files of a folder are the messages of a day."""
    return folder.dimension == "session" and len(folder.parts) == _DAY_PARTS


def layers_of_file(
    context: LayerContext, address: CortexAddress, data: bytes
) -> LayerPair:
    """Return the layers of a file of the cortex tree."""
    decoded = as_shown(address.name, decode_with_nuls(data))
    if decoded.binary:
        fact = f"{address.name}: binary file, {len(data):,} bytes"
        return LayerPair(fact, fact)
    text = context.masked(decoded.text)
    if address.parent is not None and is_day(address.parent):
        message = message_of(address, text)
        head = " ".join(filter(None, (message.time, message.speaker)))
        return text_layers(head, message.text, context.count)
    categories = CATEGORIES.get(address.dimension, ())
    if address.category in categories and address.name.endswith(".md"):
        return _memory_layers(context, address, text)
    path = "/".join(address.parts[2:]) or address.name
    return layers_of_text(context, path, kind_of(path), text)


def message_of(address: CortexAddress, text: str) -> Message:
    """Return a message of a timeline; another file is read as text."""
    matter = split_front_matter(address.path, text)
    clock = _CLOCK.match(address.name)
    digits = matter.text("seq")[:_LONGEST_SEQ]
    return Message(
        name=posixpath.splitext(address.name)[0],
        time=f"{clock[1]}:{clock[2]}" if clock else "",
        speaker=matter.text("role"),
        text=text[matter.offset :].strip(),
        seq=int(digits) if digits.isascii() and digits.isdecimal() else 0,
    )


def layers_of_children(
    context: LayerContext,
    title: str,
    children: Mapping[str, LayerPair],
    most: int = OVERVIEW_TOKENS,
) -> LayerPair:
    """Return the layers of a folder from those of its children, by name; the name of a
    folder ends with a slash. The overview has at most `most` tokens.
    """
    shown, *names = map(context.masked_path, (title, *children))
    found = list(map(FolderChild, names, children.values()))
    return folder_layers(shown, found, context.count, most)


def folder_title(folder: CortexAddress) -> str:
    """Return the title of a folder: `2026-11-22`, `session default`, `preferences of
    user default`.
    """
    parts = folder.parts
    if folder.dimension == "session" and len(parts) > 2:
        dates = "-".join(parts[3:])
        return dates or f"{TIMELINE} of session {folder.owner}"
    if folder.dimension in ("user", "agent") and len(parts) == 3:
        category = folder.category.replace("_", " ")
        return f"{category} of {folder.dimension} {parts[1]}"
    if len(parts) == 2 and folder.dimension != "resources":
        return f"{folder.dimension} {folder.owner}"
    return folder.name


def _memory_layers(
    context: LayerContext, address: CortexAddress, masked: str
) -> LayerPair:
    matter = split_front_matter(address.path, masked)
    key = matter.text("title") or matter.text("key") or _readable_name(address.name)
    kind = matter.text("type")
    label = f"{kind}: {key}" if kind else key
    body = masked[matter.offset :].strip()
    pair = text_layers(label, body, context.count)
    current, _, history = body.partition(HISTORY)
    if not history:
        return pair
    # An abstract leaves superseded statements out.
    newest = text_layers(label, current.strip(), context.count)
    return replace(pair, abstract=newest.abstract)
