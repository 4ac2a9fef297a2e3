"""File names and arguments are UTF-8 in every locale."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest
from agent_host import recorded_request
from sandbox import Sandbox

from cuedeck import __main__

ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
"""A locale whose encoding has no letters outside of ASCII."""
LEGACY = {"ja_JP": "EUC-JP"}
PATH = "tést/ß ф 日本.py"
TITLE = "Fix İstanbul 日本"


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.write(PATH, "def f():\n    return 1\n")
    sandbox.card("aaaaaa", f"refs: ['{PATH}']")
    sandbox.activate("aaaaaa")
    return sandbox


def legacy_locale(folder: Path, name: str) -> dict[str, str]:
    """Return the variables of a locale whose encoding is not UTF-8."""
    encoding = LEGACY[name]
    place = folder / f"{name}.{encoding}"
    command = ["localedef", "-i", name, "-f", encoding, str(place)]
    try:
        subprocess.run(command, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("localedef is not installed")
    if not place.exists():
        pytest.skip(f"localedef does not know {name}.{encoding}")
    return {"LOCPATH": str(folder), "LC_ALL": place.name, "PYTHONUTF8": "0"}


def printed(shop: Sandbox, environ: dict[str, str]) -> list[str]:
    """Return the output of some commands in a locale."""
    commands = (
        ["scene", "--print"],
        ["scene", TITLE, "--print"],
        ["read", PATH],
        ["doctor"],
    )
    return [shop.run(*each, environ=environ).out for each in commands]


@pytest.mark.parametrize("name", LEGACY)
def test_legacy_encoding_of_the_locale_changes_no_byte(
    shop: Sandbox, tmp_path: Path, name: str
) -> None:
    environ = legacy_locale(tmp_path, name)
    expected = printed(shop, {})
    assert f"`{PATH}`" in expected[0]
    assert TITLE in expected[1]
    assert printed(shop, environ) == expected


def test_exit_code_and_input_survive_the_locale(shop: Sandbox) -> None:
    assert shop.run("read", "nothing", environ=ASCII).code == 1
    assert shop.run("list", "--no-such-option", environ=ASCII).code == 2
    shop.write(".cuedeck/USER.md", "# User\n")
    identity = shop.answer("memory", "read", "USER.md")["hash"]
    command = ["memory", "write", "USER.md", "--if-hash", identity]
    shop.ok(*command, text="# Ünal\n", environ=ASCII)
    assert shop.place(".cuedeck/USER.md").read_text("utf-8") == "# Ünal\n"


def test_hook_answers_in_every_locale(shop: Sandbox) -> None:
    event, request = recorded_request("claude", "start", shop.root)
    command = ["hook", event, "--host", "claude"]
    ran = shop.ok(*command, text=json.dumps(request), environ=ASCII)
    context = json.loads(ran.out)["hookSpecificOutput"]["additionalContext"]
    assert PATH in context


def test_locale_that_cannot_be_replaced_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> NoReturn:
        raise PermissionError

    monkeypatch.setattr(sys, "getfilesystemencoding", lambda: "iso8859-1")
    monkeypatch.setattr(os, "execv", refuse)
    with pytest.raises(SystemExit, match=r"not UTF-8 in this locale\nhint: set"):
        __main__.main()
