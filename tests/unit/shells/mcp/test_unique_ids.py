"""Ids of requests in progress over HTTP."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from cuedeck.shells.mcp.unique_ids import UniqueIds


class Waiting:
    """An application that reads the body and answers once it may."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.may_answer = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        body, more = b"", True
        while more:
            message = await receive()
            body += message["body"]
            more = message["more_body"]
        self.bodies.append(body)
        await self.may_answer.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"answer"})


def test_the_second_of_two_requests_with_one_id_is_refused_while_the_first_runs() -> (
    None
):
    """The connection of one of the two was never answered."""
    sent = [
        ("a", b'{"id": 7, "method": "ping"}', 200),
        ("a", b'{"id": 7, "method": "ping"}', 400),
        ("a", b'{"id": "7", "method": "ping"}', 400),
        ("a", b'{"id": 8, "method": "ping"}', 200),
        ("b", b'{"id": 7, "method": "ping"}', 200),
        ("", b'{"id": 7, "method": "initialize"}', 200),
        ("a", b'{"id": 7, "result": {}}', 200),
        ("a", b"no json", 200),
        ("a", b"x" * 200, 200),
    ]

    async def run() -> list[list[Message]]:
        app = Waiting()
        checked = UniqueIds(app, largest_body=100)
        tasks = []
        for session, body, _ in sent:
            tasks.append(asyncio.create_task(_post(checked, session, body)))
            while len(app.bodies) < sum(ok == 200 for *_, ok in sent[: len(tasks)]):
                await asyncio.sleep(0)
        app.may_answer.set()
        answers = [await task for task in tasks]
        assert app.bodies == [body for _, body, status in sent if status == 200]
        answers.append(await _post(checked, "a", sent[0][1]))
        return answers

    answers = asyncio.run(run())
    assert [answer[0]["status"] for answer in answers] == [
        *(status for *_, status in sent),
        200,
    ]
    error = json.loads(answers[1][1]["body"])
    assert (error["id"], error["error"]["code"]) == (7, -32600)


async def _post(app: UniqueIds, session: str, body: bytes) -> list[Message]:
    """Send a body in two parts; return the response."""
    parts = iter(
        [
            {"type": "http.request", "body": body[:5], "more_body": True},
            {"type": "http.request", "body": body[5:], "more_body": False},
        ]
    )
    answer: list[Message] = []

    async def receive() -> Message:
        return next(parts)

    async def send(message: Message) -> None:
        answer.append(message)

    scope: dict[str, Any] = {"type": "http", "method": "POST", "headers": []}
    if session:
        scope["headers"] = [(b"mcp-session-id", session.encode())]
    await app(scope, receive, send)
    return answer
