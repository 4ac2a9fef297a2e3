"""Exact token counts without a network: tiktoken with the vocabulary that ships with this package.

Source: the rank files are OpenAI's, as published for tiktoken (MIT licence, see `vocabulary/LICENSE`).
tiktoken reads them from a cache folder and checks their sha256 itself; a file that fails the check it would
fetch from the network, so none that might fail is ever shown to it.
"""

from __future__ import annotations

import os
import re
import threading
from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.errors import StorageError
from cuedeck.store.disk import read_bytes, write_atomic

if TYPE_CHECKING:
    from tiktoken import Encoding

    from cuedeck.store.index import Index

_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
_SUMS = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
_CACHE_VARIABLE = "TIKTOKEN_CACHE_DIR"
_HELD = 20_000
_KEPT = 100_000
"""Counts kept in the index."""
_CHUNK = 400_000
"""Characters counted at once: above a million blanks in a row tiktoken's regular expressions overflow."""
_LONGEST_TOKEN = 128
"""Characters."""
# Where no token of either encoding can span: behind a newline before a letter, between what is no blank and a
# blank before a letter, between a letter and a digit.
_BORDER = re.compile(r"(?<=\n)(?=[^\W\d_])|(?<=\S)(?= [^\W\d_])|(?<=[a-zA-Z])(?=[0-9])")


class Tokens:
    """Counts and cuts in one encoding; implements `Count`. Counts are kept by content hash."""

    def __init__(self, encoding: str, index: Index, scratch: str) -> None:
        self._encoding = encoding
        self._index = index
        self._scratch = scratch
        self._loaded: Encoding | None = None
        self._loading = threading.Lock()
        self._counts: OrderedDict[bytes, int] = OrderedDict()
        self._new: dict[bytes, int] = {}

    @property
    def encoding(self) -> str:
        """Name of the encoding."""
        return self._encoding

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`."""
        from hashlib import blake2b

        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if key in self._counts:
            self._counts.move_to_end(key)
            return self._counts[key]
        query = "SELECT tokens FROM counts WHERE text = ? AND encoding = ?"
        row = self._index.recall(query, (key, self._encoding))
        known = int(row[0]) if row else None
        if known is None:
            known = self._new[key] = sum(len(self.load().encode_ordinary(chunk)) for chunk in _chunks(text))
        self._counts[key] = known
        if len(self._counts) > _HELD:
            self._counts.popitem(last=False)
        return known

    def cut(self, text: str, limit: int) -> str:
        """Return the longest usable prefix of `text` with at most `limit` tokens."""
        if limit <= 0:
            return ""
        head = text[: limit * _LONGEST_TOKEN]
        if len(head) == len(text) and len(text.encode("utf-8", "surrogatepass")) <= limit:
            return text  # a token has at least one byte
        encoding = self.load()
        ids = [id_ for chunk in _chunks(head) for id_ in encoding.encode_ordinary(chunk)]
        if len(ids) <= limit and len(head) == len(text):
            return text
        for kept in range(limit, 0, -1):
            # The last token may end in the middle of a character, and what is left may be cut differently.
            prefix = encoding.decode(ids[:kept], errors="ignore")
            if len(encoding.encode_ordinary(prefix)) <= limit:
                return prefix
        return ""

    def load(self) -> Encoding:
        """Load the vocabulary, once; costs a few tenths of a second. Raises: StorageError."""
        with self._loading:
            if self._loaded is None:
                self._loaded = _load(self._encoding, self._scratch)
            return self._loaded

    def save(self) -> None:
        """Keep the new counts for later processes."""
        if self._new:
            rows = [(key, self._encoding, tokens) for key, tokens in self._new.items()]
            self._index.keep("counts", rows, _KEPT)
            self._new.clear()


def _chunks(text: str) -> Iterator[str]:
    """Split a very long text where no token can span; without such a place, somewhere."""
    start = 0
    while len(text) - start > _CHUNK:
        end = start + _CHUNK
        for reach in (1_000, _CHUNK - 1):
            borders = [found.start() for found in _BORDER.finditer(text, max(start + 1, end - reach), end)]
            if borders:
                end = borders[-1]
                break
        yield text[start:end]
        start = end
    yield text[start:]


def _load(name: str, scratch: str) -> Encoding:
    from hashlib import sha1

    import platformdirs

    file = sha1(_ADDRESS.format(name).encode(), usedforsecurity=False).hexdigest()
    own = (platformdirs.user_cache_dir("cuedeck"), scratch)
    for folder in (os.environ.get(_CACHE_VARIABLE, ""), *own):
        if folder and _is_sound(os.path.join(folder, file), name):
            return _read(name, folder)
    data = _unpack(name)
    for folder in own:
        try:
            write_atomic(os.path.join(folder, file), data)
        except StorageError:
            continue
        return _read(name, folder)
    import tempfile

    try:
        with tempfile.TemporaryDirectory() as folder:
            write_atomic(os.path.join(folder, file), data)
            return _read(name, folder)
    except OSError as error:
        raise StorageError(f"no place to unpack the vocabulary {name}", hint=f"make {scratch} writable") from error


def _read(name: str, folder: str) -> Encoding:
    import tiktoken

    before = os.environ.get(_CACHE_VARIABLE)
    os.environ[_CACHE_VARIABLE] = folder
    try:
        return tiktoken.get_encoding(name)
    finally:
        if before is None:
            del os.environ[_CACHE_VARIABLE]
        else:
            os.environ[_CACHE_VARIABLE] = before


def _unpack(name: str) -> bytes:
    import lzma

    packed = os.path.join(os.path.dirname(__file__), "vocabulary", f"{name}.tiktoken.xz")
    try:
        data = lzma.decompress(read_bytes(packed) or b"")
    except lzma.LZMAError:
        data = b""
    if not _is_right(data, name):
        raise StorageError(f"{packed} is damaged", hint="install CueDeck again")
    return data


def _is_sound(place: str, name: str) -> bool:
    try:
        return _is_right(read_bytes(place) or b"", name)
    except StorageError:
        return False


def _is_right(data: bytes, name: str) -> bool:
    from hashlib import sha256

    return sha256(data).hexdigest() == _SUMS[name]
