"""Description of the package: the README without links to files of the repository.

A package page has no such files, and the repository does not know its own address. A
link becomes its text and the path of the file in the source distribution.
"""

from __future__ import annotations

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

_IMAGE = re.compile(r"^!\[[^\]]*\]\((?!https?:)[^)]*\)\n\n?", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)([^)#]*)[^)]*\)")


def package_description(readme: str) -> str:
    """Return the README with relative links as text, and without relative images."""
    return _LINK.sub(r"\1 (`\2`)", _IMAGE.sub("", readme))


class Description(MetadataHookInterface):
    """Sets the field `readme`."""

    def update(self, metadata: dict[str, object]) -> None:
        """Add the description to the metadata of the package."""
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = package_description(readme)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
