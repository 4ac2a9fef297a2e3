"""The graph library is loaded for a new scene alone: no hook without news pays for
it.
"""

from __future__ import annotations

import json
import subprocess
import sys

from hosting import ALONE, Agent, shape
from sandbox import Sandbox


def loads_networkx(sandbox: Sandbox, moment: str) -> bool:
    """Run the hook of a moment as a process of its own; return whether it or a child of
    it loaded networkx.
    """
    event, said = shape("claude", moment, sandbox.root)
    ran = subprocess.run(
        [sys.executable, "-m", "cuedeck", "hook", event, "--host", "claude"],
        cwd=sandbox.root,
        env={**sandbox.environ, **ALONE, "PYTHONPROFILEIMPORTTIME": "1"},
        input=json.dumps(said),
        capture_output=True,
        text=True,
        check=True,
    )
    assert " json\n" in ran.stderr  # the imports are listed
    return " networkx\n" in ran.stderr


def test_a_hook_without_news_does_not_load_networkx(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "refs: [docs/auth.md]")
    sandbox.activate("aaaaaa")
    sandbox.write("docs/auth.md", "# Auth\n")
    agent = Agent(sandbox, "claude")
    agent.tell("start")
    agent.tell("prompt")
    assert not loads_networkx(sandbox, "prompt")
    sandbox.write("docs/auth.md", "# Auth\n\nnew\n")
    assert loads_networkx(sandbox, "prompt")
