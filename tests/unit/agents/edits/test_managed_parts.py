"""Own entries in the formats of hosts."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from cuedeck.agents.edits.hooks_json import HooksPart
from cuedeck.agents.edits.json_document import line_of, look_up, read_value
from cuedeck.agents.edits.managed_block import BlockPart, blocks_of
from cuedeck.agents.edits.managed_part import PluginPart, is_local_plugin
from cuedeck.agents.edits.mcp_server import AllowPart, ServerPart, TomlServerPart
from cuedeck.agents.edits.own_commands import (
    folder_of,
    guarded,
    is_own_hook,
    server_words,
)
from cuedeck.agents.hosts import all_hosts
from cuedeck.agents.hosts.claude import HOST as CLAUDE
from cuedeck.agents.hosts.codex import HOST as CODEX
from cuedeck.agents.hosts.cursor import HOST as CURSOR
from cuedeck.agents.hosts.gemini import HOST as GEMINI
from cuedeck.agents.hosts.opencode import HOST as OPENCODE
from cuedeck.agents.hosts.setup_types import READ_ONLY_TOOLS, Form
from cuedeck.agents.hosts.vscode import HOST as VSCODE
from cuedeck.model.errors import Invalid
from cuedeck.parse.text_edit import swap, swaps_between
from cuedeck.parse.toml_reader import read_toml, statements
from cuedeck.shells.mcp.tools import TOOLS

HOOKS = HooksPart(CLAUDE.hooks, "claude")
SERVER = ServerPart(CLAUDE.setup.server)
TOML = TomlServerPart(CODEX.setup.server)
BLOCK = BlockPart()


@pytest.mark.parametrize(
    "command",
    [
        "cuedeck hook stop",
        "/opt/x y/bin/cuedeck hook stop".replace("x y", "xy"),
        '"/opt/x y/bin/cuedeck" hook prompt --host claude',
        "'/opt/x y/cuedeck' hook prompt",
        r"C:\tools\cuedeck.exe hook stop --host codex",
        r'"C:\Program Files\cuedeck.exe" hook stop',
        "~/.local/bin/cuedeck hook",
        "uvx cuedeck hook stop",
        "uv tool run --offline cuedeck hook stop",
        "/usr/bin/python3 -m cuedeck hook stop",
        "cuedeck -C /work hook stop",
    ],
)
def test_own_commands_are_recognised_however_the_program_was_installed(
    command: str,
) -> None:
    assert is_own_hook(command)


@pytest.mark.parametrize(
    "command",
    [
        "mycuedeck hook stop",
        "cuedeck-x hook stop",
        "echo cuedeck hook",
        "cuedeck scene",
        "cuedeck hooks",
        "",
        None,
        3,
    ],
)
def test_commands_of_others_are_not_own(command: object) -> None:
    assert not is_own_hook(command)


def test_the_folder_of_a_server_is_returned() -> None:
    assert folder_of({"args": ["mcp", "-C", "/a"], "cwd": "/b"}) == "/a"
    assert folder_of({"args": ["mcp"], "cwd": "/b"}) == "/b"
    assert (
        folder_of({"args": "x", "cwd": 3})
        == folder_of(None)
        == folder_of({"args": ["-C"]})
        == ""
    )


def test_hooks_of_each_host_have_its_shape() -> None:
    shapes = {
        host.name: json.loads(HooksPart(host.hooks, host.name, "local").put(""))
        for host in all_hosts()
        if host.hooks
    }
    assert shapes["claude"]["hooks"]["PreCompact"] == [
        {
            "matcher": "manual|auto",
            "hooks": [
                {
                    "type": "command",
                    "command": "cuedeck hook pre-compact --host claude",
                    "timeout": 30,
                }
            ],
        }
    ]
    assert list(shapes["codex"]["hooks"]) == [
        "SessionStart",
        "SubagentStart",
        "UserPromptSubmit",
        "PreCompact",
        "PostToolUse",
        "Stop",
        "SessionEnd",
    ]
    assert shapes["codex"]["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] == 3
    assert shapes["gemini"]["hooks"]["BeforeAgent"] == [
        {
            "hooks": [
                {
                    "name": "cuedeck-prompt",
                    "type": "command",
                    "command": "cuedeck hook prompt --host gemini",
                    "timeout": 5000,
                }
            ]
        }
    ]
    assert list(shapes["cursor"]) == ["version", "hooks"]
    assert shapes["cursor"]["hooks"]["stop"] == [
        {"command": "cuedeck hook stop --host cursor", "timeout": 10}
    ]
    assert shapes["vscode"]["hooks"]["Stop"] == [
        {"type": "command", "command": "cuedeck hook stop --host vscode", "timeout": 10}
    ]


@pytest.mark.parametrize(
    ("form", "form_name", "command"),
    [
        (
            "project",
            "",
            "command -v cuedeck >/dev/null 2>&1 && cuedeck hook stop --host claude || true",
        ),
        ("local", "local", "cuedeck hook stop --host claude --from local"),
        ("user", "user", "cuedeck hook stop --host claude --from user"),
    ],
)
def test_hooks_of_each_form_are_recognised_and_renewed_to_another(
    form: Form, form_name: str, command: str
) -> None:
    part = HooksPart(CLAUDE.hooks, "claude", form, form_name)
    text = part.put("")
    hooks = json.loads(text)["hooks"]
    assert hooks["Stop"][0]["hooks"][0]["command"] == command
    assert part.is_right(text) and part.holds(text)
    assert set(part.programs(text)) == {"cuedeck"}
    plain = HooksPart(CLAUDE.hooks, "claude", "local")
    assert not plain.is_right(text) and part.put(plain.put("")) == text
    assert json.loads(part.strip(text)) == {}


FOREIGN = """{
\t"permissions": {"allow": ["Bash(ls)"]}, // mine
\t"hooks": {
\t\t"Stop": [
\t\t\t{"hooks": [{"type": "command", "command": "bell"}]}, // ring
\t\t],
\t},
}
"""


@pytest.mark.parametrize("form", get_args(Form))
def test_a_plugin_is_a_file_of_its_own(form: Form) -> None:
    part = PluginPart(OPENCODE.setup.plugin, "opencode", form)
    put = part.put("")
    assert part.strip(put) == ""
    assert part.holds(put) and part.is_right(put.replace("\n", "\r\n"))
    events = [event.hook for event in OPENCODE.hooks.events]
    suffix = " --from user" if form == "user" else ""
    for event in events:
        command = f'"cuedeck hook {event} --host opencode{suffix}"'
        assert put.count(command) == 1
    assert is_local_plugin(put) is (form == "local")
    edited = put + "// mine\n"
    assert part.holds(edited) and not part.is_right(edited)
    assert part.put(edited) == put
    other = "export const Mine = async () => ({})\n"
    assert not part.holds(other) and part.strip(other) == other
    with pytest.raises(Invalid, match="not the plugin of CueDeck"):
        part.put(other)


def test_hooks_taken_out_leave_those_of_others() -> None:
    put = HOOKS.put(FOREIGN)
    assert HOOKS.strip(put) == FOREIGN
    assert HOOKS.strip(put) == FOREIGN
    assert HOOKS.strip(FOREIGN) == FOREIGN


def test_a_comment_in_an_own_container_keeps_it() -> None:
    text = HOOKS.put("").replace('"Stop": [', '"Stop": [ // mine')
    assert (
        HOOKS.strip(text) == '{\n  "hooks": {\n    "Stop": [ // mine\n    ]\n  }\n}\n'
    )


def test_an_own_command_in_a_group_of_another_goes_alone() -> None:
    text = '{"hooks": {"Stop": [{"hooks": [{"command": "a"}, {"command": "cuedeck hook stop"}, {"command": "b"}]}]}}'
    assert HOOKS.holds(text)
    assert not HOOKS.is_right(text)
    assert (
        HOOKS.strip(text)
        == '{"hooks": {"Stop": [{"hooks": [{"command": "a"}, {"command": "b"}]}]}}'
    )


def test_hooks_of_an_older_version_are_replaced_and_never_doubled() -> None:
    old = """{
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "/old/bin/cuedeck hook stop"}]},
      {"hooks": [{"command": "bell"}]}
    ],
    "PreToolUse": [
      {"hooks": [{"type": "command", "command": "cuedeck hook pre-tool"}]}
    ]
  }
}
"""
    new = HOOKS.put(old)
    hooks = json.loads(new)["hooks"]
    assert HOOKS.is_right(new)
    assert HOOKS.put(new) == new
    assert "PreToolUse" not in hooks
    assert [group["hooks"][0]["command"] for group in hooks["Stop"]] == [
        "bell",
        guarded("cuedeck hook stop --host claude"),
    ]


def test_a_server_of_an_earlier_version_is_renewed_and_one_of_a_person_stays() -> None:
    old = '{"mcpServers": {"cuedeck": {"command": "cuedeck", "args": ["mcp", "-C", "/b"]}}}'
    new = SERVER.put(old)
    assert json.loads(new) == json.loads(SERVER.put(""))
    assert SERVER.is_right(new)
    for other in (
        '"odd"',
        '{"command": "/opt/other", "args": ["z"]}',
        '{"command": "/x/cuedeck", "args": ["mcp", "-C", "/b"], "env": {"A": "1"}}',
        '{"url": "http://x"}',
    ):
        text = f'{{"mcpServers": {{"cuedeck": {other}}}}}'
        assert SERVER.put(text) == SERVER.strip(text) == text


def test_servers_of_each_host_are_in_its_table() -> None:
    assert json.loads(ServerPart(VSCODE.setup.server).put("")) == {
        "servers": {
            "cuedeck": {
                "type": "stdio",
                "command": "cuedeck",
                "args": ["mcp", "-C", "${workspaceFolder}"],
            }
        }
    }
    assert json.loads(ServerPart(CURSOR.setup.server).put(""))["mcpServers"]["cuedeck"][
        "args"
    ][1:] == ["-C", "${workspaceFolder}"]
    assert json.loads(ServerPart(GEMINI.setup.server).put("")) == {
        "mcpServers": {"cuedeck": {"command": "cuedeck", "args": ["mcp"]}}
    }
    assert json.loads(ServerPart(OPENCODE.setup.server).put("")) == {
        "mcp": {"cuedeck": {"type": "local", "command": ["cuedeck", "mcp"]}}
    }


@pytest.mark.parametrize(
    "command", ['["cuedeck", "mcp"]', '["/opt/cuedeck", "mcp", "--read-only"]']
)
def test_a_server_that_is_one_list_of_words_is_recognised(command: str) -> None:
    text = f'{{"mcp": {{"cuedeck": {{"type": "local", "command": {command}, "enabled": true}}}}}}'
    part = ServerPart(OPENCODE.setup.server)
    assert part.is_right(text) and part.holds(text)
    assert part.programs(text) == (json.loads(command)[0],)


ALLOW = '{"permissions": {"allow": ["Bash(ls)", "mcp__cuedeck__scene"], "deny": []}} // mine'


def test_rules_that_allow_tools_are_put_in_once_and_taken_out() -> None:
    assert CLAUDE.setup.allow
    part = AllowPart(CLAUDE.setup.allow)
    for before in ("", "{}", ALLOW, '{\n  // c\n  "permissions": {"allow": []},\n}'):
        put = part.put(before)
        assert part.is_right(put) and part.put(put) == put
    assert not part.is_right(ALLOW)
    assert "Bash(ls)" in part.strip(ALLOW) and "scene" not in part.strip(ALLOW)


def test_the_tools_that_change_nothing_are_those_of_the_server() -> None:
    assert [tool.name for tool in TOOLS if not tool.writes] == list(READ_ONLY_TOOLS)


def test_a_table_is_looked_for_where_it_can_be() -> None:
    text = """a = '''
[mcp_servers.cuedeck]
''' # [mcp_servers.cuedeck]
[ mcp_servers . "cuedeck" ] # here
command = "/old/cuedeck"
args = [ "]", # ]
  "mcp",
] # mine
enabled = true
# between
[mcp_servers.cuedeck.env]
A = "#"

[[other]]
x = {a = "}", b = [1]}
"""
    own = [
        each.keys
        for each in statements(text)
        if each.keys[:2] == ("mcp_servers", "cuedeck")
    ]
    assert [keys[2:] for keys in own] == [
        (),
        ("command",),
        ("args",),
        ("enabled",),
        ("env",),
        ("env", "A"),
    ]
    assert TOML.put(text) == text
    left = TOML.without(text)
    assert read_toml(left) == {
        "a": "[mcp_servers.cuedeck]\n",
        "other": [{"x": {"a": "}", "b": [1]}}],
    }
    assert "# between\n" in left


def test_an_inline_server_stays_and_an_inline_table_is_refused() -> None:
    inline = '[mcp_servers]\ncuedeck = { command = "cuedeck", enabled = true }\n'
    assert TOML.put(inline) == inline
    with pytest.raises(Invalid, match="no further table can be added"):
        TOML.put("mcp_servers = { b = { command = 'y' } }\n")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\nb = \n", 2),
        ("a = 1\na = 2\n", 2),
        ("[x\n", 1),
        ('a = "', 1),
        ("a = 1\nb = [\n\n", 2),
    ],
)
def test_invalid_toml_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(Invalid, match=rf"line {line}: not valid TOML: "):
        TOML.holds(text)


def test_a_block_is_renewed_in_place_and_occurs_once() -> None:
    old = "# A\r\n\r\n<!-- BEGIN CUEDECK v:0 hash:1 -->\r\nold\r\n<!-- END CUEDECK -->\r\n\r\nmore\r\n"
    double = old + "\r\n<!-- BEGIN CUEDECK -->\r\n<!-- END CUEDECK -->\r\n"
    assert len(blocks_of(double)) == 2
    new = BLOCK.put(double)
    assert BLOCK.is_right(new)
    assert new.startswith("# A\r\n\r\n<!-- BEGIN CUEDECK v:1 ")
    assert new.endswith("<!-- END CUEDECK -->\r\n\r\nmore\r\n")
    assert BLOCK.strip(new) == "# A\r\n\r\nmore\r\n"
    assert "\n" not in new.replace("\r\n", "")


def test_a_block_that_is_not_closed_is_refused() -> None:
    for text in (
        "a\n<!-- BEGIN CUEDECK v:1 -->\nb\n",
        "a\n<!-- BEGIN CUEDECK -->\n" * 2 + "<!-- END CUEDECK -->\n",
    ):
        with pytest.raises(Invalid, match="line 2: the block of CueDeck is not closed"):
            BLOCK.holds(text)


def test_the_block_is_short_and_imports_nothing() -> None:
    text = BLOCK.put("")
    assert len(text) < 1_200
    assert "@" not in text


def test_reading_a_broken_file_raises_nothing() -> None:
    assert read_value("a.json", "{") is None
    assert read_value("a.json", "\ufeff{} ") == {}
    assert read_value("a.json", '{"a": 1,} // c') == {"a": 1}
    assert read_value("a.toml", "a = 1") == {"a": 1}
    assert read_value("a.toml", "a = ") is None
    assert look_up({"a": {"b": 1}}, ("a", "b")) == 1
    assert look_up({"a": []}, ("a", "b")) is None
    assert line_of("a.json", '{\n"a": {\n"b": 1}}', ("a", "b")) == 3
    assert line_of("a.json", "{", ("a",)) == line_of("a.toml", "a = 1", ("a",)) == 0


@pytest.mark.parametrize(
    "text", ['mcp_servers = "x"\n', "[[mcp_servers]]\na = 1\n", "mcp_servers = 3\n"]
)
def test_an_invalid_table_of_servers_is_refused_with_its_line(text: str) -> None:
    text = f"a = 1\n{text}"
    with pytest.raises(Invalid, match=r"line \d: "):
        TOML.put(text)


QUOTED = (
    "# A\n\n```markdown\n<!-- BEGIN CUEDECK v:1 -->\nx\n<!-- END CUEDECK -->\n```\n"
)


@pytest.mark.parametrize(
    "text",
    [
        QUOTED,
        QUOTED.replace("```", "~~~~"),
        QUOTED.replace("<!-- END CUEDECK -->\n", ""),
    ],
)
def test_a_block_in_a_code_fence_is_not_own(text: str) -> None:
    assert not BLOCK.holds(text)
    assert BLOCK.strip(text) == text
    put = BLOCK.put(text)
    assert put.startswith(text)
    assert BLOCK.is_right(put)
    assert BLOCK.strip(put) == text


def test_a_fence_that_is_never_closed_does_not_take_the_block_in() -> None:
    text = "# A\n\n```\nopen"
    put = BLOCK.put(text)
    assert put.endswith("<!-- END CUEDECK -->\n```\nopen")
    assert BLOCK.is_right(f"{put}\n```\n")
    assert BLOCK.strip(put) == text


def test_text_after_the_end_marker_moves_to_its_own_line() -> None:
    text = BLOCK.put("# A\n").removesuffix("\n") + "- new rule\n"
    assert not BLOCK.is_right(text)
    assert BLOCK.put(text).endswith("<!-- END CUEDECK -->\n- new rule\n")
    assert BLOCK.is_right(BLOCK.put(text))
    assert BLOCK.strip(text) == "# A\n\n- new rule\n"


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"command": "cuedeck", "args": ["mcp"]}, ("mcp",)),
        ({"command": "/x y/cuedeck"}, ()),
        ({"command": "uvx", "args": ["--from", "cuedeck", "cuedeck", "mcp"]}, ("mcp",)),
        (
            {"command": "/bin/uv", "args": ["tool", "run", "cuedeck@1.0", "mcp"]},
            ("mcp",),
        ),
        (
            {"command": "python3", "args": ["-m", "cuedeck", "mcp", "--read-only"]},
            ("mcp", "--read-only"),
        ),
        ({"command": "python3", "args": ["-m", "other", "cuedeck"]}, None),
        ({"command": "npx", "args": ["cuedeck"]}, None),
        ({"command": "cuedeck", "args": "mcp"}, None),
        ({"url": "http://127.0.0.1/mcp"}, None),
        ("cuedeck", None),
    ],
)
def test_an_entry_that_starts_the_server_is_recognised_however_it_was_installed(
    entry: object, words: object
) -> None:
    assert server_words(entry) == words


def test_options_of_a_person_do_not_make_an_entry_wrong() -> None:
    entry = {"command": "/x/cuedeck", "args": ["mcp", "--read-only"], "env": {"A": "1"}}
    assert SERVER.is_right(json.dumps({"mcpServers": {"cuedeck": entry}}))


@pytest.mark.parametrize(
    "pair",
    [
        ("a\nb\nc\n", "a\nx\nc"),
        ("", "a\n"),
        ("a\r\nb", "b"),
        ("k: secret, b", "k: secret, c"),
    ],
)
def test_swaps_transform_one_text_into_another_and_contain_only_differences(
    pair: tuple[str, str],
) -> None:
    old, new = pair
    assert swap(old, swaps_between(old, new)) == new
    assert not any("secret" in each.text for each in swaps_between(old, new))


COMMENTED = """# head
[mcp_servers.a] # of a
command = "a"

# about z
[z]
q = 1   # odd   spacing
%s
# my note at the end
"""
OWN = '\n[mcp_servers.cuedeck]\ncommand = "cuedeck"\nargs = ["mcp"]\n'


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_toml_comments_next_to_own_entries_stay(newline: str) -> None:
    """`tomlkit` removes comments after a table with it, or separates them from the
    table that follows.
    """
    text = COMMENTED.replace("\n", newline)
    own = OWN.replace("\n", newline)
    assert TOML.put(text % "") == f"{text % ''}{own}"
    assert TOML.strip(text % own) == text % ""
