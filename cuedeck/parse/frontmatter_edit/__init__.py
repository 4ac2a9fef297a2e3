"""Edits of a card's front matter that touch only the lines they must.

The YAML parser says where a key, a value or a list item stands in the file; the edit replaces that span and
nothing else. Every edit is read back before it is returned: unless the key reads as asked, and all other keys
and the body are as before, `Invalid` is raised and the caller still holds the old bytes.
"""

from __future__ import annotations

from cuedeck.parse.frontmatter_edit.key_edit import set_key
from cuedeck.parse.frontmatter_edit.list_edit import add_item, remove_item
from cuedeck.parse.frontmatter_edit.yaml_quoting import quote, render_card

__all__ = ["add_item", "quote", "remove_item", "render_card", "set_key"]
