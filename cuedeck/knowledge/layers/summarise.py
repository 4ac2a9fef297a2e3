"""Layers by a summariser command of the user: optional, checked, and never required.

The command is named in the environment only, because a repository must not choose a
command to run. It receives JSON on stdin and prints the layer as text. After any
failure the computed layer is used, and the receipt says so.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.layers.compute_layers import LayerContext
from cuedeck.knowledge.layers.layer_file import EXTRACTIVE, LIMITS, Level
from cuedeck.model.errors import StorageError
from cuedeck.model.formatting import abbreviate
from cuedeck.store.files.external_command import Limits, run_command

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_LARGEST_ANSWER = 200_000
"""Bytes."""
_LARGEST_INPUT = 400_000
"""Characters of the inputs that the command receives."""
_MOST_FAILURES = 3
"""Consecutive failures after which a build does not call the command again."""
_UNSAFE = re.compile(r"[^\w.-]+")
_CITED = re.compile(r"`([^`\n]+)`|(?<![\w!])\[([^\[\]\n]+)\](?!\()")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_HINT = "CUEDECK_LAYERS__SUMMARISER names the command and its arguments"
_SECONDS_HINT = "CUEDECK_LAYERS__SUMMARISER_SECONDS sets the time limit"


class Summary(NamedTuple):
    """The body of a layer and its producer."""

    text: str
    generated_by: str
    note: str = ""
    """Why the command was not used; empty if it was, or if there is none."""


class Summariser:
    """Calls the command of the settings during one build."""

    def __init__(self, workspace: Workspace, context: LayerContext) -> None:
        settings = workspace.settings.layers
        self._command = settings.summariser
        self._limits = Limits(
            settings.summariser_seconds, _LARGEST_ANSWER, _HINT, _SECONDS_HINT
        )
        self._folder = workspace.paths.root
        self._context = context
        self._failures = 0

    def summarise(
        self,
        address: str,
        level: Level,
        draft: str,
        inputs: Sequence[tuple[str, str]],
    ) -> Summary:
        """Return the layer that the command writes, or the computed `draft`.

        `inputs` are names and masked texts: one file, or the children of a folder.
        """
        if not self._command:
            return Summary(draft, EXTRACTIVE)
        if self._failures >= _MOST_FAILURES:
            note = f"{address} {level}: computed, the summariser failed before"
            return Summary(draft, EXTRACTIVE, note)
        left = _LARGEST_INPUT
        shown = []
        for name, text in inputs:
            shown.append({"name": name, "text": text[:left]})
            left = max(left - len(text), 0)
        request = {
            "schema": 1,
            "address": address,
            "layer": level,
            "limit_tokens": LIMITS[level],
            "encoding": self._context.count.encoding,
            "draft": draft,
            "inputs": shown,
        }
        data = json.dumps(request, ensure_ascii=False).encode("utf-8", "replace")
        try:
            answer = run_command(self._command, data, self._limits, self._folder)
            text = answer.decode().replace("\r\n", "\n").strip()
            texts = [f"{name}\n{each}" for name, each in inputs]
            fault = self._fault(text, level, "\n".join([draft, *texts]))
        except UnicodeDecodeError:
            fault = "the answer is not UTF-8"
        except StorageError as error:
            fault = error.message
        if fault:
            self._failures += 1
            reason = f"computed, because the summariser failed: {fault}"
            return Summary(draft, EXTRACTIVE, f"{address} {level}: {reason}")
        self._failures = 0
        name = posixpath.basename(self._command[0].replace("\\", "/"))
        return Summary(text, f"command:{_UNSAFE.sub('-', name)[:60]}")

    def _fault(self, text: str, level: Level, known: str) -> str:
        """Return why a summary cannot be used; empty if it can.

        Every name in backticks and every citation in brackets must occur in `known`,
        the text that was summarised.
        """
        if self._context.find_secrets(text):
            return "the answer contains a secret"
        if not text:
            return "the answer is empty"
        if _CONTROL.search(text):
            return "the answer contains control characters"
        tokens = self._context.count.count(text)
        if tokens > LIMITS[level]:
            return f"the answer has {tokens:,} tokens, more than {LIMITS[level]:,}"
        if all(line.startswith("#") for line in text.split("\n") if line):
            return "the answer consists of headings"
        for match in _CITED.finditer(text):
            name = match[1] or match[2]
            if name not in known:
                shown = abbreviate(name)
                return f"the answer names `{shown}`, which the text does not contain"
        return ""
