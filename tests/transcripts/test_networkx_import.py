"""networkx is loaded only for a new scene, never by a hook without news."""

from __future__ import annotations

import json
import subprocess
import sys

from agent_host import ALONE, SimulatedAgent, recorded_request
from sandbox import Sandbox


def loads_networkx(sandbox: Sandbox, moment: str) -> bool:
    """Run the hook of an event in its own process; return whether it or a child loaded
    networkx.
    """
    event, message = recorded_request("claude", moment, sandbox.root)
    ran = subprocess.run(
        [sys.executable, "-m", "cuedeck", "hook", event, "--host", "claude"],
        cwd=sandbox.root,
        env={**sandbox.environ, **ALONE, "PYTHONPROFILEIMPORTTIME": "1"},
        input=json.dumps(message),
        capture_output=True,
        text=True,
        check=True,
    )
    assert " json\n" in ran.stderr  # the imports are listed
    return " networkx\n" in ran.stderr


def test_hook_without_news_does_not_load_networkx(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "refs: [docs/auth.md]")
    sandbox.activate("aaaaaa")
    sandbox.write("docs/auth.md", "# Auth\n")
    agent = SimulatedAgent(sandbox, "claude")
    agent.send("start")
    agent.send("prompt")
    assert not loads_networkx(sandbox, "prompt")
    sandbox.write("docs/auth.md", "# Auth\n\nnew\n")
    assert loads_networkx(sandbox, "prompt")
