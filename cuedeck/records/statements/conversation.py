"""Exchanges of a conversation, from the rows of its transcript."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cuedeck.model.statement import Spoken
from cuedeck.parse.transcript import Row


def read_exchanges(rows: Iterable[Row]) -> Iterator[Spoken]:
    """Yield the exchanges of a conversation: each prompt of the user with the replies
    of the agent to it. Rows of tools, subagents and the host are left out.
    """
    prompt: list[str] = []
    replies: list[str] = []
    options = time = ""
    turn = 0
    for row in rows:
        if row.kind != "words" or row.speaker not in ("user", "agent"):
            continue
        texts = prompt if row.speaker == "user" else replies
        if row.speaker == "user" and replies:
            yield _exchange(turn, prompt, replies, time, options)
            options = replies[-1]
            prompt, replies = [], []
            texts = prompt
        if not prompt and not replies:
            turn, time = turn + 1, row.time
        if row.text not in texts[-1:]:
            texts.append(row.text)
    if prompt or replies:
        yield _exchange(turn, prompt, replies, time, options)


def _exchange(
    turn: int, prompt: list[str], replies: list[str], time: str, options: str
) -> Spoken:
    return Spoken(turn, "\n".join(prompt), tuple(replies), time, options)
