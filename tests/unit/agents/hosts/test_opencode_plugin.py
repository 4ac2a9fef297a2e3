"""The plugin of opencode, run by Node.js with a program that prints its event."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from cuedeck.agents.hosts import transcript_format
from cuedeck.agents.hosts.opencode import PLUGIN
from cuedeck.parse.transcript import read_rows

NODE = shutil.which("node") or ""
PROGRAM = """#!/bin/sh
echo "$*" >> calls
cat >> calls
echo >> calls
echo "<$2>"
"""
DRIVER = """
import { CueDeck } from "./plugin.mjs"
const hooks = await CueDeck({ directory: process.cwd() })
const say = async (sessionID, text, more = {}) => {
  const parts = [{ id: "prt_1", type: "text", text, ...more }]
  await hooks["chat.message"]({ sessionID }, { message: { id: "msg_1" }, parts })
  return parts.map((part) => part.text)
}
const use = async (tool) => {
  const output = { output: "done", metadata: { exit: tool === "bash" ? 2 : undefined } }
  await hooks["tool.execute.after"]({ tool, sessionID: "a", callID: tool, args: { filePath: "x" } }, output)
  return output.output
}
const answer = (sessionID, text) => hooks["experimental.text.complete"]({ sessionID }, { text })
const send = (type, properties) => hooks.event({ event: { type, properties } })

await send("session.created", { info: { id: "a" } })
const seen = { first: await say("a", '"Say \\\\"hi\\\\"."'), synthetic: await say("a", "Go on.", { synthetic: true }) }
await answer("a", "I look.")
seen.read = await use("read")
seen.shell = await use("bash")
await send("session.created", { info: { id: "b", parentID: "a" } })
seen.child = await say("b", "Count.")
await answer("b", "Three.")
await send("session.idle", { sessionID: "b" })
const compaction = { context: [] }
await hooks["experimental.session.compacting"]({ sessionID: "a" }, compaction)
seen.compaction = compaction.context
await answer("a", "A summary.")
await answer("a", "Decided.")
await send("session.idle", { sessionID: "a" })
await hooks.dispose()
await hooks["chat.message"]({}, {})
console.log(JSON.stringify(seen))
"""
pytestmark = pytest.mark.skipif(
    not NODE or os.name == "nt", reason="needs Node.js and a POSIX shell"
)


def _run(folder: Path, path: str) -> dict[str, object]:
    (folder / "plugin.mjs").write_text(PLUGIN)
    (folder / "driver.mjs").write_text(DRIVER)
    ran = subprocess.run(
        [NODE, "driver.mjs"],
        cwd=folder,
        env={"PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr == ""
    found: dict[str, object] = json.loads(ran.stdout)
    return found


def test_each_event_is_sent_once_and_its_answer_is_given(tmp_path: Path) -> None:
    program = tmp_path / "cuedeck"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    assert _run(tmp_path, f"{tmp_path}:/usr/bin:/bin") == {
        "first": ['"Say \\"hi\\"."', "<prompt>"],
        "synthetic": ["Go on."],
        "read": "done\n\n<post-tool>",
        "shell": "done",
        "child": ["Count.", "<subagent-start>"],
        "compaction": ["<pre-compact>"],
    }
    lines = (tmp_path / "calls").read_text().splitlines()
    requests = [json.loads(line) for line in lines[1::2]]
    assert all(request.pop("cwd") == str(tmp_path) for request in requests)
    spoken = [
        [json.loads(row) for row in request.pop("conversation").splitlines()]
        for request in requests
        if "conversation" in request
    ]
    assert spoken[1] == [*spoken[0], {"role": "assistant", "content": "Decided."}]
    form = transcript_format()
    rows = list(read_rows([json.dumps(row).encode() for row in spoken[1]], form))
    assert [(row.speaker, row.kind, row.text) for row in rows] == [
        ("user", "words", 'Say "hi".'),
        ("agent", "words", "I look."),
        ("tool", "call", 'read {"filePath": "x"}'),
        ("tool", "result", "done"),
        ("tool", "call", 'bash {"filePath": "x"}'),
        ("tool", "result", "done"),
        ("agent", "words", "Decided."),
    ]
    failed = [row.tool.is_failed for row in rows if row.tool and row.kind == "result"]
    assert failed == [False, True]
    main = {"session_id": "a"}
    commands = [
        ("prompt", {**main, "prompt": 'Say "hi".', "turn_id": "msg_1"}),
        ("post-tool", {**main, "tool_name": "read", "tool_input": {"filePath": "x"}}),
        ("subagent-start", {**main, "agent_id": "b"}),
        ("pre-compact", main),
        ("stop", {**main, "last_assistant_message": "Decided."}),
    ]
    sent = list(zip(lines[::2], requests, strict=True))
    assert sent == [
        (f"hook {event} --host opencode", request) for event, request in commands
    ]


def test_without_the_program_nothing_happens(tmp_path: Path) -> None:
    assert _run(tmp_path, str(tmp_path)) == {
        "first": ['"Say \\"hi\\"."'],
        "synthetic": ["Go on."],
        "read": "done",
        "shell": "done",
        "child": ["Count."],
        "compaction": [],
    }
