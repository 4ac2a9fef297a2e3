"""Computation of the layers of one file or folder from its bytes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cuedeck.context.scene.view_text import indented_signature
from cuedeck.knowledge.cortex.memory_card import HISTORY
from cuedeck.knowledge.layers.document_layers import (
    Document,
    document_layers,
    is_late_heading,
)
from cuedeck.knowledge.layers.entry_layers import entry_layers, text_layers
from cuedeck.knowledge.layers.folder_entries import FolderChild
from cuedeck.knowledge.layers.folder_layers import folder_layers
from cuedeck.knowledge.layers.layer_hash import rules_id
from cuedeck.knowledge.layers.layer_values import (
    ABSTRACT_TOKENS,
    LEVELS,
    LIMITS,
    LayerPair,
)
from cuedeck.knowledge.layers.source_layers import SourceText, source_layers
from cuedeck.knowledge.layers.timeline_layers import Message, timeline_layers
from cuedeck.model.cortex_address import CATEGORIES, TIMELINE, CortexAddress
from cuedeck.model.file import Cell, File
from cuedeck.model.ports import Count
from cuedeck.model.secret import Secret
from cuedeck.model.secret_placeholder import unnumbered
from cuedeck.parse.fence import fold, language_of
from cuedeck.parse.frontmatter import split_front_matter
from cuedeck.parse.index_terms import is_changelog, is_generated
from cuedeck.parse.languages import language_of_path
from cuedeck.parse.licence_text import is_licence_file, licence_summary, without_notices
from cuedeck.parse.notebook import as_shown
from cuedeck.parse.parse_file import kind_of, parse_file
from cuedeck.parse.prose import read_prose
from cuedeck.parse.rst_headings import read_sections
from cuedeck.parse.secrets.mask import Mask
from cuedeck.parse.source_file import read_header
from cuedeck.parse.text_decoding import decode, decode_with_nuls
from cuedeck.parse.unparsed_text import (
    markdown_of_rst,
    read_data_facts,
    suffix_of,
    unwritten,
)
from cuedeck.text.line_budget import cut_text

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

MAX_CHARACTERS = 1_000_000
"""Characters of a text that are read for its layers; a longer one is cut."""
_SURELY_LONG = 256_000
"""Characters of a text that is longer than any layer; its tokens are not counted."""
_CLOCK = re.compile(r"(\d\d)_(\d\d)_\d\d_")
_LONGEST_SEQ = 18
"""Digits."""
_DAY_PARTS = 5
"""Parts of the address of a day: session, id, timeline, month, day."""
_SEPARATORS = re.compile(r"[-_]+")
_DESCRIBING_TAG = re.compile(
    r"\s*@(?:brief|description|file|fileoverview|module|overview|packageDocumentation)"
    r"(?:\s+(?P<text>.*\s.*))?(?:\s|$)"
)
"""A tag of JSDoc or Doxygen with the description of a file; a single word after it is a
name.
"""
_TAG = re.compile(r"\s*@[\w-]+(?:\s|$)")
_DIRECTIVE = re.compile(
    r"\s*(?:go:\w+ |\+build |-\*-|vim?: |coding[:=]|noqa\b|mypy: |pylint: |ruff: "
    r"|flake8: |isort: |pyright: |type: ignore|fmt: |shellcheck |rubocop:|nolint\b"
    r"|(?:eslint|biome|prettier|stylelint|tslint|deno-lint|oxlint|istanbul|clang)"
    r"[-: ][\w-]+)"
)
"""A comment for a compiler, a linter or an editor."""


@dataclass(frozen=True, slots=True)
class LayerContext:
    """The inputs of layers besides the files."""

    count: Count
    find_secrets: Callable[[str], Sequence[Secret]]
    rules: str
    """Identifies this context in input hashes."""


def layer_context(workspace: Workspace) -> LayerContext:
    """Return the context of a workspace. Raises: ConfigurationError."""
    count = workspace.counter()
    rules = rules_id(count.encoding, workspace.secret_rules)
    return LayerContext(
        count,
        workspace.find_secrets,
        rules,
    )


class _OneText:
    """Access to one text; implements `Texts`."""

    def __init__(
        self,
        text: str,
        secrets: Sequence[Secret],
    ) -> None:
        self._text = text
        self._secrets = secrets

    def text(self, path: str) -> str:
        return self._text

    def cells(self, path: str) -> tuple[Cell, ...]:
        return ()

    def secrets(self, path: str) -> Sequence[Secret]:
        return self._secrets


def printed_path(context: LayerContext, path: str) -> str:
    """Return a path as layers show it: on one line, with its secrets masked.

    A secret must be masked before a line is cut, because a part of it is not
    recognisable.
    """
    parts = (
        part if part.isprintable() else fold(part, len(part))
        for part in path.split("/")
    )
    mask = Mask(_OneText("", ()), context.find_secrets)
    return unnumbered(mask.plain("/".join(parts)))


def layers_of_text(
    context: LayerContext,
    path: str,
    kind: str,
    text: str,
    file: File | None = None,
) -> LayerPair:
    """Return the layers of a card, doc or source.

    `file` is its parsed content, if the caller has it.
    """
    text = text[:MAX_CHARACTERS]
    secrets = context.find_secrets(text)
    mask = Mask(_OneText(text, secrets), context.find_secrets)
    if file is None:
        data = text.encode("utf-8", "replace")
        file = parse_file(path, data, decode(data))
    pair = _layers_of_kind(context, path, kind, text, mask, file)
    licence = licence_summary(text) if is_licence_file(path) else ""
    if not licence:
        return pair
    name = posixpath.basename(printed_path(context, path))
    line = f"{name} — {mask.words(licence, path)}"
    return replace(pair, abstract=cut_text(line, context.count, ABSTRACT_TOKENS))


def _layers_of_kind(
    context: LayerContext, path: str, kind: str, text: str, mask: Mask, file: File
) -> LayerPair:
    """Return the layers of a text of a kind."""
    if kind == "source":
        prose = _prose_layers(context, path, text, mask)
        if prose is not None:
            return prose
        return _source_layers(
            context,
            path,
            text,
            mask,
            file,
        )
    masked = _masked_lines(mask, path, text)
    body = masked[split_front_matter(path, masked).offset :]
    # The text of a section begins with a heading of any level.
    headings = (section.title for section in file.sections)
    title = mask.words(file.title or next(filter(None, headings), ""), path)
    if not title or (file.card is None and is_late_heading(body, title)):
        title = readable_name(printed_path(context, path))
    return document_layers(
        Document(
            title,
            body,
            _note(file),
            is_log=is_changelog(path),
        ),
        context.count,
    )


def _prose_layers(
    context: LayerContext, path: str, text: str, mask: Mask
) -> LayerPair | None:
    """Return the layers of reStructuredText; None for another file or one without
    prose.
    """
    if suffix_of(path) != ".rst":
        return None
    masked = _masked_lines(mask, path, text)
    body = markdown_of_rst(masked, read_sections(path, masked))
    if not body.strip():
        return None
    headings = (block.text for block in read_prose(body) if block.kind == "heading")
    title = next(headings, "") or readable_name(printed_path(context, path))
    return document_layers(Document(title, body), context.count)


def _header_prose(text: str) -> str:
    """Return the text of a module doc without the titles and directives of
    reStructuredText; the titles if nothing else is left.
    """
    sections = read_sections("header.rst", text)
    if not sections and ".. " not in text:
        return text
    rows = markdown_of_rst(text, sections).split("\n")
    prose = "\n".join(row for row in rows if not row.startswith("# "))
    titles = " ".join(section.title for section in sections)
    return prose.strip() or titles


def _without_directives(text: str) -> str:
    """Return the text of a module doc without directives such as `eslint-disable` and
    tags such as `@author`; of a tag with a description, the description.
    """
    rows = []
    for row in text.split("\n"):
        described = _DESCRIBING_TAG.match(row)
        if described and described["text"]:
            rows.append(described["text"])
        elif not _TAG.match(row) and not _DIRECTIVE.match(row):
            rows.append(row)
    return "\n".join(rows)


def _note(file: File) -> str:
    if file.card is None:
        return ""
    return f"card, {file.card.status}, {file.card.priority}"


def _source_layers(
    context: LayerContext,
    path: str,
    text: str,
    mask: Mask,
    file: File,
) -> LayerPair:
    header = without_notices(read_header(text))
    comments = _header_prose(_without_directives(header))
    facts = read_data_facts(path, text)
    language = language_of_path(path)
    rules = language.definitions() if language is not None else None
    signatures = []
    symbols = []
    for symbol in file.symbols:
        signature = indented_signature(
            symbol,
            mask,
            path,
        )
        signatures.append(mask.words(signature, path))
        if symbol.doc:
            symbol = symbol._replace(doc=mask.words(symbol.doc, path))
        symbols.append(symbol)
    source = SourceText(
        path=printed_path(context, path),
        is_cut=len(text) == MAX_CHARACTERS,
        text=_masked_lines(mask, path, text),
        doc=mask.words(facts.lead or comments, path),
        symbols=symbols,
        signatures=signatures,
        language=language_of(path),
        comment=rules.comments[0] if rules is not None else "#",
        keys=[mask.words(key, path) for key in facts.keys],
        origin=unwritten(is_generated(path), text),
    )
    return source_layers(source, context.count)


def _masked_lines(mask: Mask, path: str, text: str) -> str:
    """Return all lines of a text with their secrets masked."""
    last = text.count("\n") + 1
    (masked,) = mask.lines(path, [(1, last)])
    return masked


def readable_name(path: str) -> str:
    """Return the file name of a path as words: `release-notes.md` is `release
    notes`.
    """
    stem = posixpath.splitext(posixpath.basename(path))[0]
    return _SEPARATORS.sub(" ", stem).strip() or path


def needed_levels(data: bytes, count: Count) -> str:
    """Return the levels that a file of the cortex tree needs layer files for: those
    whose limit its text exceeds, as `L0L1`.
    """
    if len(data) <= LIMITS["L0"]:  # a token has at least one byte
        return ""
    decoded = decode_with_nuls(data)
    if decoded.binary:
        return ""
    if len(decoded.text) > _SURELY_LONG:
        return "".join(LEVELS)
    tokens = count.count(decoded.text)
    return "".join(level for level in LEVELS if tokens > LIMITS[level])


def is_day(folder: CortexAddress) -> bool:
    """Return whether the files of a folder are the messages of a day."""
    return folder.dimension == "session" and len(folder.parts) == _DAY_PARTS


def layers_of_file(
    context: LayerContext,
    address: CortexAddress,
    data: bytes,
) -> LayerPair:
    """Return the layers of a file of the cortex tree."""
    decoded = as_shown(address.name, decode_with_nuls(data))
    if decoded.binary:
        fact = f"{address.name}: binary file, {len(data):,} bytes"
        return LayerPair(fact, fact)
    if address.parent is not None and is_day(address.parent):
        message = message_of(
            context,
            address,
            data,
        )
        head = " ".join(part for part in (message.time, message.speaker) if part)
        return text_layers(
            head,
            message.text,
            context.count,
        )
    categories = CATEGORIES.get(address.dimension, ())
    if address.category in categories and address.name.endswith(".md"):
        return _memory_layers(
            context,
            address,
            decoded.text,
        )
    path = "/".join(address.parts[2:]) or address.name
    return layers_of_text(
        context,
        path,
        kind_of(path),
        decoded.text,
    )


def message_of(
    context: LayerContext,
    address: CortexAddress,
    data: bytes,
) -> Message:
    """Return a message of a timeline, masked; another file is read as text."""
    text = masked_text(context, decode_with_nuls(data).text)
    matter = split_front_matter(address.path, text)
    time = ""
    clock = _CLOCK.match(address.name)
    if clock:
        time = f"{clock[1]}:{clock[2]}"
    seq = 0
    digits = matter.text("seq")[:_LONGEST_SEQ]
    if digits.isdecimal() and digits.isascii():
        seq = int(digits)
    return Message(
        name=posixpath.splitext(address.name)[0],
        time=time,
        speaker=matter.text("role"),
        text=text[matter.offset :].strip(),
        seq=seq,
    )


def layers_of_day(
    context: LayerContext,
    folder: CortexAddress,
    messages: Sequence[Message],
) -> LayerPair:
    """Return the layers of a day from its messages, in the order of their files."""
    return timeline_layers(
        folder_title(folder),
        messages,
        context.count,
    )


def layers_of_folder(
    context: LayerContext,
    folder: CortexAddress,
    children: Mapping[str, LayerPair],
) -> LayerPair:
    """Return the layers of a folder from those of its children, by name; the name of a
    folder ends with a slash.
    """
    found = [
        FolderChild(printed_path(context, name), pair)
        for name, pair in children.items()
    ]
    return folder_layers(
        folder_title(folder),
        found,
        context.count,
    )


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
    context: LayerContext,
    address: CortexAddress,
    text: str,
) -> LayerPair:
    masked = masked_text(context, text)
    matter = split_front_matter(address.path, masked)
    key = matter.text("title") or matter.text("key") or readable_name(address.name)
    kind = matter.text("type")
    body = masked[matter.offset :].strip()
    pair = entry_layers(kind, key, body, context.count)
    current, _, history = body.partition(HISTORY)
    if not history:
        return pair
    # An abstract leaves superseded statements out.
    abstract = entry_layers(kind, key, current.strip(), context.count).abstract
    return replace(pair, abstract=abstract)


def masked_text(context: LayerContext, text: str) -> str:
    """Return the beginning of a text with its secrets masked."""
    text = text[:MAX_CHARACTERS]
    secrets = context.find_secrets(text)
    mask = Mask(_OneText(text, secrets), context.find_secrets)
    return mask.plain(text)
