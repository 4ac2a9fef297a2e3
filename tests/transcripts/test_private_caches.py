"""Generated files contain no secret of the workspace, and only their owner can read
them.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from sandbox import Sandbox
from shared_process import sandbox

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "parse"))
from secret_samples import FORMATS, samples

__all__ = ["sandbox"]

GENERATED = (".cuedeck/cache", ".cuedeck/sessions", ".cuedeck/SCENE.md")


@cache
def planted_secrets() -> list[tuple[str, str]]:
    """Return a line with a secret of each known format, and the text that must not
    occur anywhere.
    """
    found = []
    for row in range(len(FORMATS)):
        sample = samples(row, row + 1)[-1]
        lines = [
            line
            for line in sample.secret.split("\n")
            if len(line) > 40 and "KEY" not in line
        ]
        found += [(sample.text, line) for line in lines or [sample.secret]]
    return found


def files(sandbox: Sandbox) -> Iterator[Path]:
    for name in GENERATED:
        place = sandbox.place(name)
        yield from (
            [place]
            if place.is_file()
            else (each for each in place.rglob("*") if each.is_file())
        )


def index(sandbox: Sandbox) -> bytes:
    """Return the bytes of the index and of its log, in lower case."""
    places = (sandbox.private(f"index.sqlite{ending}") for ending in ("", "-wal"))
    return b"".join(place.read_bytes() for place in places if place.exists()).lower()


def hook(sandbox: Sandbox, event: str, **fields: object) -> None:
    request = json.dumps({"session_id": "host", "cwd": str(sandbox.root), **fields})
    sandbox.ok("hook", event, "--host", "claude", text=request)


def run_everything(sandbox: Sandbox, texts: list[str]) -> None:
    """Run the commands that fill the caches and sessions."""
    hook(sandbox, "session-start", source="startup")
    sandbox.ok("scene")
    for text in texts[::15]:
        sandbox.run("session", "note", "--", text)
        sandbox.run("remember", "--", text)
        hook(sandbox, "prompt", prompt=text)
    hook(
        sandbox,
        "post-tool",
        tool_name="Edit",
        tool_input={"file_path": str(sandbox.place("src/a.py"))},
    )
    hook(sandbox, "stop", last_assistant_message="\n\n".join(texts))
    sandbox.run("find", "password token")
    sandbox.run("recall", "password token key")
    sandbox.ok("scene", "--budget", "3000")
    hook(sandbox, "session-end", reason="other")


@pytest.fixture
def leaky(sandbox: Sandbox) -> Sandbox:
    texts = [text for text, _ in planted_secrets()]
    sandbox.write("docs/keys.md", "# Keys\n\n" + "\n\n".join(texts) + "\n")
    sandbox.write(
        "src/a.py", 'def first():\n    """\n' + "\n".join(texts) + '\n    """\n'
    )
    sandbox.write("notes/plain.txt", "\n".join(texts))
    sandbox.card(
        "aaaaaa",
        "status: active",
        "refs: [docs/keys.md, src/a.py]",
        body="\n\n".join(texts),
    )
    sandbox.write(
        "docs/heads.md",
        "".join(f"## About {text.splitlines()[0]}\n\nwords\n\n" for text in texts),
    )
    sandbox.ok("init")
    return sandbox


def test_no_generated_file_contains_a_secret(leaky: Sandbox) -> None:
    run_everything(leaky, [text for text, _ in planted_secrets()])
    found = {}
    for place in files(leaky):
        data = place.read_bytes().lower()
        shown = [
            secret for _, secret in planted_secrets() if secret.lower().encode() in data
        ]
        if shown:
            found[place.name] = shown
    assert found == {}, {name: [len(each), *each] for name, each in found.items()}
    assert any(place.name == "index.sqlite" for place in files(leaky))


def test_heading_that_contains_a_secret_still_resolves(leaky: Sandbox) -> None:
    secret = f"AKIA{'Q7YLPMN5HHHFPZAM'}"
    leaky.write("docs/one.md", f"# One\n\n## Rotate {secret} soon\n\ntext of it\n")
    leaky.ok("scene")
    assert "text of it" in leaky.ok("read", f"docs/one.md#Rotate {secret} soon").out
    assert secret.lower().encode() not in index(leaky)


def test_changed_masking_rules_rebuild_the_index(leaky: Sandbox) -> None:
    leaky.write("docs/own.md", "# Own\n\nthe customer ACMEWORD is here\n")
    leaky.ok("scene")
    assert b"acmeword" in index(leaky)
    leaky.write(
        ".cuedeck/config.toml", "[secrets]\npatterns = ['customer: ACME[A-Z]+']\n"
    )
    leaky.ok("scene")
    assert b"acmeword" not in index(leaky)
    leaky.ok("scene", "--verify")


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_generated_files_are_readable_only_by_their_owner(leaky: Sandbox) -> None:
    before = os.umask(0o022)
    try:
        run_everything(leaky, ["the last words"])
        leaky.run("decide", "x")
    finally:
        os.umask(before)
    modes = {
        str(place.relative_to(leaky.root)): stat.S_IMODE(place.stat().st_mode)
        for place in files(leaky)
    }
    assert {
        name: oct(mode)
        for name, mode in modes.items()
        if mode & 0o077 and not name.endswith(".lock")
    } == {}
