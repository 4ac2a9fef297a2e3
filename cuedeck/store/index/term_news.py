"""Changes of stored terms, which caches of values derived from terms follow."""

from __future__ import annotations


class News:
    """Changes of the stored terms since the last `Index.follow_news`."""

    def __init__(self, *, everything: bool = True) -> None:
        self.everything = everything
        """Whether anything may have changed; then the other fields are not filled."""
        self.is_pending = everything
        """Whether there are changes."""
        self.paths: dict[str, None] = {}
        """Files with stored terms that were read again or removed."""
        self.others: dict[str, None] = {}
        """Files without stored terms that were read again or removed."""
        self.terms: set[str] = set()
        """Terms whose postings changed."""
