"""HTML of Markdown, in which tags of the text are shown as text and links lead nowhere
outside.
"""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import quote

from markdown_it import MarkdownIt
from markupsafe import Markup

_LONGEST = 2_000_000
"""Characters above which a text is shown as it is."""


def html_of(text: str) -> Markup:
    """Return safe HTML of a Markdown text."""
    if len(text) > _LONGEST:
        return Markup("<pre>{}</pre>").format(text)
    return Markup(_renderer().render(text))


class _Renderer(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - name of the library
        """Accept each address: the rule of links replaces all of them."""
        return True


@cache
def _renderer() -> MarkdownIt:
    renderer = _Renderer("commonmark", {"html": False}).enable(["table"])
    renderer.disable(["image"])

    def link(self: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
        target = quote(str(tokens[index].attrGet("href") or ""), safe="")
        tokens[index].attrs = {"href": f"/read?address={target}"}
        return str(self.renderToken(tokens, index, options, env))

    renderer.add_render_rule("link_open", link)
    return renderer
