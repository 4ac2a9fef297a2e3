"""Token estimate of the reference figures: UTF-8 bytes divided by four."""

from __future__ import annotations


class BytesBySize:
    """Counts a token for each four bytes; implements `Count`."""

    encoding = "bytes/4"

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`, rounded up."""
        return -(-len(text.encode("utf-8", "replace")) // 4)

    def cut(self, text: str, limit: int) -> str:
        """Return the longest prefix of `text` with at most `limit` tokens."""
        data = text.encode("utf-8", "replace")[: max(limit, 0) * 4]
        return data.decode("utf-8", "ignore")
