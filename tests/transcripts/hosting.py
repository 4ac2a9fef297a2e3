"""A host of agents, played from what real ones say: `hosts/<name>.json` holds one
object for each moment of a day.

python hosting.py      command_server.py with the command `hook`
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import command_server

if TYPE_CHECKING:
    from sandbox import Sandbox

SHAPES = Path(__file__).with_name("hosts")
HOSTS = ("claude", "codex", "gemini", "cursor", "vscode", "qwen")
ALONE = {"CUEDECK_NO_BACKGROUND": "1"}


class HookCommandServer(command_server.CommandServer):
    """Runs hooks, one after the other."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=SHAPES.parent,
        )
        atexit.register(self.close)


@cache
def hooks() -> HookCommandServer:
    """Return what runs the hooks of this worker."""
    return HookCommandServer()


def shape(
    host: str, moment: str, root: Path, **words: Any
) -> tuple[str, dict[str, Any]]:
    """Return the event of a moment and what the host says of it; `words` take the place
    of what it holds.
    """
    event, said = json.loads(
        (SHAPES / f"{host}.json").read_text().replace("{root}", str(root))
    )[moment]
    return event, {**said, **words}


class Agent:
    """An agent that works in a workspace, as its host tells of it."""

    def __init__(self, sandbox: Sandbox, host: str) -> None:
        self.sandbox = sandbox
        self.host = host

    def moments(self) -> list[str]:
        return list(json.loads((SHAPES / f"{self.host}.json").read_text()))

    def tell(self, moment: str, **words: Any) -> Any:
        """Tell of a moment; return the answer."""
        event, said = shape(self.host, moment, self.sandbox.root, **words)
        ran = self.hook(event, json.dumps(said).encode(), "--host", self.host)
        if (self.host, event) == ("claude", "pre-compact"):  # plain text, or nothing
            assert ran.code == 0, ran
            return ran.out.decode()
        assert (ran.code, ran.out.count(b"\n")) == (0, 1), ran
        return json.loads(ran.out)

    def hears(self, moment: str, **words: Any) -> str:
        """Tell of a moment; return what the agent gets to know of the answer."""
        answer = self.tell(moment, **words)
        if self.host == "vscode" and "additionalContext" in answer:
            assert (
                answer["hookSpecificOutput"]["additionalContext"]
                == answer["additionalContext"]
            )
        return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def hook(
        self, event: str, data: bytes, *options: str
    ) -> command_server.CommandResult:
        """Run a hook to its end, somewhere else than in the workspace."""
        where = str(self.sandbox.root.parent)
        return hooks().run(
            ["hook", event, *options], where, {**self.sandbox.environ, **ALONE}, data
        )

    def begin(self, event: str, *options: str) -> subprocess.Popen[bytes]:
        """Start a hook as a process of its own; it waits for what it is told."""
        return self.sandbox.start(
            "hook",
            event,
            *options,
            cwd=self.sandbox.root.parent,
            stdin=subprocess.PIPE,
            environ=ALONE,
        )

    def said(self, text: str) -> dict[str, Any]:
        """Return how this host tells what the agent said last: in its words, or in the
        file of the conversation.
        """
        if self.host in ("claude", "codex", "qwen"):
            return {"last_assistant_message": text}
        if self.host == "gemini":
            return {"prompt_response": text}
        rows = {
            "cursor": [
                {
                    "role": "user",
                    "message": {"content": [{"type": "text", "text": "Go"}]},
                },
                {
                    "role": "assistant",
                    "message": {"content": [{"type": "text", "text": text}]},
                },
            ],
            "vscode": [
                {"type": "user.message", "data": {"content": "Go"}},
                {
                    "type": "assistant.message",
                    "data": {"content": text, "toolRequests": []},
                },
            ],
        }[self.host]
        place = self.sandbox.root.parent / f"{self.host}.jsonl"
        place.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        return {"transcript_path": str(place)}


if __name__ == "__main__":
    import cuedeck.cli.cli_main
    from cuedeck.__main__ import main

    cuedeck.cli.cli_main.main = main  # the way in that is installed
    command_server.serve()
