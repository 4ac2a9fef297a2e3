"""Regular expressions of a committed `config.toml` or `assumptions.toml` block no
command and no hook.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from sandbox import Sandbox

LIMIT = 60
"""Seconds after which a process counts as hanging."""
HOSTILE = "a" * 44 + "!"


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A workspace with settings whose expression has exponential backtracking."""
    sandbox.write(
        ".cuedeck/config.toml",
        "[secrets]\npatterns = ['pw: (a+)+$']\nallow = ['(a+)+b']\n",
    )
    sandbox.write("src/long.py", HOSTILE + "\n")
    sandbox.write(
        ".cuedeck/assumptions.toml",
        '[[assumption]]\nid = "one"\ntext = "No b"\naffects = ["src/long.py"]\n'
        "check = {not_contains = {path = 'src/long.py', regex = '^(a+)+$'}}\n",
    )
    sandbox.card("aaaaaa", "refs: [src/long.py]")
    sandbox.activate("aaaaaa")
    return sandbox


def run(sandbox: Sandbox, *words: str, text: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-m", "cuedeck", *words],
        cwd=sandbox.root, env=sandbox.environ, input=text, capture_output=True, text=True, timeout=LIMIT,
    )  # fmt: skip
    assert done.returncode in (0, 1), done
    return done.stdout


def test_commands_and_hooks_end_despite_an_expensive_expression(shop: Sandbox) -> None:
    for line in ("scene --print", "doctor", "assumption check", "read src/long.py"):
        assert run(shop, *line.split())
    report = {"session_id": "a", "cwd": str(shop.root), "source": "startup"}
    for event in ("session-start", "prompt", "stop"):
        text = json.dumps({**report, "prompt": HOSTILE})
        answer = run(shop, "hook", event, "--host", "claude", text=text)
        assert not answer or json.loads(answer) is not None


@pytest.mark.parametrize("key", ["patterns = ['pw: (?<=x)y']", r"allow = ['(a)\1']"])
def test_unsupported_construct_is_reported_with_its_line(
    sandbox: Sandbox, key: str
) -> None:
    sandbox.write(".cuedeck/config.toml", f"[secrets]\n{key}\n")
    named = "(?<" if "<=" in key else "\\1"
    error = sandbox.answer("config", "check", code=4)["error"]
    assert named in error["message"] and "line 2" in error["message"]
    (found,) = [
        each
        for each in sandbox.answer("doctor", code=1)["findings"]
        if each["path"] == ".cuedeck/config.toml"
    ]
    assert (found["line"], found["level"]) == (2, "error") and named in found["message"]


def test_repository_cannot_disable_masking(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", "[secrets]\nallow = ['.*']\n")
    sandbox.write(
        "docs/keys.md", f"# Keys\n\nghp_{'Qm4Kx8Tn2Wb6Lp9Zc3Vr'}{'Hd7Fs1Gy5Jt0Ru8E'}\n"
    )
    error = sandbox.answer("read", "docs/keys.md", code=4)["error"]
    assert "`.*` matches every value of" in error["message"]
    assert [
        each["line"]
        for each in sandbox.answer("doctor", code=1)["findings"]
        if "secrets.allow" in each["message"]
    ] == [2]
    sandbox.write(".cuedeck/config.toml", "")
    refused = sandbox.answer(
        "read", "docs/keys.md", environ={"CUEDECK_SECRETS__ALLOW": ".*"}, code=4
    )
    assert (
        "CUEDECK_SECRETS__ALLOW" in refused["error"]["hint"]
        or "secrets.allow" in (refused["error"]["message"])
    )


FORMATS = {
    "ghp_.*": "github-token",
    "AKIA[0-9A-Z]{16}": "aws-key",
    "[0-9a-f]{32}": "secret-value",
    "npm_.{36}": "npm-token",
}


@pytest.mark.parametrize("pattern", FORMATS)
def test_an_expression_that_allows_a_whole_format_is_refused(
    sandbox: Sandbox, pattern: str
) -> None:
    sandbox.write(
        ".cuedeck/config.toml", f"[secrets]\nallow = ['ghp_Qm4K.*', '{pattern}']\n"
    )
    (found,) = sandbox.answer("config", "check", code=4)["findings"]
    assert (found["level"], found["line"]) == ("error", 2)
    assert f"`{pattern}` matches every value of the format" in found["message"]
    assert FORMATS[pattern] in found["message"]
    assert "write the value itself" in found["hint"]
