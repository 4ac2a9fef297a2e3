"""Secrets in any text of a workspace are neither in a generated file nor in an
answer: commit messages, titles, names of definitions and files, headings, tags,
prompts, names of sessions and tools. This holds for tokens of a known format, and for
values without a format that are recognised in another file.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pytest
from mcp_client import connect_over_stdio
from sandbox import Sandbox
from shared_process import sandbox

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "parse"))
from secret_samples import ALNUM, pick

__all__ = ["sandbox"]

PLACES = (
    "subject", "body", "title", "heading", "definition", "comment", "alias", "tag", "prompt", "message", "session",
    "decision", "record", "note", "progress", "file", "query",
)  # fmt: skip
TOKENS = {
    place: "ghp_" + pick(random.Random(number), ALNUM, 36)
    for number, place in enumerate(PLACES)
}
COPIES = {
    place: pick(random.Random(100 + number), ALNUM, 20) + "7q"
    for number, place in enumerate(PLACES)
}
Planted = dict[str, str]
IN_NAMES = ("file",)
"""Places whose real text is the address of a file: the index needs it."""
OWN = ("aaaaaa.md",)
"""Files below `.cuedeck/` that the user wrote."""


@pytest.fixture(params=[TOKENS, COPIES], ids=["tokens", "copies"])
def secrets(request: pytest.FixtureRequest) -> Planted:
    found: Planted = request.param
    return found


@pytest.fixture
def planted(sandbox: Sandbox, secrets: Planted) -> Sandbox:
    sandbox.git("init", "-q")
    sandbox.ok("init")
    sandbox.write(
        "src/a.py",
        f"def rotate_{secrets['definition']}(key):\n    # {secrets['comment']}\n    return key\n",
    )
    sandbox.write(
        "docs/keys.md",
        f"---\naliases: [{secrets['alias']}]\n---\n# Keys\n\n## Rotate {secrets['heading']}\n\nrotate the keys\n",
    )
    sandbox.write(f"docs/{secrets['file']}.md", "# Rotate\n\nrotate the other keys\n")
    sandbox.card(
        "aaaaaa",
        f"title: Rotate {secrets['title']}",
        "status: active",
        f"tags: [{secrets['tag']}]",
        f"refs: [docs/keys.md, src/a.py, docs/{secrets['file']}.md]",
        body="rotate the keys",
    )
    sandbox.git("add", "-A")
    sandbox.git(
        "commit", "-qm", f"Rotate keys {secrets['subject']}\n\nBody {secrets['body']}"
    )
    if secrets is COPIES:
        lines = [f"SECRET_{place.upper()}_KEY={secrets[place]}" for place in PLACES]
        sandbox.write("deploy.env", "\n".join(lines))
    sandbox.activate("aaaaaa")
    return sandbox


def hook(sandbox: Sandbox, event: str, **fields: object) -> str:
    report = {"session_id": "host", "cwd": str(sandbox.root), **fields}
    ran = sandbox.run("hook", event, "--host", "claude", text=json.dumps(report))
    return ran.out + ran.err


def answers(sandbox: Sandbox, secrets: Planted) -> dict[str, str]:
    """Return what each command and hook prints, by its line."""
    found = {"hook start": hook(sandbox, "session-start", source="startup")}
    found["hook prompt"] = hook(
        sandbox, "prompt", prompt=f"rotate the other keys {secrets['prompt']}"
    )
    path = str(sandbox.place(f"docs/{secrets['file']}.md"))
    found["hook tool"] = hook(
        sandbox, "post-tool", tool_name="Edit", tool_input={"file_path": path}
    )
    lines: list[tuple[str, ...]] = [
        ("session", "start"),
        ("session", "note", secrets["note"], "--next", secrets["note"]),
        ("progress", "doing", f"rotate {secrets['progress']}"),
        ("decide", f"rotate with {secrets['decision']}", "--because", "rotate"),
        ("remember", f"we rotate {secrets['record']} weekly"),
        ("memory", "add", "in it", "--session", secrets["session"]),
        ("scene", "--print"),
        ("scene", "rotate the keys"),
        ("find", "rotate"),
        ("find", secrets["query"]),
        ("recall", "rotate the other keys"),
        ("recall", "rotate the other keys", "--digest"),
        ("why", "docs/keys.md"),
        ("card", "list"),
        ("card", "show", "aaaaaa"),
        ("graph",),
        ("doctor",),
        ("resume",),
        ("session", "list"),
        ("read", "docs/keys.md"),
        ("read", "src/a.py"),
        ("suggest",),
        ("decision", "list"),
    ]
    for line in lines:
        for options in ((), ("--json",)):
            if options and line[0] in ("decide", "remember", "memory", "progress"):
                continue
            ran = sandbox.run(*line, *options)
            found[" ".join((*line, *options))] = ran.out + ran.err
    found["hook stop"] = hook(
        sandbox, "stop", last_assistant_message=f"I rotated {secrets['message']}"
    )
    found["hook compact"] = hook(sandbox, "pre-compact", trigger="auto")
    found["hook end"] = hook(sandbox, "session-end", reason="other")
    return found


def test_no_answer_and_no_generated_file_contains_a_planted_secret(
    planted: Sandbox, secrets: Planted
) -> None:
    printed = answers(planted, secrets)
    assert "Rotate keys" in printed["scene --print"] + printed["scene rotate the keys"]
    leaks = [
        (line, place)
        for line, text in printed.items()
        for place, token in secrets.items()
        if token in text
    ]
    assert leaks == []
    stored = []
    for file in sorted(planted.place(".cuedeck").rglob("*")):
        if not file.is_file() or file.name in OWN:
            continue
        data = file.read_bytes().lower()
        stored += [
            (file.name, place)
            for place, token in secrets.items()
            if place not in IN_NAMES and token.lower().encode() in data
        ]
    assert stored == []


def test_no_answer_and_no_error_over_mcp_contains_a_planted_secret(
    planted: Sandbox, secrets: Planted
) -> None:
    secret = secrets["query"]
    calls: list[tuple[str, dict[str, str]]] = [
        ("scene", {}),
        ("find", {"query": "rotate"}),
        ("find", {"query": secret}),
        ("recall", {"query": f"rotate the keys {secret}"}),
        ("read", {"address": "docs/keys.md"}),
        ("read", {"address": f"docs/{secret}.md"}),
        # An error must not cut the value before it is masked.
        ("cortex", {"action": "ls", "layer": f"{' ' * 9}{secret}"}),
    ]
    if secrets is TOKENS:
        # These names are refused before a workspace is chosen.
        calls += [
            ("read", {secret: "docs/keys.md"}),
            (f"tool_{secret}", {}),
            (secret, {}),
        ]
    printed = []
    with connect_over_stdio(planted) as client:
        for tool, arguments in calls:
            try:
                printed.append(client.call(tool, **arguments).model_dump_json())
            except Exception as error:  # noqa: BLE001 - errors of the protocol are answers as well
                printed.append(repr(error))
    leaks = [
        (calls[at][0][:8], place)
        for at, text in enumerate(printed)
        for place, token in secrets.items()
        if token[:16] in text
    ]
    assert leaks == [] and "Rotate" in printed[0]
