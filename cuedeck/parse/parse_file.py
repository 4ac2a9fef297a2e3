"""Dispatch of files to their parsers by kind: card, doc or source."""

from __future__ import annotations

import re
from dataclasses import replace

from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.file import File, Kind
from cuedeck.parse.frontmatter import split_front_matter
from cuedeck.parse.markdown import parse_markdown
from cuedeck.parse.notebook import decode_file
from cuedeck.parse.refs import parse_refs
from cuedeck.parse.text_decoding import Decoded

MAX_PARSED_BYTES = 1_000_000

# The first matching row decides.
_KINDS: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (re.compile(r"\.cuedeck/cards/[^/]+\.md"), "card"),
    (re.compile(r".*\.(?:md|markdown|mdx|ipynb)", re.IGNORECASE | re.DOTALL), "doc"),
    (re.compile(r".*", re.DOTALL), "source"),
)
# Severity by kind: an unread card is a problem for the user, an unread source usually
# is not.
_TOO_LARGE: dict[Kind, Level] = {"card": "error", "doc": "info", "source": "info"}
_FOREIGN: dict[Kind, Level] = {"card": "warning", "doc": "warning", "source": "info"}


def kind_of(path: str) -> Kind:
    """Return the kind of a file by its path alone; never `binary`, because that needs
    the content.
    """
    return next(kind for pattern, kind in _KINDS if pattern.fullmatch(path))


def parse_file(path: str, data: bytes, decoded: Decoded | None = None) -> File:
    """Parse one file of any kind. Never fails on content: problems are reported in the
    diagnostics of the File.

    `decoded` is the decoded text of `data`, if the caller already has it.
    """
    kind = kind_of(path)
    decoded = decoded or decode_file(path, data)
    if decoded.binary:
        return _unreadable(path, kind, len(data), decoded)
    # The outputs of a notebook, which may be long, are no part of its text.
    size = len(decoded.text) if decoded.cells else len(data)
    if size > MAX_PARSED_BYTES:
        return _large(path, kind, len(data), decoded)
    file = _parse(path, kind, len(data), decoded)
    if decoded.encoding == "utf-8":
        return file
    message = f"the file is not UTF-8; read as {decoded.encoding}"
    level = _FOREIGN[kind]
    odd = Diagnostic(
        path=path,
        line=0,
        level=level,
        code="encoding",
        message=message,
        hint="save it as UTF-8",
    )
    return replace(file, diagnostics=(odd, *file.diagnostics))


def _parse(path: str, kind: Kind, size: int, decoded: Decoded) -> File:
    # Parsers are imported on first use, because YAML and Markdown are slow to load.
    if kind == "card":
        from cuedeck.parse.card_file import parse_card

        return parse_card(path, size, decoded)
    if decoded.fault:
        hint = "save it in Jupyter; until then it is shown as plain text"
        found = Diagnostic(
            path=path,
            line=0,
            level="warning",
            code="notebook",
            message=decoded.fault,
            hint=hint,
        )
        return File(path, kind, size, decoded.lines, diagnostics=(found,))
    if kind == "doc" and not decoded.cells:
        return parse_doc(path, size, decoded)
    from cuedeck.parse.source_file import parse_source, read_cells

    if decoded.cells:
        code = read_cells(path, decoded)
        doc = parse_doc(path, size, decoded)
        return replace(
            doc,
            symbols=code.symbols,
            imports=code.imports,
            diagnostics=tuple(sorted((*doc.diagnostics, *code.diagnostics))),
        )
    return parse_source(path, size, decoded)


def _unreadable(path: str, kind: Kind, size: int, decoded: Decoded) -> File:
    found: tuple[Diagnostic, ...] = ()
    if decoded.problem == "blank-run":
        message = "more than 100,000 blanks in a row; the file is not read"
        hint = "remove the blanks"
        level: Level = "error" if kind in ("card", "doc") else "warning"
        found = (
            Diagnostic(
                path=path,
                line=0,
                level=level,
                code="blank-run",
                message=message,
                hint=hint,
            ),
        )
    elif kind in ("card", "doc"):
        message, hint = f"the {kind} is not text", "save it as UTF-8"
        found = (
            Diagnostic(
                path=path,
                line=0,
                level="error",
                code="binary",
                message=message,
                hint=hint,
            ),
        )
    return File(path, "binary", size, 0, diagnostics=found)


def _large(path: str, kind: Kind, size: int, decoded: Decoded) -> File:
    message = f"larger than {MAX_PARSED_BYTES:,} bytes; links, sections and symbols are not read"
    hint = "split it, or exclude it from the workspace"
    found = Diagnostic(
        path=path,
        line=0,
        level=_TOO_LARGE[kind],
        code="large-file",
        message=message,
        hint=hint,
    )
    file = File(path, kind, size, decoded.lines, diagnostics=(found,))
    if kind == "card":
        from cuedeck.parse.card_file import guess_card

        return replace(file, title=guess_card(path).title, card=guess_card(path))
    return file


def parse_doc(path: str, size: int, decoded: Decoded) -> File:
    """Parse a Markdown doc. `decoded` is its text; `size` is the size of the file in
    bytes.
    """
    text = decoded.text
    matter = split_front_matter(path, text)
    page = parse_markdown(text[matter.offset :], matter.body)
    refs, bad_refs = parse_refs(path, matter)
    misfits = matter.misfits(path, ("title",), ("aliases", "tags"))
    return File(
        path=path,
        kind="doc",
        size=size,
        lines=decoded.lines,
        title=matter.text("title") or page.title,
        aliases=matter.texts("aliases"),
        tags=matter.texts("tags", commas=True),
        body=matter.body,
        links=refs + page.links,
        sections=page.sections,
        blocks=page.blocks,
        diagnostics=tuple(sorted((*matter.diagnostics, *misfits, *bad_refs))),
    )
