"""Exact token counts without a network: tiktoken with the vocabulary that ships with this package.

Source: the rank files are OpenAI's, as published for tiktoken (MIT licence, see `vocabulary/LICENSE`).
tiktoken reads them from a cache folder and checks their sha256 itself.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections import OrderedDict
from typing import TYPE_CHECKING

from cuedeck.model.errors import StorageError
from cuedeck.store.disk import write_atomic

if TYPE_CHECKING:
    from tiktoken import Encoding

_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
_KEPT = 20_000
_CHUNK = 400_000
"""Characters counted at once at most: above a million blanks in a row tiktoken's regular expressions overflow."""


class Tokens:
    """Counts and cuts in one encoding; implements `Count`. Counts are kept by content hash."""

    def __init__(self, encoding: str, database: sqlite3.Connection, scratch: str) -> None:
        self._encoding = encoding
        self._database = database
        self._scratch = scratch
        self._loaded: Encoding | None = None
        self._counts: OrderedDict[bytes, int] = OrderedDict()
        self._new: dict[bytes, int] = {}

    @property
    def encoding(self) -> str:
        """Name of the encoding."""
        return self._encoding

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`."""
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        known = self._counts.get(key)
        if known is None:
            known = self._stored(key)
            if known is None:
                known = self._new[key] = sum(len(self.load().encode_ordinary(chunk)) for chunk in _chunks(text))
            self._counts[key] = known
            if len(self._counts) > _KEPT:
                self._counts.popitem(last=False)
        else:
            self._counts.move_to_end(key)
        return known

    def cut(self, text: str, limit: int) -> str:
        """Return the longest usable prefix of `text` with at most `limit` tokens."""
        if limit <= 0:
            return ""
        head = text[: limit * 128]
        if len(head) == len(text) and len(text.encode("utf-8", "surrogatepass")) <= limit:
            return text  # a token has at least one byte
        encoding = self.load()
        ids = [id_ for chunk in _chunks(head) for id_ in encoding.encode_ordinary(chunk)]
        if len(ids) <= limit and len(head) == len(text):
            return text
        kept = limit
        while kept > 0:
            prefix = encoding.decode(ids[:kept], errors="ignore")
            if len(encoding.encode_ordinary(prefix)) <= limit:
                return prefix
            kept -= 1
        return ""

    def load(self) -> Encoding:
        """Load the vocabulary, once; costs a few tenths of a second."""
        if self._loaded is None:
            self._loaded = _load(self._encoding, self._scratch)
        return self._loaded

    def save(self) -> None:
        """Keep the new counts for later processes."""
        if self._new:
            rows = [(key, self._encoding, tokens) for key, tokens in self._new.items()]
            self._database.executemany("REPLACE INTO counts VALUES (?, ?, ?)", rows)
            self._new.clear()

    def _stored(self, key: bytes) -> int | None:
        query = "SELECT tokens FROM counts WHERE text = ? AND encoding = ?"
        row = self._database.execute(query, (key, self._encoding)).fetchone()
        return row[0] if row else None


def _chunks(text: str) -> list[str]:
    """Split a very long text where no token can span: behind a newline before a letter.

    Without such a place it stays whole unless blanks would overflow the tokenizer.
    """
    if len(text) <= _CHUNK:
        return [text]
    chunks: list[str] = []
    start = 0
    while len(text) - start > _CHUNK:
        cut = text.rfind("\n", start, start + _CHUNK)
        while cut > start and not text[cut + 1].isalpha():
            cut = text.rfind("\n", start, cut)
        if cut <= start:
            cut = start + _CHUNK - 1
        chunks.append(text[start : cut + 1])
        start = cut + 1
    return [*chunks, text[start:]]


def _load(name: str, scratch: str) -> Encoding:
    import tiktoken

    folder = _unpacked(name, scratch)
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = folder
    try:
        return tiktoken.get_encoding(name)
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before


def _unpacked(name: str, scratch: str) -> str:
    """Return a folder that holds the rank file under the name tiktoken looks for."""
    import platformdirs

    file = hashlib.sha1(_ADDRESS.format(name).encode(), usedforsecurity=False).hexdigest()
    packed = os.path.join(os.path.dirname(__file__), "vocabulary", f"{name}.tiktoken.xz")
    size = _SIZES[name]
    for folder in (platformdirs.user_cache_dir("cuedeck"), scratch):
        place = os.path.join(folder, file)
        try:
            # tiktoken deletes a file whose hash is wrong and then asks the network; a wrong size is mended here.
            if os.path.getsize(place) == size and _sound(place, name):
                return folder
        except OSError:
            pass
        try:
            import lzma

            with lzma.open(packed) as source:
                write_atomic(place, source.read())
        except StorageError:
            continue
        return folder
    raise StorageError(f"no place to unpack the vocabulary {name}", hint=f"make {scratch} writable")


_SIZES = {"o200k_base": 3_613_922, "cl100k_base": 1_681_126}
_SUMS = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}


def _sound(place: str, name: str) -> bool:
    with open(place, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == _SUMS[name]
