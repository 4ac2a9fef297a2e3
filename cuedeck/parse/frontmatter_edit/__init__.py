"""Lossless edits of a card's front matter: only the lines that must change are changed.

The YAML parser gives the position of a key, value or list item, and the edit replaces
exactly that span. Every edit is verified by parsing the result: `Invalid` is raised
unless the key has the requested value and all other keys and the body are unchanged.
"""

from __future__ import annotations

from cuedeck.parse.frontmatter_edit.key_edit import set_key
from cuedeck.parse.frontmatter_edit.list_edit import add_item, remove_item
from cuedeck.parse.frontmatter_edit.yaml_quoting import quote, render_card

__all__ = ["add_item", "quote", "remove_item", "render_card", "set_key"]
