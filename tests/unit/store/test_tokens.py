"""Tokens are counted as tiktoken counts them, without a network."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import tiktoken
from desk import Desk, session_folder
from hypothesis import given, settings
from hypothesis import strategies as st

from cuedeck.model.errors import StorageError
from cuedeck.store import tokens as module
from cuedeck.store.index import Index
from cuedeck.store.tokens import Tokens

NAMES = ("o200k_base", "cl100k_base")
WORDS = (
    "word",
    "Straße",
    "日本語",
    "👩‍👩‍👧",
    "<|endoftext|>",
    "don't",
    "1234567",
    "x_y",
    "\t",
    "...",
    "{}",
    "e\u0301",
    "\u200b",
)
CORPUS = (
    "",
    "plain words",
    "<|endoftext|><|fim_prefix|><|endofprompt|>",
    "# Title\n\n- a\n- b\n\n```python\ndef f(x):\n    return x\n```\n",
    "Zażółć gęślą jaźń · 日本語のテキスト · العربية · 👩‍👩‍👧‍👦",
    "a" * 5_000,
    " " * 3_000 + "x",
    "\r\n\r\n  \n\t",
    "e\u0301\u0302 \x00\x01 \ud7ff\ue000",
    "0123456789" * 50,
)


@pytest.fixture(scope="session", params=NAMES)
def count(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Tokens:
    return Tokens(request.param, Index(""), str(session_folder(tmp_path_factory) / "cache"))


@pytest.mark.parametrize("text", CORPUS, ids=range(len(CORPUS)))
def test_counts_are_those_of_tiktoken(count: Tokens, text: str) -> None:
    assert count.count(text) == len(count.load().encode_ordinary(text))
    assert count.encoding == count.load().name


@settings(max_examples=100, deadline=None)
@given(
    text=st.lists(st.sampled_from((*WORDS, " ", "\n", "\r\n", "  ")), max_size=60).map("".join), seed=st.integers(0, 9)
)
def test_texts_counted_in_pieces_count_like_the_whole(count: Tokens, text: str, seed: int) -> None:
    """Very long texts are split where no token can span."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHUNK", 20 + seed)
        pieces = list(module._chunks(text))
    assert "".join(pieces) == text
    for left, right in zip(pieces, pieces[1:], strict=False):
        border = len(left)
        if module._BORDER.search(left + right, border, border + 2) and module._BORDER.match(left + right, border):
            assert _counted(count, left) + _counted(count, right) == _counted(count, left + right)


def _counted(count: Tokens, text: str) -> int:
    return len(count.load().encode_ordinary(text))


def test_a_text_of_many_pieces_is_exact(count: Tokens) -> None:
    words = random.Random(1)
    prose = " ".join(words.choice(WORDS) for _ in range(100_000))
    minified = "".join(words.choice(("function a(b){return b}", "var x1=2;", "if(c)d e;")) for _ in range(40_000))
    for text in (prose, minified):
        assert len(text) > 500_000
        assert count.count(text) == _counted(count, text)


def test_no_piece_is_so_long_that_blanks_overflow_the_tokenizer() -> None:
    """tiktoken's regular expressions do on a million of them."""
    assert [len(piece) for piece in module._chunks(" " * 1_000_000)] == [400_000, 400_000, 200_000]


@settings(max_examples=100, deadline=None)
@given(
    text=st.one_of(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=60), st.lists(st.sampled_from(WORDS)).map(" ".join)
    ),
    limit=st.integers(-1, 40),
)
def test_a_cut_is_a_prefix_that_fits_and_one_token_more_would_not(count: Tokens, text: str, limit: int) -> None:
    cut = count.cut(text, limit)
    assert text.startswith(cut)
    assert _counted(count, cut) <= max(limit, 0)
    if _counted(count, text) <= limit:
        assert cut == text


def test_a_cut_of_a_long_text_is_quick_and_long(count: Tokens) -> None:
    text = "word " * 100_000
    assert _counted(count, count.cut(text, 1_000)) == 1_000


def test_counts_are_kept_for_the_next_process(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    place = str(desk.place("index.sqlite"))
    index = Index(place)
    first = Tokens("o200k_base", index, str(desk.root))
    number = first.count("some words")
    first.save()
    index.close()
    index = Index(place)
    second = Tokens("o200k_base", index, str(desk.root))
    monkeypatch.setattr(second, "load", None)
    assert second.count("some words") == number
    assert Tokens("cl100k_base", index, str(desk.root)).count("some words") == 2
    index.close()


def test_the_vocabulary_is_loaded_once_by_whichever_thread_comes_first(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[str] = []
    monkeypatch.setattr(
        module, "_load", lambda name, scratch: loads.append(name) or tiktoken.get_encoding("o200k_base")
    )
    counter = Tokens("o200k_base", Index(""), str(desk.root))
    threads = [threading.Thread(target=counter.load) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert loads == ["o200k_base"]


# --- where the vocabulary comes from

FILE = hashlib.sha1(b"https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken").hexdigest()
LOAD = """
import os, socket, sys
def refuse(*_, **__):
    raise AssertionError("the network was asked")
socket.socket.connect = socket.getaddrinfo = refuse
from cuedeck.store.index import Index
from cuedeck.store.tokens import Tokens
before = dict(os.environ)
print(Tokens("o200k_base", Index(""), sys.argv[1]).count("word"))
assert dict(os.environ) == before
"""


@pytest.fixture
def vocabulary(desk: Desk) -> bytes:
    """The rank file, unpacked."""
    return module._unpack("o200k_base")


@pytest.fixture
def shown(desk: Desk, vocabulary: bytes, monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Load; return the folder that is shown to tiktoken, in which it must find a sound file."""

    def read(name: str, folder: str) -> str:
        assert (Path(folder) / FILE).read_bytes() == vocabulary
        return folder

    monkeypatch.setattr(module, "_read", read)
    monkeypatch.setenv("XDG_CACHE_HOME", str(desk.root / "cache"))
    return lambda: str(module._load("o200k_base", str(desk.root / "scratch")))


def test_a_damaged_file_is_mended_without_a_network(desk: Desk, vocabulary: bytes) -> None:
    place = desk.write(f"cache/cuedeck/{FILE}", vocabulary[:-1] + b"x")
    ran = subprocess.run(
        [sys.executable, "-c", LOAD, str(desk.root / "scratch")],
        env={**desk.environ, "XDG_CACHE_HOME": str(desk.root / "cache"), "TIKTOKEN_CACHE_DIR": str(desk.root)},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert ran.stdout == "1\n", ran.stderr
    assert place.read_bytes() == vocabulary
    assert sorted(path.name for path in desk.root.iterdir()) == [".cuedeck", "cache"]


def test_a_first_use_unpacks_it_into_the_cache_of_the_user(desk: Desk, shown: Callable[[], str]) -> None:
    assert shown() == str(desk.root / "cache/cuedeck")
    assert [path.name for path in (desk.root / "cache/cuedeck").iterdir()] == [FILE]
    assert not desk.place("scratch").exists()


@pytest.mark.parametrize("damage", ["short", "same size", "empty", "folder"])
def test_no_damaged_file_is_ever_shown(desk: Desk, shown: Callable[[], str], vocabulary: bytes, damage: str) -> None:
    place = desk.place(f"cache/cuedeck/{FILE}")
    if damage == "folder":
        place.mkdir(parents=True)
        assert shown() == str(desk.root / "scratch")
        return
    desk.write(
        f"cache/cuedeck/{FILE}", {"short": vocabulary[:-1], "same size": b"x" * len(vocabulary)}.get(damage, b"")
    )
    assert shown() == str(place.parent)


def test_the_cache_folder_of_tiktoken_is_used_but_never_written(
    desk: Desk, shown: Callable[[], str], vocabulary: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = desk.write(f"own/{FILE}", vocabulary)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(own.parent))
    assert shown() == str(own.parent)
    assert not desk.place("cache").exists()
    own.write_bytes(b"broken")
    assert shown() == str(desk.root / "cache/cuedeck")
    assert own.read_bytes() == b"broken"
    own.unlink()
    shown()
    assert list(own.parent.iterdir()) == []


def test_without_a_home_it_is_unpacked_into_the_workspace_or_nowhere(
    desk: Desk, shown: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is a file cannot be a folder, not even for root."""
    desk.write("cache", "a file")
    assert shown() == str(desk.root / "scratch")
    desk.place(f"scratch/{FILE}").unlink()
    desk.place("scratch").rmdir()
    desk.write("scratch", "a file too")
    monkeypatch.setattr(tempfile, "tempdir", str(desk.root))
    assert Path(shown()).parent == desk.root
    assert sorted(path.name for path in desk.root.iterdir()) == [".cuedeck", "cache", "scratch"]
    monkeypatch.setattr(tempfile, "tempdir", str(desk.place("scratch")))
    with pytest.raises(StorageError, match="no place to unpack"):
        shown()


def test_a_damaged_installation_says_so(shown: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (b"", b"garbage"):
        monkeypatch.setattr(module, "read_bytes", lambda place, data=data: data if place.endswith("xz") else None)
        with pytest.raises(StorageError, match="is damaged") as caught:
            shown()
        assert "install CueDeck again" in caught.value.hint


def test_the_environment_is_as_it_was(desk: Desk, vocabulary: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.write(FILE, vocabulary)
    for before in (None, "elsewhere"):
        if before:
            monkeypatch.setenv("TIKTOKEN_CACHE_DIR", before)
        module._read("o200k_base", str(desk.root))
        assert os.environ.get("TIKTOKEN_CACHE_DIR") == before
