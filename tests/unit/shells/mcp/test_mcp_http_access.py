"""Access over HTTP: tokens, host names and origins."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest
from sandbox import Sandbox
from starlette.types import Receive, Scope, Send

from cuedeck.model.errors import ConfigurationError, StorageError, WorkspaceMissing
from cuedeck.shells.local_server import AccessCheck, Place
from cuedeck.shells.mcp.http_server import VARIABLE, is_loopback, names_of, token_for
from cuedeck.shells.mcp.server_definition import Start

TOKEN = "a-token-of-thirty-two-characters"


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [("127.0.0.1", True), ("127.8.9.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False),
     ("10.0.0.5", False), ("localhost.example.org", False), ("", False)],
)  # fmt: skip
def test_only_this_machine_needs_no_token(
    sandbox: Sandbox, host: str, is_ours: bool
) -> None:
    assert is_loopback(host) is is_ours
    token, where = token_for(Start(str(sandbox.root), {}), host)
    assert bool(token) is bool(where) is not is_ours


def test_a_token_is_made_once_and_kept_from_others(sandbox: Sandbox) -> None:
    start = Start(str(sandbox.place("docs")), {})
    sandbox.place("docs").mkdir()
    token, where = token_for(start, "0.0.0.0")
    assert len(token) > 32
    assert where == str(sandbox.private("mcp-token"))
    assert stat.S_IMODE(Path(where).stat().st_mode) == 0o600
    assert token_for(start, "10.0.0.5") == (token, where)


def test_a_token_is_there_when_it_is_whole(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a crash, or during the write, another process found an empty file without a
    token.
    """
    start, place, seen = Start(str(sandbox.root), {}), sandbox.private("mcp-token"), []

    def failing(_handle: int) -> None:
        seen.append(place.exists())
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing)
        with pytest.raises(StorageError, match="cannot write"):
            token_for(start, "0.0.0.0")
    assert seen == [False] and not place.exists()
    assert token_for(start, "0.0.0.0") == (place.read_text().strip(), str(place))


def test_an_invalid_token_is_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    start = Start(str(sandbox.root), {})
    place = sandbox.write(
        str(sandbox.private("mcp-token").relative_to(sandbox.root)), f"{TOKEN}\n"
    )
    place.chmod(0o644)
    with pytest.raises(StorageError, match="others may read"):
        token_for(start, "0.0.0.0")
    place.chmod(0o600)
    place.write_text("short\n")
    with pytest.raises(StorageError, match="no token"):
        token_for(start, "0.0.0.0")
    place.unlink()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(TOKEN)
    place.symlink_to(elsewhere)
    with pytest.raises(StorageError):
        token_for(start, "0.0.0.0")
    with pytest.raises(WorkspaceMissing):
        token_for(Start(str(tmp_path), {}), "0.0.0.0")


@pytest.mark.parametrize(
    "token", ["short", "with a blank in the middle", "ü" * 20, "a\nb" * 10]
)
def test_a_variable_that_is_no_token_is_refused(sandbox: Sandbox, token: str) -> None:
    with pytest.raises(ConfigurationError):
        token_for(Start(str(sandbox.root), {VARIABLE: token}), "127.0.0.1")


def test_the_variable_goes_before_the_file(sandbox: Sandbox) -> None:
    start = Start(str(sandbox.root), {VARIABLE: TOKEN})
    assert (
        token_for(start, "127.0.0.1")
        == token_for(start, "0.0.0.0")
        == (TOKEN, "the environment")
    )


@pytest.mark.parametrize(
    ("name", "is_asked"), [("localhost", False), ("::1", False), ("foo.example", True)]
)
def test_a_name_of_others_needs_a_token_on_this_machine_too(
    sandbox: Sandbox, name: str, is_asked: bool
) -> None:
    """A client of a proxy or tunnel that knew the host name could write without a
    token.
    """
    assert (
        bool(token_for(Start(str(sandbox.root), {}), "127.0.0.1", name)[0]) is is_asked
    )


def test_a_server_is_called_by_its_own_names_alone() -> None:
    names = AccessCheck(
        _refuse_every_call,
        names_of(Place("10.0.0.5", 80, ("Deck.example.org", "one.example.org:443"))),
        TOKEN,
    )
    for host in (
        "127.0.0.1:80", "localhost", "LOCALHOST:80", "[::1]:9", "10.0.0.5:80", "deck.example.org",
        "deck.EXAMPLE.org:443", "one.example.org:443",
    ):  # fmt: skip
        assert names.has(host), host
        assert names.has_origin(f"https://{host}", 7337), host
    for host in (
        "", "example.org", "10.0.0.50", "10.0.0.5.example.org", "deck.example.org.evil:80", "127.0.0.1.x",
        "127.0.0.1:80@evil", "127.0.0.1:80.evil.com", "127.0.0.1:", "127.0.0.1:80/", "[::1]x", "one.example.org:80",
        "x@127.0.0.1", "localhost\n",
    ):  # fmt: skip
        assert not names.has(host), host
        assert not names.has_origin(f"http://{host}", 7337), host
    for origin in (
        "",
        "null",
        "localhost",
        "ftp://localhost",
        "http://localhost/",
        "http://deck.example.org.evil",
    ):
        assert not names.has_origin(origin, 7337), origin


@pytest.mark.parametrize(
    ("origin", "is_own"),
    [("http://127.0.0.1:7337", True), ("http://localhost:7337", True), ("http://[::1]:7337", True),
     ("HTTP://LOCALHOST:7337", True), ("http://localhost:3000", False), ("http://localhost", False),
     ("https://localhost:7337", False), ("http://localhost:73370", False), ("http://localhost:07337", True),
     ("http://10.0.0.5:7337", False)],
)  # fmt: skip
def test_without_a_token_only_a_page_of_the_server_itself_is_accepted(
    origin: str, is_own: bool
) -> None:
    names = AccessCheck(_refuse_every_call, names_of(Place("127.0.0.1", 7337)))
    assert names.has_origin(origin, 7337) is is_own


async def _refuse_every_call(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise AssertionError
