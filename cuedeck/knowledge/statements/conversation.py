"""Exchanges of a conversation, from the rows of its transcript."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from cuedeck.model.statement import Spoken, ToolStep
from cuedeck.parse.transcript import Row

_DELEGATION = "subagent_type"
"""The member of the input of a tool that starts a subagent."""
_OF_HOST = re.compile(r"(?:^Async agent launched.*\n)?^agentId: \w+ \([\s\S]*", re.M)
"""What Claude Code adds to the report of a subagent, or writes in place of it."""


def read_exchanges(rows: Iterable[Row]) -> Iterator[Spoken]:
    """Yield the exchanges of a conversation: each prompt of the user with the replies
    and the tools of the agent to it, then the reports of subagents to the agent. Other
    rows of subagents and those of the host are left out.
    """
    exchange = _Exchange(1)
    for row in rows:
        if row.tool is not None:
            exchange.add_tool(row)
            continue
        if row.kind != "words" or row.speaker not in ("user", "agent"):
            continue
        if row.speaker == "user" and exchange.replies:
            yield exchange.spoken
            exchange = _Exchange(exchange.turn + 1, exchange.replies[-1])
        exchange.add_words(row)
    if exchange.prompt or exchange.replies:
        yield exchange.spoken


class _Exchange:
    """An exchange that is being read."""

    def __init__(self, turn: int, options: str = "") -> None:
        self.turn = turn
        self.prompt: list[str] = []
        self.replies: list[str] = []
        self._reports: list[str] = []
        self._options = options
        self._time = ""
        self._steps: dict[str, ToolStep] = {}
        """Calls by their ids; a call without one has its number."""
        self._is_ended = False

    @property
    def spoken(self) -> Spoken:
        """The exchange as it was read."""
        return Spoken(
            self.turn,
            "\n".join(self.prompt),
            (*self.replies, *self._reports),
            self._time,
            self._options,
            tuple(self._steps.values()),
            self._is_ended,
        )

    def add_words(self, row: Row) -> None:
        """Add a text of the user or the agent; a repeated one counts once."""
        texts = self.prompt if row.speaker == "user" else self.replies
        if not self.prompt and not self.replies:
            self._time = row.time
        if row.text not in texts[-1:]:
            texts.append(row.text)
        self._is_ended = row.speaker == "agent"

    def add_tool(self, row: Row) -> None:
        """Add a call, or the result of one."""
        tool = row.tool
        assert tool is not None
        self._is_ended = False
        if row.kind == "call":
            number = tool.id or str(len(self._steps))
            self._steps[number] = ToolStep(tool.name, tool.given)
            return
        number = tool.id or next(reversed(self._steps), "")
        if number not in self._steps:
            return
        step = self._steps[number]
        self._steps[number] = replace(step, result=row.text, is_failed=tool.is_failed)
        if _DELEGATION in step.given and not tool.is_failed:
            self._reports.append(_OF_HOST.sub("", row.text))
