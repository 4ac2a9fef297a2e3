"""No result, resource or error of the server contains a secret."""

from __future__ import annotations

import json

import pytest
from mcp.shared.exceptions import MCPError
from mcp_client import McpClient
from sandbox import Sandbox

WORD = "walrus"


@pytest.fixture
def leaky(shop: Sandbox) -> Sandbox:
    """A workspace with a record that is labelled secret."""
    shop.ok("memory", "add", "--sensitivity", "secret", f"the {WORD} opens the vault")
    shop.ok("memory", "add", "deploys run at noon")
    shop.write(".cuedeck/config.toml", "[experiences]\nenabled = true\n")
    shop.ok("experience", "extract")
    return shop


def test_a_secret_record_is_given_by_no_tool(leaky: Sandbox, client: McpClient) -> None:
    identity = leaky.answer("memory", "list", "--allow-secret")["records"][0]["id"]
    assert client.recall(query=f"{WORD} vault")["total"] == 0
    assert client.fails("read", address=f"record:{identity}")["code"] == 1010
    for tool, arguments in (
        ("find", {"query": f"record:{identity}"}),
        ("forget", {"id": identity}),
        ("scene", {}),
    ):
        assert "vault" not in client.call(tool, **arguments).model_dump_json()


def test_an_error_is_masked_by_the_patterns_of_the_workspace(
    shop: Sandbox, client: McpClient
) -> None:
    """Hints and candidates of errors were masked by the built-in formats alone."""
    shop.write(".cuedeck/config.toml", "[secrets]\npatterns = ['emp: EMP-\\d{6}']\n")
    shop.write("docs/EMP-654321.md", "# Someone\n")
    message = json.dumps(client.fails("read", address="docs/EMP-65432.md"))
    assert "EMP-654321" not in message and message.count("docs/<secret:emp:1>.md") == 2
    with pytest.raises(MCPError) as caught:
        client.do(client.sdk.read_resource, "cuedeck://doc/docs/EMP-65432.md")
    assert "EMP-654321" not in json.dumps(caught.value.error.model_dump(mode="json"))


@pytest.mark.parametrize("place", [".cuedeck/memory", ".cuedeck/memory/tombstones.jsonl", ".cuedeck/SCENE.md",
                                   ".cuedeck/config.toml", ".cuedeck/cache/log.jsonl", ".cuedeck/cache/mcp-token",
                                   ".cuedeck/experiences.jsonl", ".git/config"])  # fmt: skip
def test_files_of_ours_are_not_read(
    leaky: Sandbox, client: McpClient, place: str
) -> None:
    leaky.write(".git/config", "[core]\n")
    assert client.fails("read", address=place)["code"] == 1001
    with pytest.raises(MCPError):
        client.do(client.sdk.read_resource, f"cuedeck://doc/{place}")
