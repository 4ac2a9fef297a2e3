"""Files that are edited as text, byte for byte."""

from __future__ import annotations

from cuedeck.model.errors import Invalid

BOM = "\ufeff"


def decode_exactly(data: bytes) -> str:
    """Return the text of a file, byte order mark and newlines as they are.

    Raises: Invalid for a file that is not UTF-8.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Invalid.on(line, "the file is not UTF-8 text", "save it as UTF-8") from error
