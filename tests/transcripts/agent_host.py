"""A simulated agent host: `hosts/<name>.json` contains one recorded request for each
event of a day.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from command_server import CommandResult, ForkedProcess
from sandbox import Sandbox, command_server

SHAPES = Path(__file__).with_name("hosts")
HOSTS = ("claude", "codex", "gemini", "cursor", "vscode", "qwen")
ALONE = {"CUEDECK_NO_BACKGROUND": "1"}


def recorded_request(
    host: str, moment: str, root: Path, **fields: Any
) -> tuple[str, dict[str, Any]]:
    """Return event name and request of a recorded event; `words` replace fields of the
    request.
    """
    event, message = json.loads(
        (SHAPES / f"{host}.json").read_text().replace("{root}", str(root))
    )[moment]
    return event, {**message, **fields}


def transcript_rows(said: Iterable[tuple[str, str]], **fields: Any) -> str:
    """Return the lines of a transcript: role and text of each message."""
    rows = []
    for role, text in said:
        message = {"role": role, "content": text}
        rows.append(json.dumps({"type": role, "message": message, **fields}) + "\n")
    return "".join(rows)


class SimulatedAgent:
    """An agent in a workspace whose host sends recorded requests."""

    def __init__(self, sandbox: Sandbox, host: str) -> None:
        self.sandbox = sandbox
        self.host = host

    def events(self) -> list[str]:
        return list(json.loads((SHAPES / f"{self.host}.json").read_text()))

    def send(self, moment: str, **fields: Any) -> Any:
        """Send the request of an event; return the answer."""
        event, message = recorded_request(
            self.host, moment, self.sandbox.root, **fields
        )
        command = ("hook", event, "--host", self.host)
        where, text = self.sandbox.root.parent, json.dumps(message)
        ran = self.sandbox.run(*command, cwd=where, environ=self.environ, text=text)
        if (self.host, event) == ("claude", "pre-compact"):  # plain text, or nothing
            assert ran.code == 0, ran
            return ran.out
        assert (ran.code, ran.out.count("\n")) == (0, 1), ran
        return json.loads(ran.out)

    def send_for_context(self, moment: str, **fields: Any) -> str:
        """Send the request of an event; return the context in the answer."""
        answer = self.send(moment, **fields)
        if self.host == "vscode" and "additionalContext" in answer:
            assert (
                answer["hookSpecificOutput"]["additionalContext"]
                == answer["additionalContext"]
            )
        if self.host == "cursor":
            return str(answer.get("additional_context", ""))
        return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def hook(self, event: str, data: bytes, *options: str) -> CommandResult:
        """Run a hook to its end in a process of its own, outside the workspace."""
        where = str(self.sandbox.root.parent)
        command = ["hook", event, *options]
        return command_server().run(command, where, self.environ, data)

    @property
    def environ(self) -> dict[str, str]:
        """The variables of a hook, with the folder of the transcripts."""
        environ = self.sandbox.environ
        folder = environ.get("HOST_FOLDER", self.sandbox.root.parent)
        return {**environ, **ALONE, "CLAUDE_CONFIG_DIR": str(folder)}

    def start_hook(self, event: str, *options: str) -> ForkedProcess:
        """Start a hook as a separate process that waits for its input."""
        return self.sandbox.start(
            "hook",
            event,
            *options,
            cwd=self.sandbox.root.parent,
            stdin=subprocess.PIPE,
            environ=self.environ,
        )

    def last_message_fields(self, text: str) -> dict[str, Any]:
        """Return the fields with which this host reports the last message of the agent:
        the text itself, or the path of the transcript.
        """
        if self.host in ("claude", "codex", "qwen"):
            return {"last_assistant_message": text}
        if self.host == "gemini":
            return {"prompt_response": text}
        if self.host == "cursor":
            said = {
                role: {"content": [{"type": "text", "text": words}]}
                for role, words in (("user", "Go"), ("assistant", text))
            }
            rows = [{"role": role, "message": said[role]} for role in said]
        else:
            data = {"content": text, "toolRequests": []}
            rows = [{"type": "user.message", "data": {"content": "Go"}}]
            rows += [{"type": "assistant.message", "data": data}]
        place = self.sandbox.root.parent / f"{self.host}.jsonl"
        place.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        return {"transcript_path": str(place)}
