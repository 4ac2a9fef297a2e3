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
from cuedeck.knowledge.layers.layer_file import EXTRACTIVE
from cuedeck.knowledge.layers.layer_values import LIMITS, Level
from cuedeck.model.errors import StorageError
from cuedeck.model.formatting import abbreviate
from cuedeck.model.ports import Count
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
_LEAST_WORDS = 3
_HINT = "CUEDECK_LAYERS__SUMMARISER names the command and its arguments"
_SECONDS_HINT = "CUEDECK_LAYERS__SUMMARISER_SECONDS sets the time limit"

Inputs = Sequence[tuple[str, str]]
"""Name and masked text of each input: one file, or the children of a folder."""


class Summary(NamedTuple):
    """The body of a layer and its producer."""

    text: str
    generated_by: str
    note: str = ""
    """Why the command was not used; empty if it was, or if there is none."""


class Summariser:
    """Calls the command of the settings during one build."""

    def __init__(
        self,
        workspace: Workspace,
        context: LayerContext,
    ) -> None:
        settings = workspace.settings.layers
        self._command = settings.summariser
        self._limits = Limits(
            settings.summariser_seconds,
            _LARGEST_ANSWER,
            _HINT,
            _SECONDS_HINT,
        )
        self._folder = workspace.paths.root
        self._context = context
        self._failures = 0

    @property
    def is_enabled(self) -> bool:
        """Whether the settings name a command."""
        return bool(self._command)

    def summarise(
        self,
        address: str,
        level: Level,
        draft: str,
        inputs: Inputs,
    ) -> Summary:
        """Return the layer that the command writes, or the computed `draft`."""
        computed = Summary(draft, EXTRACTIVE)
        if not self._command:
            return computed
        if self._failures >= _MOST_FAILURES:
            return computed._replace(
                note=f"{address} {level}: computed, the summariser failed before"
            )
        try:
            text = self._ask(
                address,
                level,
                draft,
                inputs,
            )
        except StorageError as error:
            fault = error.message
        else:
            fault = self._fault(
                text,
                level,
                draft,
                inputs,
            )
        if fault:
            self._failures += 1
            note = (
                f"{address} {level}: computed, because the summariser failed: {fault}"
            )
            return computed._replace(note=note)
        self._failures = 0
        return Summary(text, self._name())

    def _ask(
        self,
        address: str,
        level: Level,
        draft: str,
        inputs: Inputs,
    ) -> str:
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
        answer = run_command(
            self._command,
            data,
            self._limits,
            self._folder,
        )
        try:
            return answer.decode().replace("\r\n", "\n").strip()
        except UnicodeDecodeError as error:
            raise StorageError("the answer is not UTF-8", hint=_HINT) from error

    def _fault(
        self,
        text: str,
        level: Level,
        draft: str,
        inputs: Inputs,
    ) -> str:
        if self._context.find_secrets(text):
            return "the answer contains a secret"
        texts = [f"{name}\n{each}" for name, each in inputs]
        known = "\n".join([draft, *texts])
        return summary_fault(
            text,
            known,
            self._context.count,
            LIMITS[level],
        )

    def _name(self) -> str:
        """Return the name of the command for the header of a layer."""
        name = posixpath.basename(self._command[0].replace("\\", "/"))
        return f"command:{_UNSAFE.sub('-', name)[:60]}"


def summary_fault(text: str, known: str, count: Count, limit: int) -> str:
    """Return why a summary cannot be used; empty if it can.

    Every name in backticks and every citation in brackets must occur in `known`, the
    text that was summarised.
    """
    if not text.strip():
        return "the answer is empty"
    if _CONTROL.search(text):
        return "the answer contains control characters"
    tokens = count.count(text)
    if tokens > limit:
        return f"the answer has {tokens:,} tokens, more than {limit:,}"
    if not _has_sentence(text):
        return "the answer consists of headings"
    for match in _CITED.finditer(text):
        name = match[1] or match[2]
        if name not in known:
            return f"the answer names `{abbreviate(name)}`, which the text does not contain"
    return ""


def _has_sentence(text: str) -> bool:
    return any(
        len(line.split()) >= _LEAST_WORDS and not line.lstrip().startswith("#")
        for line in text.splitlines()
    )
