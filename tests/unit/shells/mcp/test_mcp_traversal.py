"""Paths that lead out of the workspace, in every spelling, by every way."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from mcp.shared.exceptions import MCPError
from mcp_client import McpClient
from sandbox import Sandbox

SECRET = "kept far from the tools"
SPELLINGS = ["../outside.md", "../outside", "docs/../../outside.md", "./../outside.md",
    ".cuedeck/../../outside.md", "docs/./../../outside.md", "..\\outside.md", "docs\\..\\..\\outside.md",
    "../OUTSIDE.MD", "..//outside.md", "/../outside.md", "....//outside.md", "..%2foutside.md", "%2e%2e/outside.md",
    "%2e%2e%2foutside.md", "..%5coutside.md", "..%c0%afoutside.md", "%252e%252e/outside.md", "..\0/outside.md",
    "docs/auth.md\0.md", "../outside.md#L1", "[[../outside]]", "@doc/../../outside", "@ref[../outside.md]",
    "card:../../../outside", "file:///etc/passwd", "~/outside.md", "/etc/passwd", "docs/linked.md",
    "linked/outside.md", "docs/\u202e/../../outside.md", "\uff0e\uff0e/outside.md"]  # fmt: skip


@pytest.fixture
def bait(shop: Sandbox) -> Sandbox:
    """A workspace next to a protected file, with links to it."""
    outside = shop.root.parent / "outside.md"
    outside.write_text(f"# Outside\n\n{SECRET}\n", encoding="utf-8")
    shop.place("docs/linked.md").symlink_to(outside)
    shop.place("linked").symlink_to(outside.parent, target_is_directory=True)
    shop.write(
        "docs/up.md",
        "# Up\n\n[out](../../outside.md) [[../outside]] @ref[../outside.md]\n",
    )
    return shop


def test_no_spelling_leads_out(bait: Sandbox, client: McpClient) -> None:
    absolute = str(bait.root.parent / "outside.md")
    for spelling in (
        *SPELLINGS,
        absolute,
        f"file://{absolute}",
        quote(absolute, safe=""),
    ):
        for tool, name in (
            ("read", "address"),
            ("read_doc", "path"),
            ("scene", "explain"),
            ("scene", "card"),
        ):
            result = client.call(tool, **{name: spelling})
            assert SECRET not in result.model_dump_json(), (tool, spelling)
            assert result.is_error, (tool, spelling)
        for uri in (
            f"cuedeck://doc/{spelling}",
            f"cuedeck://doc/{quote(spelling, safe='')}",
            f"cuedeck://card/{spelling}",
        ):
            with pytest.raises(MCPError) as caught:
                client.do(client.sdk.read_resource, uri)
            assert SECRET not in str(caught.value.error), uri
