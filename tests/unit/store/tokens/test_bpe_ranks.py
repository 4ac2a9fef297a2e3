"""Ranks are those of the rank file, wherever the table of them comes from."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from encodings_of_tiktoken import NAMES, rank_file, ranks
from sandbox import Sandbox

from cuedeck.model.errors import StorageError
from cuedeck.store.tokens import bpe_ranks as module
from cuedeck.store.tokens.bpe_ranks import Ranks, open_ranks

NAME = "cl100k_base"
FILE = module.file_name(NAME)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_token_has_its_rank(name: str) -> None:
    rows = [line.split() for line in rank_file(name).splitlines()]
    tokens = [base64.b64decode(token) for token, _ in rows]
    table = ranks(name)
    assert list(table.tokens()) == tokens
    assert [table.rank(token) for token in tokens] == [int(rank) for _, rank in rows]
    assert len(table) == len(rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_bytes_that_are_not_a_token_have_no_rank(name: str) -> None:
    table = ranks(name)
    tokens = set(table.tokens())
    some = sorted(tokens)[::20]
    others = (
        {token + b"\xff" for token in some}
        | {token[1:] for token in some}
        | {b"", b"\xff\xff"}
    )
    assert {table.rank(other) for other in others - tokens} == {len(table)}


# --- where the table comes from


@cache
def make_table() -> bytes:
    return module._make(NAME)


@pytest.fixture
def table(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The table; the cache of the user is a folder of the sandbox."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(sandbox.root / "cache"))
    return make_table()


@pytest.fixture
def opened(sandbox: Sandbox, table: bytes) -> Callable[[], Ranks]:
    return lambda: open_ranks(NAME, str(sandbox.root / "scratch"))


@pytest.fixture
def without_the_rank_file(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[bytes | None], None]:
    """Give something else in its place."""

    def replace(data: bytes | None) -> None:
        read = module.read_bytes
        monkeypatch.setattr(
            module,
            "read_bytes",
            lambda place: data if place.endswith(".xz") else read(place),
        )

    return replace


def test_a_first_use_keeps_the_table_in_the_cache_of_the_user(
    sandbox: Sandbox,
    opened: Callable[[], Ranks],
    table: bytes,
    without_the_rank_file: Callable[[bytes | None], None],
) -> None:
    assert opened().rank(b" the") == 279
    assert {
        path.name: path.read_bytes()
        for path in (sandbox.root / "cache/cuedeck").iterdir()
    } == {FILE: table}
    assert not sandbox.place("scratch").exists()
    without_the_rank_file(None)
    assert opened().rank(b" the") == 279


@pytest.mark.parametrize("damage", ["short", "long", "empty"])
def test_a_table_of_another_size_is_rebuilt(
    sandbox: Sandbox, opened: Callable[[], Ranks], table: bytes, damage: str
) -> None:
    damaged = {"short": table[:-1], "long": table + b"x", "empty": b""}
    place = sandbox.write(f"cache/cuedeck/{FILE}", damaged[damage])
    assert opened().rank(b" the") == 279
    assert place.read_bytes() == table


def test_without_a_home_it_is_kept_in_the_workspace_or_nowhere(
    sandbox: Sandbox, opened: Callable[[], Ranks], table: bytes
) -> None:
    """A file cannot become a folder, not even for root."""
    sandbox.write("cache", "a file")
    assert opened().rank(b" the") == 279
    assert sandbox.place(f"scratch/{FILE}").read_bytes() == table
    sandbox.place(f"scratch/{FILE}").unlink()
    sandbox.place("scratch").rmdir()
    sandbox.write("scratch", "a file too")
    assert opened().rank(b" the") == 279
    assert sorted(path.name for path in sandbox.root.iterdir()) == [
        ".cuedeck",
        "cache",
        "scratch",
    ]


def test_a_damaged_installation_is_reported(
    opened: Callable[[], Ranks], without_the_rank_file: Callable[[bytes | None], None]
) -> None:
    packed = Path(module.__file__).parent / "vocabulary" / f"{NAME}.tiktoken.xz"
    other = packed.with_name("o200k_base.tiktoken.xz").read_bytes()
    for data in (None, b"", b"garbage", packed.read_bytes()[:-9], other):
        without_the_rank_file(data)
        with pytest.raises(StorageError, match="is damaged") as caught:
            opened()
        assert "reinstall CueDeck" in caught.value.hint
