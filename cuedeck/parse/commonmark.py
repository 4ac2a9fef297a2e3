"""The Markdown dialect of the workspace: CommonMark with tables, footnotes, tasks and wiki links."""

from __future__ import annotations

from pyromark import Markdown, Options

PARSER = Markdown(
    options=Options.ENABLE_TABLES
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_WIKILINKS
)
"""Without state, shared by everyone. Its ranges are byte offsets."""
