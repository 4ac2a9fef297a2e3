"""A doc: any Markdown file, with or without front matter."""

from __future__ import annotations

from cuedeck.model.node import File
from cuedeck.parse.decode import Decoded
from cuedeck.parse.frontmatter import split_front_matter
from cuedeck.parse.markdown import parse_markdown
from cuedeck.parse.refs import parse_refs


def parse_doc(path: str, size: int, decoded: Decoded) -> File:
    """Return the doc whose text is `decoded`; `size` is that of the file in bytes."""
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
        symbols=(),
        imports=(),
        roots=(),
        card=None,
        diagnostics=tuple(sorted((*matter.diagnostics, *misfits, *bad_refs))),
    )
