"""Parser of source files: links and front matter in the leading comment, symbols,
imports and sections.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.file import File, Import, Link, Symbol
from cuedeck.parse.code import Code, read_code
from cuedeck.parse.frontmatter import (
    NO_FRONT_MATTER,
    OUR_KEY,
    FrontMatter,
    read_front_matter,
)
from cuedeck.parse.import_roots import read_roots
from cuedeck.parse.languages import languages
from cuedeck.parse.refs import (
    find_mentions,
    item_target,
    parse_refs,
    plain_target,
    wiki_target,
)
from cuedeck.parse.sections import read_sections
from cuedeck.parse.text_decoding import Cell, Decoded

_HINTS = ("@doc/", "@ref[", "[[", "cuedeck:", "---")
_DIRECTIVE = re.compile(r"\s*cuedeck:\s*refs\s+(.+)")
_CODE = re.compile(r"(`+).+?\1")
# `[[` after a word or a bracket is an index; after `--` it opens a Lua comment.
_WIKI = re.compile(r"(?<![\w\])\\-])\[\[([^\[\]]+)\]\](?!\])")


_MAGIC = re.compile(r"\s*(?:[%!?]|[\w.]+\?{1,2}$)")
"""A line of a code cell that is a command of the kernel, not code."""


def parse_source(path: str, size: int, decoded: Decoded) -> File:
    """Parse a source file. `decoded` is its text; `size` is the size of the file in
    bytes.
    """
    text = decoded.text
    matter = NO_FRONT_MATTER
    links: tuple[Link, ...] = ()
    bad_refs: tuple[Diagnostic, ...] = ()
    if any(hint in text for hint in _HINTS):
        matter, comments = _split_matter(path, read_header(text))
        refs, bad_refs = parse_refs(path, matter)
        links = refs + tuple(_links(comments))
    found: list[Diagnostic] = [
        *matter.diagnostics,
        *matter.misfits(path, ("title",), ("aliases", "tags")),
        *bad_refs,
    ]
    sections = read_sections(path, text)
    first_title = sections[0].title if sections else ""
    symbols: tuple[Symbol, ...] = ()
    imports: tuple[Import, ...] = ()
    code = read_code(path, text)
    if code is not None:
        found += code.diagnostics
        symbols = code.symbols
        imports = code.imports
    return File(
        path=path,
        kind="source",
        size=size,
        lines=decoded.lines,
        title=matter.text("title") or first_title,
        aliases=matter.texts("aliases"),
        tags=matter.texts("tags", commas=True),
        links=links,
        sections=sections,
        symbols=symbols,
        imports=imports,
        roots=read_roots(path, text),
        diagnostics=tuple(sorted(found)),
    )


def read_cells(path: str, decoded: Decoded) -> Code:
    """Return the definitions in the code cells of a notebook; imports of Python
    only.
    """
    rows = decoded.text.split("\n")
    symbols: list[Symbol] = []
    imports: tuple[Import, ...] = ()
    found: list[Diagnostic] = []
    for name in dict.fromkeys(cell.language for cell in decoded.cells):
        language = languages().get(name)
        if language is None:
            continue
        own = [cell for cell in decoded.cells if cell.language == name]
        code = read_code(path, _code_text(rows, own), language)
        if code is None:
            continue
        symbols += code.symbols
        found += code.diagnostics
        if name == "python":
            imports = code.imports
    symbols.sort(key=lambda symbol: (symbol.start, -symbol.end, symbol.name))
    return Code(tuple(symbols), imports, tuple(found))


def _code_text(rows: Sequence[str], cells: Sequence[Cell]) -> str:
    """Return the code of some cells on the lines of the notebook; all other lines are
    blank.
    """
    code = [""] * len(rows)
    for cell in cells:
        for number in range(cell.start, cell.end + 1):
            row = rows[number - 1]
            if not _MAGIC.match(row):
                code[number - 1] = row
    return "\n".join(code)


def _split_matter(
    path: str, comments: Sequence[Comment]
) -> tuple[FrontMatter, Sequence[Comment]]:
    """Split off front matter: the text between the first two `---` lines, if it
    contains a key of ours.
    """
    rules = []
    for at, comment in enumerate(comments):
        if comment.text.strip() == "---":
            rules.append(at)
    if len(rules) < 2:
        return NO_FRONT_MATTER, comments
    opening, closing = rules[:2]
    text = _dedented(comments, opening, closing)
    if not OUR_KEY.search(text):
        return NO_FRONT_MATTER, comments
    matter = read_front_matter(path, text, comments[opening].line + 1)
    return matter, (*comments[:opening], *comments[closing + 1 :])


def _dedented(comments: Sequence[Comment], opening: int, closing: int) -> str:
    rule = comments[opening]
    indent = len(rule.text) - len(rule.text.lstrip())
    texts = {}
    for comment in comments[opening + 1 : closing]:
        texts[comment.line] = comment.text
    rows = []
    for line in range(rule.line + 1, comments[closing].line):
        text = texts.get(line, "")
        is_indented = not text[:indent].strip()
        rows.append(text[indent:] if is_indented else text.lstrip())
    return "\n".join(rows)


def _links(comments: Sequence[Comment]) -> Iterator[Link]:
    for line, text in comments:
        directive = _DIRECTIVE.match(text)
        if directive is not None:
            refs = [
                (at, item_target(item), "mention")
                for at, item in enumerate(directive[1].split(","))
            ]
        else:
            # Inline code is replaced by spaces, not removed, so that offsets and
            # neighbouring characters stay valid.
            plain = (
                _CODE.sub(lambda code: " " * len(code[0]), text)
                if "`" in text
                else text
            )
            refs = [
                (found.offset, plain_target(found.target), "mention")
                for found in find_mentions(plain)
            ]
            refs += [
                (wiki.start(), wiki_target(wiki[1]), "wiki")
                for wiki in _WIKI.finditer(plain)
            ]
        for _, ref, form in sorted(refs):
            if ref:
                yield Link(ref=ref, line=line, form=form, view="", pin=False)


MAX_LINES = 200
MAX_COLUMNS = 1_000

_PREAMBLE = re.compile(r"#!|<\?|<!DOCTYPE\b", re.IGNORECASE)
# Opening mark, closing mark, decoration of the lines between. `--[[` must be tried
# before the line comment `--`.
_BLOCKS = (
    (re.compile(r"\s*/\*+"), "*/", re.compile(r"\s*\*+(?!/)")),
    (re.compile(r"\s*<!--"), "-->", None),
    (re.compile(r"\s*--\[\["), "]]", None),
    (re.compile(r"\s*[rRuU]?\"\"\""), '"""', None),
    (re.compile(r"\s*[rRuU]?'''"), "'''", None),
)
# A `#` that begins a directive or an attribute is code, not a comment.
_LINES = (
    re.compile(
        r"\s*#+(?!\[|!\[|\s*(?:include|define|undef|pragma|if|ifdef|ifndef|import|region|using|error|line)\b)"
    ),
    re.compile(r"\s*//+!?"),
    re.compile(r"\s*--+"),
    re.compile(r"\s*;+"),
    re.compile(r"\s*%+"),
)


class Comment(NamedTuple):
    """One line of the leading comment."""

    line: int
    text: str
    """The text after the comment mark, with its leading blanks."""


def read_header(text: str) -> tuple[Comment, ...]:
    """Return the comment lines before the first line of code.

    At most 200 lines are read; each is cut to 1,000 characters.
    """
    rows = text.split("\n", MAX_LINES)[:MAX_LINES]
    comments: list[Comment] = []
    at = 0
    while at < len(rows):
        row = rows[at]
        after = at + 1
        if row.strip() and not _PREAMBLE.match(row):
            after = _read_block(rows, at, comments) or _read_line(rows, at, comments)
            if not after:
                break
        at = after
    return tuple(
        Comment(comment.line, comment.text[:MAX_COLUMNS]) for comment in comments
    )


def _read_block(rows: list[str], at: int, comments: list[Comment]) -> int:
    """Append the block comment that opens at rows[at]; return the index of the row
    after it, or 0 if there is none.
    """
    for opener, closer, decoration in _BLOCKS:
        match = opener.match(rows[at])
        if match is None:
            continue
        rest = rows[at][match.end() :]
        while closer not in rest:
            comments.append(Comment(at + 1, rest))
            at += 1
            if at == len(rows):
                return at
            rest = decoration.sub("", rows[at], count=1) if decoration else rows[at]
        comment, _, code = rest.partition(closer)
        comments.append(Comment(at + 1, comment))
        # Code on the closing line ends the leading comment.
        if code.strip():
            return len(rows)
        return at + 1
    return 0


def _read_line(rows: list[str], at: int, comments: list[Comment]) -> int:
    for prefix in _LINES:
        match = prefix.match(rows[at])
        if match:
            comments.append(Comment(at + 1, rows[at][match.end() :]))
            return at + 1
    return 0
