"""Shell completion of command lines."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

import click
import pytest
from sandbox import Sandbox

from cuedeck.shells.cli.cli_main import COMMANDS, cuedeck

SECRET = "AKIA" + "QWERTYUIOPASDFGH"


def completions(
    sandbox: Sandbox, line: str, *, shell: str = "zsh", cwd: Path | None = None
) -> Mapping[str, str]:
    """Return the completions of a command line by value; the last word is partial."""
    words = ["cuedeck", *shlex.split(line)]
    if line.endswith(" "):
        words.append("")
    variables = {
        "_CUEDECK_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": shlex.join(words) if words[-1] else shlex.join(words[:-1]) + " ",
        "COMP_CWORD": str(len(words) - 1) if shell != "fish" else words[-1],
    }
    ran = sandbox.run(environ=variables, cwd=cwd or sandbox.root)
    assert (ran.code, ran.err) == (0, "")
    rows = ran.out.splitlines()
    if shell == "zsh":
        return dict(zip(rows[1::3], rows[2::3], strict=True))
    pairs = (row.partition(",")[2].partition("\t") for row in rows)
    return {value: about for value, _, about in pairs}


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", "title: Fix login", "refs: [docs/auth.md]")
    sandbox.card("bbbbbb", "title: 'Key: rotate'", "status: done")
    sandbox.activate("aaaaaa")
    sandbox.write("docs/auth.md", "# Auth\n\n## Token check\n\nText.\n")
    sandbox.write("src/auth.py", "class Login:\n    def verify(self):\n        pass\n")
    sandbox.ok("scene")
    return sandbox


def test_cards_are_completed_with_their_titles(shop: Sandbox) -> None:
    cards = [("aaaaaa", "Fix login"), ("bbbbbb", "Key: rotate")]
    for line in ("card show ", "scene --card ", "card deps aaaaaa --add "):
        assert list(completions(shop, line).items()) == cards
        assert list(completions(shop, line + "b")) == ["bbbbbb"]


@pytest.mark.parametrize("line", ["read ", "card new --ref ", "attempt add --on "])
def test_addresses_are_completed(shop: Sandbox, line: str) -> None:
    symbols = ["src/auth.py#Login", "src/auth.py#Login.verify"]
    for text, found in (
        ("src/", ["src/auth.py"]),
        ("src/auth.py#L", symbols),
        ("docs/auth.md#t", ["docs/auth.md#token-check"]),
        ("aa", ["aaaaaa"]),
        ("src/gone.py#", []),
    ):
        assert list(completions(shop, line + text)) == found


def test_next_folders_are_completed_among_many_files(shop: Sandbox) -> None:
    for number in range(150):
        shop.write(f"lib/deep/one/{number}.txt", "x\n")
        shop.write(f"lib/deep/two/{number}.txt", "x\n")
    shop.ok("scene")
    assert list(completions(shop, "read lib")) == ["lib/deep/one/", "lib/deep/two/"]
    assert len(completions(shop, "read lib/deep/one/")) == 150
    assert "lib/" in completions(shop, "read ")


def test_ids_of_ledgers_are_completed(shop: Sandbox) -> None:
    first = shop.answer("decide", "Take JWT")["id"]
    second = shop.answer("decide", "Take cookies")["id"]
    decisions = [(second, "Take cookies"), (first, "Take JWT")]
    assert list(completions(shop, "decision show ").items()) == decisions
    session = shop.answer("session", "start")["session"]
    for line in ("resume ", "session show "):
        assert completions(shop, line) == {session: "Fix login"}
    record = shop.answer("remember", "A fact")["id"]
    assert list(completions(shop, "memory show ")) == [record]
    identity = shop.answer("assumption", "add", "It uses React")["id"]
    assert completions(shop, "assumption resolve ") == {identity: "It uses React"}


def test_no_secret_is_completed(shop: Sandbox) -> None:
    shop.card("cccccc", f"title: Rotate {SECRET}")
    shop.write(f"docs/{SECRET}.md", "# Text\n")
    shop.ok("scene")
    assert SECRET not in completions(shop, "card show c")["cccccc"]
    assert list(completions(shop, "read docs/")) == ["docs/auth.md"]


def test_completion_builds_nothing_and_prints_no_error(
    shop: Sandbox, tmp_path: Path
) -> None:
    shop.ok("clean")
    before = shop.bytes()
    assert not completions(shop, "card show ")
    assert not completions(shop, "read src/")
    assert shop.bytes() == before
    assert not completions(shop, "card show ", cwd=tmp_path)
    assert not completions(shop, "-C /gone card show ")
    assert not completions(shop, "nothing of this ")
    shop.write(".cuedeck/config.toml", "[scene\n")
    assert not completions(shop, "card show ")


def test_addresses_of_the_cortex_tree_are_completed(shop: Sandbox) -> None:
    shop.write(".cuedeck/cortex/user/ana/preferences/editor.md", "Vim.\n")
    shop.write(".cuedeck/cortex/session/fix-login/timeline/2026-11/22/a", "")
    assert list(completions(shop, "cortex ls cortex://us")) == ["cortex://user/"]
    assert list(completions(shop, "cortex read cortex://user/ana/preferences/")) == [
        "cortex://user/ana/preferences/editor.md"
    ]
    assert list(completions(shop, "cortex commit f")) == ["fix-login"]
    assert list(completions(shop, "cortex commit --user a")) == ["ana"]
    assert list(completions(shop, "cortex commit --agent a")) == []


def parameters(
    command: click.Command, context: click.Context
) -> list[tuple[str, click.Parameter]]:
    found = [(context.command_path, each) for each in command.params]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            each = command.get_command(context, name)
            assert each is not None
            found += parameters(
                each, click.Context(each, parent=context, info_name=name)
            )
    return found


def test_every_argument_that_names_something_is_completed() -> None:
    """Addresses and cards have their own metavar or name; ids of profiles and new ids
    refer to nothing that exists.
    """
    assert COMMANDS
    missing = []
    for path, each in parameters(cuedeck, click.Context(cuedeck, info_name="cuedeck")):
        named = (each.metavar or each.name or "").strip("[].").upper()
        if (
            named not in ("CARD", "ADDRESS", "SESSION", "ID", "FILE")
            or each.opts[0] in _OTHERS
        ):
            continue
        if each._custom_shell_complete is None:
            missing.append(f"{path} {each.opts[0]}")
    assert missing == []


_OTHERS = {"--out", "--error", "--profile", "--id", "--host", "--from"}
