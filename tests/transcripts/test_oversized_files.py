"""An oversized file in `.cuedeck/`, a few bytes in an archive, stops no scene, brief or
`doctor`.
"""

from __future__ import annotations

import json

import pytest
from sandbox import Sandbox

_LEDGERS = ("decisions.jsonl", "attempts.jsonl", "assumptions.jsonl")
_BLOCKS = (
    "assumptions.toml",
    "experiences.jsonl",
    "MEMORY.md",
    "LONGMEMORY.md",
    "USER.md",
)
_SESSIONS = ("sessions/open", "sessions/x.json")


@pytest.fixture
def workspace(sandbox: Sandbox) -> Sandbox:
    sandbox.write("src/a.py", "x = 1\n")
    sandbox.write(
        ".cuedeck/assumptions.toml",
        '[[assumption]]\nid = "a"\ntext = "b"\ncheck = { file_exists = "none" }\n',
    )
    sandbox.card("aaaaaa", "refs: [src/a.py]")
    sandbox.activate("aaaaaa")
    return sandbox


def make_oversized(sandbox: Sandbox, name: str, size: int = 200_000_000) -> None:
    """Make a file of `.cuedeck/` sparse and larger than its limit."""
    place = sandbox.write(f".cuedeck/{name}")
    with place.open("r+b") as file:
        file.truncate(size)


def session_brief(sandbox: Sandbox) -> str:
    request = {"session_id": "s", "cwd": str(sandbox.root), "source": "startup"}
    ran = sandbox.ok(
        "hook", "session-start", "--host", "claude", text=json.dumps(request)
    )
    return str(
        json.loads(ran.out).get("hookSpecificOutput", {}).get("additionalContext", "")
    )


@pytest.mark.parametrize("names", [_LEDGERS, _BLOCKS, _SESSIONS])
def test_scene_and_brief_work_with_oversized_files(
    workspace: Sandbox, names: tuple[str, ...]
) -> None:
    for name in names:
        make_oversized(workspace, name)
    assert "src/a.py" in workspace.ok("scene", "--print").out
    assert "src/a.py" in session_brief(workspace)
    workspace.ok("resume")


def test_scene_names_the_unreadable_ledgers(workspace: Sandbox) -> None:
    for name in _LEDGERS:
        make_oversized(workspace, name)
    missing = [f".cuedeck/{name} (it cannot be read)" for name in _LEDGERS]
    assert sorted(workspace.answer("scene")["missing"]) == sorted(missing)
    assert "Made without .cuedeck/" in workspace.scene.read_text("utf-8")
    assert "200,000,000 bytes" in workspace.run("decide", "a", "--because", "b").err
    assert workspace.place(".cuedeck/decisions.jsonl").stat().st_size == 200_000_000


@pytest.mark.parametrize(
    "names", [_LEDGERS, *((each,) for each in (*_BLOCKS, "active", "config.toml"))]
)
def test_doctor_reports_oversized_files_and_continues(
    workspace: Sandbox, names: tuple[str, ...]
) -> None:
    for name in names:
        make_oversized(workspace, name)
    workspace.write("docs/a.md", "[[nowhere]]\n")
    findings = workspace.answer("doctor", "--all", code=1)["findings"]
    large = [row["message"] for row in findings if "200,000,000" in row["message"]]
    for name in names:
        assert any(name in message for message in large), name
    assert any(each["path"] == "docs/a.md" for each in findings)


def test_pointer_settings_and_assumptions_have_their_own_limits(
    workspace: Sandbox,
) -> None:
    """A scene used to search 12 seconds for the card with a name of 95 MB."""
    for name, most in (
        ("assumptions.toml", "8,000,000"),
        ("active", "10,000"),
        ("config.toml", "8,000,000"),
    ):
        make_oversized(workspace, name, 95_000_000)
        ran = workspace.run("scene", "--print")
        assert f"its 95,000,000 bytes are more than {most}" in ran.out + ran.err, name


def test_card_can_be_activated_despite_an_oversized_pointer(workspace: Sandbox) -> None:
    make_oversized(workspace, "active")
    assert "aaaaaa" in session_brief(workspace)
    workspace.ok("card", "activate", "aaaaaa")
    workspace.ok("scene")
