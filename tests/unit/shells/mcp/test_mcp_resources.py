"""Resources and prompts: lists, texts, notices."""

from __future__ import annotations

import json

import pytest
from mcp.shared.exceptions import MCPError
from mcp_client import McpClient, connect_in_process
from sandbox import Sandbox

from cuedeck.agents.hooks.enqueue_event import enqueue
from cuedeck.model.hook_event import HookEvent


def text_of(client: McpClient, uri: str) -> str:
    (content,) = client.do(client.sdk.read_resource, uri).contents
    assert str(content.uri) == uri
    text: str = content.text
    return text


def test_resources_are_listed_page_by_page(client: McpClient, shop: Sandbox) -> None:
    for number in range(120):
        shop.write(f"docs/page-{number:03}.md", f"# Page {number}\n")
    seen: list[str] = []
    cursor = None
    for _ in range(3):
        page = client.do(client.sdk.list_resources, cursor=cursor)
        seen += [str(resource.uri) for resource in page.resources]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen[:3] == [
        "cuedeck://scene",
        "cuedeck://session/current",
        "cuedeck://card/2a9f1x",
    ]
    assert len(seen) == len(set(seen)) == 3 + 2 + 120
    with pytest.raises(MCPError, match="cursor"):
        client.do(client.sdk.list_resources, cursor="elsewhere")


def test_templates_describe_addresses_of_cards_and_files(client: McpClient) -> None:
    found = client.do(client.sdk.list_resource_templates).resource_templates
    assert [each.uri_template for each in found] == [
        "cuedeck://card/{id}",
        "cuedeck://doc/{+path}",
    ]


def test_resources_are_read(client: McpClient, shop: Sandbox) -> None:
    assert text_of(client, "cuedeck://scene") == client.ok("scene")
    assert "title: Fix login" in text_of(client, "cuedeck://card/2a9f1x")
    assert (
        text_of(client, "cuedeck://doc/docs/auth.md%23Logout")
        == "## Logout\n\nNothing.\n"
    )
    assert json.loads(text_of(client, "cuedeck://session/current")) == {"session": None}
    client.ok("session", action="start")
    assert json.loads(text_of(client, "cuedeck://session/current"))["status"] == "open"


def test_a_server_that_reads_leaves_events_waiting(shop: Sandbox) -> None:
    """Each read of the session processed the waiting events, which wrote MEMORY.md."""
    shop.ok("session", "start")
    enqueue(str(shop.root), HookEvent("stop", "claude", session="s", message="Done."))
    before = shop.bytes()
    with connect_in_process(shop.root, read_only=True) as client:
        assert client.ok("session")["status"] == "open"
        assert (
            json.loads(text_of(client, "cuedeck://session/current"))["status"] == "open"
        )
        client.do(client.sdk.get_prompt, "resume")
    assert shop.bytes() == before
    assert (
        any("/pending/" in path for path in before)
        and ".cuedeck/MEMORY.md" not in before
    )


def test_the_scene_without_an_active_card_lists_the_open_ones(
    client: McpClient,
) -> None:
    client.ok("cards", action="update", id="2a9f1x", status="todo")
    assert "Fix login" in text_of(client, "cuedeck://scene")
    assert client.fails("scene")["code"] == 1013


@pytest.mark.parametrize(("mode", "code"), [("legacy", -32002), ("2026-07-28", -32602)])
def test_a_missing_resource_is_an_error_with_similar_names(
    shop: Sandbox, mode: str, code: int
) -> None:
    with (
        connect_in_process(shop.root, mode=mode) as client,
        pytest.raises(MCPError) as caught,
    ):
        client.do(client.sdk.read_resource, "cuedeck://doc/docs/atuh.md")
    assert caught.value.code == code
    assert caught.value.data["candidates"] == ["docs/auth.md"]


def test_subscribers_are_notified_of_changes(client: McpClient, shop: Sandbox) -> None:
    uri = "cuedeck://doc/docs/security.md"
    client.ok("scene")
    client.subscribe(uri)
    shop.write("docs/other.md", "# Other\n")
    shop.write("docs/security.md", "# Security\n\nnew\n")
    assert client.updated() == uri
    client.unsubscribe(uri)
    client.subscribe("cuedeck://card/2a9f1x")
    shop.write("docs/security.md", "# Security\n\nnewer\n")
    client.ok("cards", action="update", id="2a9f1x", priority="high")
    assert client.updated() == "cuedeck://card/2a9f1x"


def test_a_new_scene_is_notified(shop: Sandbox) -> None:
    with connect_in_process(shop.root, read_only=True) as client:
        client.ok("scene")
        client.subscribe("cuedeck://scene")
        shop.write("docs/apart.md", "# Nothing of the kind\n")
        shop.write("docs/auth.md", "# Auth\n\n## LoginFlow\n\nOther words.\n")
        assert client.updated() == "cuedeck://scene"
    assert not shop.scene.exists()


def test_a_changed_session_is_notified(client: McpClient) -> None:
    client.subscribe("cuedeck://session/current")
    client.ok("session", action="start")
    assert client.updated() == "cuedeck://session/current"


def test_a_listener_without_a_session_is_notified(shop: Sandbox) -> None:
    uri = "cuedeck://doc/docs/security.md"
    with connect_in_process(shop.root, mode="2026-07-28") as client:
        client.ok("scene")

        async def listen() -> str:
            async with client.sdk.listen(resource_subscriptions=[uri]) as events:
                shop.write("docs/security.md", "# Security\n\nnew\n")
                async for event in events:
                    return str(event.uri)
            return ""

        assert client.do(listen) == uri


def test_an_unknown_resource_cannot_be_subscribed_to(client: McpClient) -> None:
    with pytest.raises(MCPError):
        client.subscribe("file:///etc/passwd")


def test_prompts_bring_the_state_along(client: McpClient) -> None:
    listed = client.do(client.sdk.list_prompts).prompts
    assert [prompt.name for prompt in listed] == [
        "resume",
        "plan-card",
        "record-decision",
    ]
    first, second = client.do(
        client.sdk.get_prompt, "plan-card", {"card": "2a9"}
    ).messages
    assert first.content.text.startswith("Plan the work")
    assert second.content.resource.text == client.ok("scene")
    client.ok("session", action="note", text="Looked at it")
    assert (
        "Looked at it"
        in client.do(client.sdk.get_prompt, "resume").messages[0].content.text
    )
    message = (
        client.do(client.sdk.get_prompt, "record-decision", {"decision": "Use argon2"})
        .messages[0]
        .content.text
    )
    assert message.endswith("The decision: Use argon2")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("resumee", {}), ("record-decision", {}), ("plan-card", {"card": "zzz"})],
)
def test_a_prompt_that_cannot_be_made_is_an_error(
    client: McpClient, name: str, arguments: dict[str, str]
) -> None:
    with pytest.raises(MCPError) as caught:
        client.do(client.sdk.get_prompt, name, arguments)
    assert caught.value.code == -32602
    assert caught.value.data["code"] in (1001, 1010)
