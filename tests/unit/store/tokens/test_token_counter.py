"""Tokens are counted as tiktoken counts them, without a network, and without tiktoken
while they are few.
"""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import tiktoken
from encodings_of_tiktoken import CORPUS, NAMES, WORDS, count, reference, texts
from hypothesis import given, settings
from hypothesis import strategies as st
from sandbox import Sandbox, session_folder

from cuedeck.store.index import Index
from cuedeck.store.tokens import bpe_ranks as ranks_module
from cuedeck.store.tokens import token_counter as module
from cuedeck.store.tokens.token_counter import Tokens

Make = Callable[[], Tokens]


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make(name: str, tmp_path_factory: pytest.TempPathFactory) -> Make:
    return lambda: Tokens(
        name, Index(""), str(session_folder(tmp_path_factory) / "cache")
    )


@pytest.fixture(scope="session")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Tokens]:
    """Counters whose encoder is loaded."""
    made = {
        each: Tokens(each, Index(""), str(session_folder(tmp_path_factory) / "cache"))
        for each in NAMES
    }
    for counter in made.values():
        counter.load()
    return made.__getitem__


@pytest.mark.parametrize("text", CORPUS, ids=range(len(CORPUS)))
def test_counts_are_those_of_tiktoken(
    name: str, make: Make, loaded: Callable[[str], Tokens], text: str
) -> None:
    assert make().count(text) == loaded(name).count(text) == count(name, text)
    assert make().encoding == name == loaded(name).load().name


def test_counts_stay_the_same_while_ways_to_count_change(
    name: str, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short texts are counted by pieces; others need the encoder."""
    monkeypatch.setattr(module, "_LITTLE", 2_000)
    words = random.Random(1)
    for odd in ("ʕ", "\ud83c", "x" * 5_000, "plain"):
        counter = make()
        texts = [" ".join(words.choice(WORDS) for _ in range(30)) for _ in range(20)]
        for text in (*texts[:5], odd, *texts[5:]):
            assert counter.count(text) == count(name, text)


def test_a_text_of_many_chunks_is_exact(
    name: str, loaded: Callable[[str], Tokens]
) -> None:
    words = random.Random(1)
    prose = " ".join(words.choice(WORDS) for _ in range(100_000))
    minified = "".join(
        words.choice(("function a(b){return b}", "var x1=2;", "if(c)d e;"))
        for _ in range(40_000)
    )
    for text in (prose, minified):
        assert len(text) > 500_000
        assert loaded(name).count(text) == count(name, text)


@pytest.mark.parametrize("encoding", NAMES)
@settings(max_examples=50, deadline=None)
@given(
    text=st.one_of(
        texts.filter(lambda text: text.encode("utf-8", "ignore").decode() == text),
        st.lists(st.sampled_from(WORDS)).map(" ".join),
    ),
    limit=st.integers(-1, 40),
)
def test_a_cut_is_a_prefix_that_fits_and_the_same_either_way(
    loaded: Callable[[str], Tokens], encoding: str, text: str, limit: int
) -> None:
    cut = loaded(encoding).cut(text, limit)
    assert text.startswith(cut)
    assert count(encoding, cut) <= max(limit, 0)
    if count(encoding, text) <= limit:
        assert cut == text
    assert Tokens(encoding, Index(""), "").cut(text, limit) == cut


# --- when the encoder is loaded

LITTLE = """
import os, socket, sys
def refuse(*_, **__):
    raise AssertionError("the network was asked")
socket.socket.connect = socket.getaddrinfo = refuse
from cuedeck.store.index import Index
from cuedeck.store.tokens.token_counter import Tokens
before = dict(os.environ)
counter = Tokens("o200k_base", Index(""), sys.argv[1])
print(counter.count("word"), counter.cut("word after word · 日本", 2))
print("tiktoken" in sys.modules, "regex" in sys.modules)
print(counter.count("ʕ"), "tiktoken" in sys.modules)
assert dict(os.environ) == before
"""


def test_a_little_is_counted_without_tiktoken_and_nothing_asks_the_network(
    sandbox: Sandbox,
) -> None:
    file = ranks_module.file_name("o200k_base")
    place = sandbox.write(f"cache/cuedeck/{file}", "damaged")
    ran = subprocess.run(
        [sys.executable, "-c", LITTLE, str(sandbox.root / "scratch")],
        env={
            **sandbox.environ,
            "XDG_CACHE_HOME": str(sandbox.root / "cache"),
            "TIKTOKEN_CACHE_DIR": str(sandbox.root),
        },
        capture_output=True,
        check=False,
        timeout=30,
    )
    assert (
        ran.stdout.decode()
        == f"1 word after\nFalse False\n{count('o200k_base', 'ʕ')} True\n"
    ), ran.stderr
    assert len(place.read_bytes()) > 1_000_000
    assert sorted(path.name for path in sandbox.root.iterdir()) == [".cuedeck", "cache"]


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The encoders that were loaded; at first the process has loaded none."""
    noted: list[str] = []
    monkeypatch.setattr(module, "_ENCODERS", {})

    def load(name: str, ranks: object) -> tiktoken.Encoding:
        noted.append(name)
        return reference(name)

    monkeypatch.setattr(module, "load_encoding", load)
    return noted


def test_the_encoder_is_loaded_when_much_is_counted(
    make: Make, loads: list[str]
) -> None:
    counter = make()
    for number in range(10):
        counter.count(f"{number} " + "word " * 1_900)
    assert not loads
    for number in range(10, 20):
        counter.count(f"{number} " + "word " * 1_900)
    assert len(loads) == 1
    make().count("word " * 50_000)
    assert len(loads) == 1, "all counters of a process share it"


def test_the_encoder_is_loaded_once_by_whichever_thread_comes_first(
    make: Make, loads: list[str]
) -> None:
    counter = make()
    threads = [threading.Thread(target=counter.load) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loads) == 1


def test_counts_are_kept_for_the_next_process(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = str(sandbox.place("index.sqlite"))
    index = Index(place)
    first = Tokens("o200k_base", index, str(sandbox.root))
    number = first.count("some words")
    first.save()
    index.close()
    index = Index(place)
    second = Tokens("o200k_base", index, str(sandbox.root))
    with monkeypatch.context() as patch:
        patch.setattr(module, "share_ranks", None)
        assert second.count("some words") == number
    assert Tokens("cl100k_base", index, str(sandbox.root)).count("some words") == 2
    index.database.execute("UPDATE cache SET value = 'damaged'")
    assert Tokens("o200k_base", index, str(sandbox.root)).count("some words") == number
    index.close()
    assert not list(Path(sandbox.root).glob("*.ranks"))
