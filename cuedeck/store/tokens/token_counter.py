"""Exact offline token counts, cached by content hash.

Short commands count with `Pieces`, which loads at once. Processes that count much or
run long load tiktoken's encoder. Both give the same counts.
"""

from __future__ import annotations

import re
from _thread import allocate_lock  # `threading` costs a hook a millisecond
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cuedeck.store.tokens.bpe_ranks import Ranks, share_ranks
from cuedeck.store.tokens.pretokenizer import PATTERNS, Splitter

if TYPE_CHECKING:
    from tiktoken import Encoding

    from cuedeck.store.index import Index


_HELD = 20_000
_KEPT = 100_000
"""Maximum number of counts cached in the index."""
_LITTLE = 100_000
"""Bytes of uncached text; counting more with `Pieces` costs about as much as loading
the encoder.
"""
_LONGEST_TOKEN = 128
"""Longest token, in characters."""
LONGEST = 256
"""Longest piece that `Pieces` merges, in characters; merge time is quadratic in the
length.
"""

_CHUNK = 400_000
"""Characters encoded at once: tiktoken's regular expressions overflow on more than a
million consecutive blanks.
"""
# Positions that no token of either encoding spans: between a newline and a letter,
# between a non-blank and a blank before a letter, between a letter and a digit.
_BORDER = r"(?<=\n)(?=[^\W\d_])|(?<=\S)(?= [^\W\d_])|(?<=[a-zA-Z])(?=[0-9])"
_ENCODERS: dict[str, Encoding] = {}
"""Loaded encoders by encoding. An encoder never changes, so that all workspaces of a
process share it.
"""
_LOADING = allocate_lock()


class Tokens:
    """Counts tokens and truncates texts in one encoding; implements `Count`. Counts are
    cached by content hash.
    """

    def __init__(self, encoding: str, index: Index, scratch: str) -> None:
        self._encoding = encoding
        self._index = index
        self._scratch = scratch
        self._pieces: Pieces | None = None
        self._left = _LITTLE
        """Bytes that may still be counted with `Pieces`."""
        self._heavy = False
        """Whether tiktoken's encoder has been requested."""
        self._counts: dict[bytes, int] = {}
        self._new: dict[bytes, int] = {}

    @property
    def encoding(self) -> str:
        """Name of the encoding."""
        return self._encoding

    def count(self, text: str) -> int:
        """Return the number of tokens of `text`. Raises: StorageError."""
        # `hashlib` would load OpenSSL, which takes longer than counting a short text.
        from _blake2 import blake2b

        data = text.encode("utf-8", "surrogatepass")
        key = blake2b(data, digest_size=16).digest()
        if key in self._counts:
            return self._counts[key]
        known = self._index.cached(self._encoding, key)
        if not isinstance(known, int):
            known = self._new[key] = self._count(text, len(data))
        if len(self._counts) >= _HELD:
            del self._counts[next(iter(self._counts))]
        self._counts[key] = known
        return known

    def cut(self, text: str, limit: int) -> str:
        """Return the longest valid prefix of `text` with at most `limit` tokens.
        Raises: StorageError.
        """
        if limit <= 0:
            return ""
        head = text[: limit * _LONGEST_TOKEN]
        size = len(head.encode("utf-8", "surrogatepass"))
        if len(head) == len(text) and size <= limit:
            return text  # a token has at least one byte
        tokens = self._first(head, size, limit + 1)
        if len(tokens) <= limit and len(head) == len(text):
            return text
        for kept in range(limit, 0, -1):
            # The last token may end inside a character, and the remaining prefix may be
            # tokenized differently.
            prefix = b"".join(tokens[:kept]).decode("utf-8", "ignore")
            if self._count(prefix, 0) <= limit:
                return prefix
        return ""

    def load(self) -> Encoding:
        """Load tiktoken's encoder once; all later counts use it. Raises:
        StorageError.
        """
        self._heavy = True
        with _LOADING:
            if self._encoding not in _ENCODERS:
                _ENCODERS[self._encoding] = load_encoding(self._encoding, self._open())
            self._pieces = None
            return _ENCODERS[self._encoding]

    def save(self) -> None:
        """Store the new counts in the index for later processes."""
        if self._new:
            self._index.keep(self._encoding, self._new, _KEPT)
            self._new.clear()

    def _count(self, text: str, size: int) -> int:
        pieces = self._light(size)
        known = pieces.count(text) if pieces else None
        if known is None:
            _, ids = self._encode(text)
            known = len(ids)
        return known

    def _first(self, text: str, size: int, most: int) -> list[bytes]:
        pieces = self._light(size)
        known = None
        if pieces:
            known = pieces.tokens(text, most)
        if known is None:
            encoding, ids = self._encode(text)
            known = encoding.decode_tokens_bytes(ids[:most])
        return known

    def _encode(self, text: str) -> tuple[Encoding, list[int]]:
        """Return tiktoken's encoder and the tokens of a text."""
        encoding = self.load()
        return encoding, encode(encoding, text)

    def _light(self, size: int) -> Pieces | None:
        """Return the light counter for `size` more bytes, or None if the encoder should
        be used.
        """
        self._left -= size
        if self._heavy or self._left < 0:
            return None
        pieces = self._pieces
        if pieces is None:
            pieces = self._pieces = Pieces(self._encoding, self._open())
        return pieces

    def _open(self) -> Ranks:
        return share_ranks(self._encoding, self._scratch)


class Pieces:
    """Byte pair encoding in pure Python for short texts: loading tiktoken costs more
    than the rest of a command.

    The counts equal those of tiktoken; None if a text needs tiktoken. The tokens of
    every piece are cached without limit, for a single command.
    """

    def __init__(self, encoding: str, ranks: Ranks) -> None:
        self._splitter = Splitter(encoding)
        self._tokens = _Merged(ranks)

    def count(self, text: str) -> int | None:
        """Return the number of tokens of `text`, or None if tiktoken is needed."""
        pieces = self._split(text)
        if pieces is None:
            return None
        return sum(len(self._tokens[piece]) for piece in pieces)

    def tokens(self, text: str, most: int) -> list[bytes] | None:
        """Return the first `most` tokens of `text`, or None if tiktoken is needed."""
        pieces = self._split(text)
        if pieces is None:
            return None
        found: list[bytes] = []
        for piece in pieces:
            if len(found) >= most:
                break
            found += self._tokens[piece]
        return found[:most]

    def _split(self, text: str) -> list[str] | None:
        pieces = self._splitter.split(text)
        if pieces is None or max(map(len, pieces), default=0) > LONGEST:
            return None
        return pieces


class _Merged(dict[str, Sequence[bytes]]):
    """Cache of the tokens of each piece."""

    def __init__(self, ranks: Ranks) -> None:
        super().__init__()
        self._ranks = ranks

    def __missing__(self, piece: str) -> Sequence[bytes]:
        self[piece] = found = merge(piece.encode(), self._ranks)
        return found


def merge(piece: bytes, ranks: Ranks) -> Sequence[bytes]:
    """Return the tokens of a piece: merge the adjacent pair of lowest rank until no
    pair is a token (BPE).
    """
    rank = ranks.rank
    none = len(ranks)
    if rank(piece) != none:
        return (piece,)
    parts = [piece[at : at + 1] for at in range(len(piece))]
    pairs = [rank(piece[at : at + 2]) for at in range(len(piece) - 1)]
    while pairs and (lowest := min(pairs)) != none:
        at = pairs.index(lowest)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        del pairs[at]
        if at > 0:
            pairs[at - 1] = rank(parts[at - 1] + parts[at])
        if at < len(pairs):
            pairs[at] = rank(parts[at] + parts[at + 1])
    return parts


def load_encoding(name: str, ranks: Ranks) -> Encoding:
    """Load tiktoken's encoder without special tokens, which takes a few tenths of a
    second.
    """
    import tiktoken

    tokens = ranks.tokens()
    ranks_by_token = dict(zip(tokens, range(len(tokens)), strict=True))
    return tiktoken.Encoding(
        name, pat_str=PATTERNS[name], mergeable_ranks=ranks_by_token, special_tokens={}
    )


def encode(encoding: Encoding, text: str) -> list[int]:
    """Return the tokens of a text of any length; special tokens are plain text."""
    return [id_ for chunk in chunks(text) for id_ in encoding.encode_ordinary(chunk)]


def chunks(text: str) -> Iterator[str]:
    """Split a very long text at positions that no token spans; if there is none, at the
    size limit.
    """
    start = 0
    if len(text) <= _CHUNK:
        yield text
        return
    border = re.compile(_BORDER)
    while len(text) - start > _CHUNK:
        end = start + _CHUNK
        for reach in (1_000, _CHUNK - 1):
            borders = [
                found.start()
                for found in border.finditer(text, max(start + 1, end - reach), end)
            ]
            if borders:
                end = borders[-1]
                break
        yield text[start:end]
        start = end
    yield text[start:]
