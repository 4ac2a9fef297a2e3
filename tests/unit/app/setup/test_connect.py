"""Own entries put into the files of a workspace, and taken out of them."""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest
from desk import Desk

from cuedeck.app.setup import connect, disconnect, examine, require_host
from cuedeck.app.setup.file_change import Change, write_all
from cuedeck.app.setup.host_targets import targets_of
from cuedeck.hosts import all_hosts
from cuedeck.hosts.edit.json_tree import read_json
from cuedeck.model.errors import Invalid, StorageError, UsageError
from cuedeck.store.fs.private_folder import private_name

NAMES = tuple(host.name for host in all_hosts())
FILES = {
    "claude": [".claude/settings.json", ".mcp.json", "CLAUDE.md"],
    "codex": [".codex/hooks.json", ".codex/config.toml", "AGENTS.md"],
    "gemini": [".gemini/settings.json", "GEMINI.md"],
    "cursor": [".cursor/hooks.json", ".cursor/mcp.json", "AGENTS.md", ".cursor/rules/cuedeck.mdc"],
    "vscode": [".github/hooks/cuedeck.json", ".vscode/mcp.json", "AGENTS.md"],
    "qwen": [".qwen/settings.json", "AGENTS.md"],
    "opencode": ["opencode.json", "AGENTS.md"],
    "agents": ["AGENTS.md"],
}
JSON = b'\xef\xbb\xbf{\r\n\t// mine\r\n\t"z": "\xc3\xa9",\r\n\t"a": [1, 2],\r\n}'
TOML = b'# mine\r\n[a]\r\nb = """\r\n[c]\r\n"""'
TEXT = b"# Rules\r\n\r\nBe kind."


def put(desk: Desk, host: str, **options: Any) -> dict[str, str]:
    answer = connect(desk.workspace(), require_host(host), **options)
    return {each["path"]: each["state"] for each in answer["files"]}


def take(desk: Desk, host: str, **options: Any) -> dict[str, str]:
    answer = disconnect(desk.workspace(), require_host(host), **options)
    return {each["path"]: each["state"] for each in answer["files"]}


def state_file(desk: Desk) -> Path:
    return desk.place(f".cuedeck/cache/backup/{private_name(str(desk.root))}/setup.json")


def forget(desk: Desk) -> None:
    state_file(desk).unlink()


def names(desk: Desk) -> set[str]:
    return {path.relative_to(desk.root).as_posix() for path in desk.root.rglob("*")} - {".cuedeck", ".cuedeck/cache"}


@pytest.mark.parametrize("host", NAMES)
def test_files_and_folders_that_were_made_go_again(desk: Desk, host: str) -> None:
    before = {name for name in names(desk) if not name.startswith(".cuedeck/cache")}
    assert put(desk, host) == dict.fromkeys(FILES[host], "created")
    assert put(desk, host) == dict.fromkeys(FILES[host], "unchanged")
    assert take(desk, host) == dict.fromkeys(FILES[host], "deleted")
    assert {name for name in names(desk) if not name.startswith(".cuedeck/cache")} == before
    assert take(desk, host) == dict.fromkeys(FILES[host], "absent")


@pytest.mark.parametrize("host", NAMES)
def test_old_bytes_come_back(desk: Desk, host: str) -> None:
    for path in FILES[host]:
        desk.write(path, JSON if path.endswith(".json") else TOML if path.endswith(".toml") else TEXT)
    before = desk.bytes()
    assert put(desk, host) == dict.fromkeys(FILES[host], "added")
    once = desk.bytes()
    assert put(desk, host) == dict.fromkeys(FILES[host], "unchanged")
    assert desk.bytes() == once
    for path in FILES[host]:
        assert all(line in once[path].splitlines() or b'"a"' in line for line in before[path].splitlines())
        assert b"\n" not in once[path].replace(b"\r\n", b"")
    assert take(desk, host) == dict.fromkeys(FILES[host], "restored")
    assert desk.bytes() == before


@pytest.mark.parametrize("host", NAMES)
def test_without_what_was_remembered_own_entries_go_alone(desk: Desk, host: str) -> None:
    for path in FILES[host]:
        desk.write(path, JSON if path.endswith(".json") else TOML if path.endswith(".toml") else TEXT)
    before = {path: data if path.endswith(".json") else data + b"\r\n" for path, data in desk.bytes().items()}
    put(desk, host)
    forget(desk)
    assert take(desk, host) == dict.fromkeys(FILES[host], "removed")
    after = desk.bytes()
    if host == "cursor":
        assert b'"version": 1' in after.pop(".cursor/hooks.json")
        before.pop(".cursor/hooks.json")
    assert after == before


def test_edits_between_are_kept(desk: Desk) -> None:
    desk.write(".claude/settings.json", "{}")
    desk.write("CLAUDE.md", "# Rules\n")
    put(desk, "claude")
    settings = desk.place(".claude/settings.json")
    settings.write_text(settings.read_text().replace('"hooks": {', '"model": "x", // mine\n  "hooks": {', 1))
    block = desk.place("CLAUDE.md")
    block.write_text("Above.\n" + block.read_text() + "Below.\n")
    server = desk.place(".mcp.json")
    server.write_text(server.read_text().replace('"mcpServers": {', '"mcpServers": {\n    "mine": {},'))
    assert take(desk, "claude") == {
        ".claude/settings.json": "removed",
        ".mcp.json": "removed",
        "CLAUDE.md": "removed",
    }
    assert settings.read_text() == '{\n  "model": "x" // mine\n}'
    assert block.read_text() == "Above.\n# Rules\n\nBelow.\n"
    assert json.loads(server.read_text()) == {"mcpServers": {"mine": {}}}


def test_a_made_file_that_holds_nothing_else_goes_even_when_it_was_edited(desk: Desk) -> None:
    put(desk, "cursor")
    hooks = desk.place(".cursor/hooks.json")
    hooks.write_text(hooks.read_text().replace(": 10", ": 20"))
    assert take(desk, "cursor")[".cursor/hooks.json"] == "deleted"
    assert not desk.place(".cursor").exists()


def test_a_file_of_unknown_origin_stays_when_nothing_is_left_in_it(desk: Desk) -> None:
    put(desk, "claude")
    forget(desk)
    assert set(take(desk, "claude").values()) == {"emptied"}
    assert desk.place(".mcp.json").read_text() == "{}\n"
    assert desk.place("CLAUDE.md").read_text() == ""


def test_empty_containers_of_the_person_stay(desk: Desk) -> None:
    desk.write(".claude/settings.json", '{"hooks": {"Stop": []}}')
    put(desk, "claude")
    settings = desk.place(".claude/settings.json")
    settings.write_text(settings.read_text() + "\n")
    assert take(desk, "claude")[".claude/settings.json"] == "removed"
    assert settings.read_text() == '{"hooks": {"Stop": []}}\n'


def test_entries_of_an_older_version_are_replaced(desk: Desk) -> None:
    desk.write(".mcp.json", '{"mcpServers": {"cuedeck": {"command": "cuedeck", "args": ["mcp", "-C", "/old"]}}}')
    desk.write("CLAUDE.md", "<!-- BEGIN CUEDECK v:0 -->\nold\n<!-- END CUEDECK -->\nmine\n")
    states = put(desk, "claude")
    assert (states[".mcp.json"], states["CLAUDE.md"]) == ("replaced", "replaced")
    assert json.loads(desk.place(".mcp.json").read_text())["mcpServers"]["cuedeck"]["args"] == ["mcp"]
    assert set(put(desk, "claude").values()) == {"unchanged"}
    take(desk, "claude")
    assert desk.place("CLAUDE.md").read_text() == "mine\n"
    assert desk.place(".mcp.json").read_text() == "{}"


def test_a_damaged_entry_in_an_untouched_place_is_put_right_and_still_undone(desk: Desk) -> None:
    desk.write(".mcp.json", JSON)
    put(desk, "claude")
    place = desk.place(".mcp.json")
    place.write_bytes(place.read_bytes().replace(b'"mcp"', b'"serve"'))
    assert put(desk, "claude")[".mcp.json"] == "replaced"
    assert b'"serve"' not in place.read_bytes()
    assert take(desk, "claude")[".mcp.json"] == "removed"
    assert place.read_bytes() == JSON


@pytest.mark.parametrize(
    ("path", "content", "message"),
    [
        (".claude/settings.json", b'{\n"a": }', ".claude/settings.json: line 2: no valid JSON: "),
        (".claude/settings.json", b"{\n\xff}", ".claude/settings.json: line 2: the file is not UTF-8 text"),
        (".mcp.json", b'{"mcpServers": []}', ".mcp.json: line 1: `mcpServers` is not an object"),
        ("CLAUDE.md", b"\n<!-- BEGIN CUEDECK v:1 -->\n", "CLAUDE.md: line 2: the block of CueDeck is not closed"),
    ],
)
def test_a_broken_file_is_refused_and_nothing_is_written(desk: Desk, path: str, content: bytes, message: str) -> None:
    desk.write(".claude/settings.json", "{}")
    desk.write(path, content)
    before = desk.bytes()
    with pytest.raises(Invalid) as error:
        put(desk, "claude")
    told = error.value
    assert told.message.startswith(message)
    assert told.message == f"{path}: line {told.line}: {told.problem}"
    assert desk.bytes() == before


def test_a_dry_run_shows_each_change_and_writes_nothing(desk: Desk) -> None:
    desk.write("AGENTS.md", "# Rules")
    before = names(desk)
    answer = connect(desk.workspace(), require_host("codex"), dry_run=True)
    assert names(desk) == before
    diffs = {each["path"]: each["diff"] for each in answer["files"]}
    assert diffs[".codex/config.toml"] == (
        '--- /dev/null\n+++ .codex/config.toml\n@@ -0,0 +1,3 @@\n+[mcp_servers.cuedeck]\n+command = "cuedeck"\n'
        '+args = ["mcp"]\n'
    )
    assert diffs["AGENTS.md"].startswith("--- AGENTS.md\n+++ AGENTS.md\n@@ -1 +1,")
    assert "-# Rules\n\\ No newline at end of file\n+# Rules\n" in diffs["AGENTS.md"]
    put(desk, "codex")
    removal = disconnect(desk.workspace(), require_host("codex"), dry_run=True)
    assert "+++ /dev/null\n" in removal["files"][0]["diff"]
    assert desk.place(".codex/hooks.json").exists()


def test_a_shared_file_keeps_the_block_while_another_host_reads_it(desk: Desk) -> None:
    desk.write("AGENTS.md", TEXT)
    put(desk, "codex")
    assert put(desk, "cursor")["AGENTS.md"] == "unchanged"
    assert take(desk, "codex")["AGENTS.md"] == "kept"
    assert take(desk, "cursor")["AGENTS.md"] == "restored"
    assert desk.place("AGENTS.md").read_bytes() == TEXT


def test_a_link_inside_is_followed_and_its_target_written_once(desk: Desk) -> None:
    desk.write("AGENTS.md", "# Rules\n")
    os.symlink("AGENTS.md", desk.place("CLAUDE.md"))
    assert put(desk, "claude")["AGENTS.md"] == "added"
    assert put(desk, "codex")["AGENTS.md"] == "unchanged"
    assert desk.place("CLAUDE.md").is_symlink()
    assert desk.place("AGENTS.md").read_text().count("BEGIN CUEDECK") == 1
    assert take(desk, "claude")["AGENTS.md"] == "kept"
    assert take(desk, "codex")["AGENTS.md"] == "restored"


@pytest.mark.parametrize("target", ["../outside.md", "nowhere.md"])
def test_a_link_that_leaves_or_leads_nowhere_is_refused(desk: Desk, target: str) -> None:
    outside = desk.root.parent / "outside.md"
    outside.write_text("theirs")
    os.symlink(target, desk.place("CLAUDE.md"))
    before = names(desk)
    with pytest.raises(Invalid, match=r"CLAUDE\.md is a symbolic link that le"):
        put(desk, "claude")
    assert outside.read_text() == "theirs"
    assert names(desk) - {".cuedeck/cache/setup.lock"} == before


def test_a_folder_that_is_a_link_outside_is_refused(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    os.symlink(tmp_path / "elsewhere", desk.place(".claude"))
    with pytest.raises(Invalid, match="leaves the workspace"):
        put(desk, "claude")
    assert not list((tmp_path / "elsewhere").iterdir())


def test_the_block_goes_into_the_file_that_is_imported(desk: Desk) -> None:
    desk.write("CLAUDE.md", "@AGENTS.md\n")
    desk.write("AGENTS.md", "# Rules\n")
    assert put(desk, "claude")["AGENTS.md"] == "added"
    assert desk.place("CLAUDE.md").read_text() == "@AGENTS.md\n"
    take(desk, "claude")
    assert desk.place("AGENTS.md").read_text() == "# Rules\n"


def test_the_block_stays_where_it_is(desk: Desk) -> None:
    put(desk, "claude")
    place = desk.place("CLAUDE.md")
    place.write_text("@AGENTS.md\n\n" + place.read_text())
    assert "AGENTS.md" not in put(desk, "claude")
    take(desk, "claude")
    assert place.read_text() == "@AGENTS.md\n"


def test_gemini_reads_what_its_settings_name(desk: Desk) -> None:
    desk.write(".gemini/settings.json", '{"context": {"fileName": ["AGENTS.md", "X.md"]}}')
    assert put(desk, "gemini") == {".gemini/settings.json": "added", "AGENTS.md": "created"}
    take(desk, "gemini")
    desk.write(".gemini/settings.json", '{"context": {"fileName": ["AGENTS.md", "GEMINI.md"]}}')
    assert "GEMINI.md" in put(desk, "gemini")


def test_what_is_remembered_holds_no_text_of_the_files(desk: Desk) -> None:
    desk.write(".mcp.json", '{"mcpServers": {"x": {"env": {"TOKEN": "very-private-text"}}}}')
    put(desk, "claude")
    kept = state_file(desk).read_text()
    assert "very-private-text" not in kept
    assert json.loads(kept)["files"][".mcp.json"]["made"] == []


def test_what_is_remembered_may_be_broken(desk: Desk) -> None:
    put(desk, "codex")
    state_file(desk).write_text('{"files": {"AGENTS.md": 3}}')
    assert take(desk, "codex")["AGENTS.md"] == "emptied"


def test_a_state_that_came_with_the_repository_changes_nothing(desk: Desk) -> None:
    rules = desk.write("AGENTS.md", "Be kind.\n")
    put(desk, "agents")
    state = json.loads(state_file(desk).read_text())
    state["files"]["AGENTS.md"] |= {"after": hashlib.sha256(rules.read_bytes()).hexdigest(), "created": True}
    state_file(desk).unlink()
    for folder in ("backup", f"backup/{'0' * 32}"):
        desk.write(f".cuedeck/cache/{folder}/setup.json", json.dumps(state))
    assert take(desk, "agents") == {"AGENTS.md": "removed"}
    assert rules.read_text() == "Be kind.\n"


def test_an_unknown_host_is_told_with_the_known_ones() -> None:
    with pytest.raises(UsageError) as error:
        require_host("emacs")
    assert error.value.candidates == NAMES


def test_a_file_that_somebody_else_wrote_meanwhile_is_left_alone(desk: Desk) -> None:
    desk.write(".mcp.json", "{}")
    desk.write("CLAUDE.md", "mine\n")
    first, second, _ = targets_of(require_host("claude"), desk.workspace().paths)
    changes = [
        Change(first, None, b"{}", "created", None),
        Change(second, b"{ }", b"{}", "added", None),
    ]
    with pytest.raises(StorageError, match=r"\.mcp\.json changed meanwhile"):
        write_all(desk.workspace().paths, changes)
    assert not desk.place(".claude").exists()


def test_permissions_of_a_file_stay(desk: Desk) -> None:
    desk.write(".mcp.json", "{}").chmod(0o600)
    put(desk, "claude")
    assert desk.place(".mcp.json").stat().st_mode & 0o777 == 0o600


THEIR_TOML = """[mcp_servers.cuedeck]
command="/opt/other"
args=["z"] # mine
startup_timeout_sec=60

[mcp_servers.cuedeck.env]
CUEDECK_MCP_TOKEN="1"

[x]
y=1"""
THEIR_JSON = """{
  // mine
  "mcpServers": {"cuedeck": {"env": {"A": "1"}, "command": "/opt/other", "args": ["z"], "timeout": 9}},
  "x": 1
}"""
THEIRS = (
    ("codex", ".codex/config.toml", THEIR_TOML, "mcp_servers.cuedeck"),
    ("claude", ".mcp.json", THEIR_JSON, "mcpServers.cuedeck"),
    ("gemini", ".gemini/settings.json", THEIR_JSON, "mcpServers.cuedeck"),
    ("cursor", ".cursor/mcp.json", THEIR_JSON, "mcpServers.cuedeck"),
)


@pytest.mark.parametrize(("host", "path", "before", "keys"), THEIRS)
def test_a_server_of_that_name_is_replaced_but_for_what_is_the_persons_and_comes_back(
    desk: Desk, host: str, path: str, before: str, keys: str
) -> None:
    place = desk.write(path, before)
    answer = connect(desk.workspace(), require_host(host))
    told = [each["message"] for each in answer["findings"] if each["code"] == "replaced-entry"]
    assert told == [f"replaced: `{keys}` (/opt/other)"]
    assert '"cuedeck"' in place.read_text()
    assert all(kept in place.read_text() for kept in (("startup_timeout_sec=60", "TOKEN") if host == "codex" else ()))
    assert host == "codex" or '"env": {"A": "1"}' in place.read_text()
    once = place.read_bytes()
    assert put(desk, host)[path] == "unchanged"
    assert place.read_bytes() == once
    assert take(desk, host)[path] == "restored"
    assert place.read_text() == before


@pytest.mark.parametrize(("host", "path", "before", "keys"), THEIRS)
def test_a_replaced_server_comes_back_into_a_file_that_was_edited_since(
    desk: Desk, host: str, path: str, before: str, keys: str
) -> None:
    place = desk.write(path, before)
    put(desk, host)
    place.write_text(place.read_text() + "\n\n")
    answer = disconnect(desk.workspace(), require_host(host))
    assert [each["code"] for each in answer["findings"]] == ["prior-entry"]
    read = tomllib.loads if host == "codex" else lambda text: read_json(text).value()
    left = read(place.read_text())
    if host == "gemini":
        assert left.pop("hooks", {}) == {}
    assert left == read(before)
    assert "mine" in place.read_text()


HOOKS = json.dumps(
    {
        "hooks": {
            "Stop": [
                {"hooks": [{"type": "command", "command": "uvx cuedeck hook stop && echo done"}, {"command": "b"}]}
            ],
            "PreCompact": [{"hooks": [{"type": "command", "command": "/home/me/.venv/bin/cuedeck hook pre-compact"}]}],
        }
    }
)


def test_hooks_that_a_person_wrote_are_told_and_come_back(desk: Desk) -> None:
    place = desk.write(".claude/settings.json", HOOKS)
    answer = connect(desk.workspace(), require_host("claude"))
    assert [each["message"] for each in answer["findings"] if each["code"] == "replaced-entry"] == [
        "replaced: `hooks.Stop` (uvx cuedeck hook stop && echo done)",
        "replaced: `hooks.PreCompact` (/home/me/.venv/bin/cuedeck hook pre-compact)",
    ]
    assert take(desk, "claude")[".claude/settings.json"] == "restored"
    assert place.read_text() == HOOKS
    put(desk, "claude")
    place.write_text(place.read_text() + "\n")
    take(desk, "claude")
    hooks = json.loads(place.read_text())["hooks"]
    commands = [each["command"] for group in (*hooks["Stop"], *hooks["PreCompact"]) for each in group["hooks"]]
    assert sorted(commands) == sorted(
        each["command"] for groups in json.loads(HOOKS)["hooks"].values() for group in groups for each in group["hooks"]
    )


def test_what_a_person_wrote_and_does_is_left_and_outlasts_the_own_entries(desk: Desk) -> None:
    put(desk, "claude")
    text = desk.place(".claude/settings.json").read_text().replace('"cuedeck hook', '"/x/bin/cuedeck hook')
    take(desk, "claude")
    place = desk.write(".claude/settings.json", text)
    assert put(desk, "claude")[".claude/settings.json"] == "unchanged"
    assert take(desk, "claude")[".claude/settings.json"] == "kept"
    assert place.read_text() == text


def test_a_server_of_others_stays_when_set_up_never_was(desk: Desk) -> None:
    place = desk.write(".mcp.json", THEIR_JSON)
    assert take(desk, "claude")[".mcp.json"] == "unchanged"
    assert place.read_text() == THEIR_JSON


def test_what_was_replaced_is_kept_for_its_owner_alone(desk: Desk) -> None:
    desk.write(".mcp.json", '{"mcpServers": {"cuedeck": {"command": "x", "args": ["very-private-text"]}}}')
    put(desk, "claude")
    kept = state_file(desk)
    assert "very-private-text" in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_broken_file_keeps_no_other_from_being_let_go(desk: Desk) -> None:
    put(desk, "claude")
    desk.write(".mcp.json", "{\n")
    desk.place("CLAUDE.md").unlink()
    os.symlink("/", desk.place("CLAUDE.md"))
    answer = disconnect(desk.workspace(), require_host("claude"))
    assert {each["path"]: each["state"] for each in answer["files"]} == {
        ".claude/settings.json": "deleted",
        ".mcp.json": "failed",
        "CLAUDE.md": "failed",
    }
    assert [(each["level"], each["code"], each["path"], each["line"]) for each in answer["findings"]] == [
        ("error", "broken-file", ".mcp.json", 2),
        ("error", "broken-file", "CLAUDE.md", 0),
    ]
    assert desk.place(".mcp.json").read_text() == "{\n"
    desk.write(".mcp.json", "")
    assert take(desk, "claude")[".mcp.json"] == "unchanged"


def test_a_pipe_in_the_place_of_a_file_is_refused_before_anything_is_written(desk: Desk) -> None:
    os.mkfifo(desk.place("CLAUDE.md"))
    before = names(desk)
    with pytest.raises(StorageError, match=r"CLAUDE\.md is not a regular file") as error:
        put(desk, "claude")
    assert "nothing was changed" in error.value.hint
    assert names(desk) - {".cuedeck/cache/setup.lock"} == before


def test_a_folder_that_cannot_be_made_leaves_no_other_behind(desk: Desk) -> None:
    desk.write(".cursor/rules", "a file")
    before = names(desk)
    with pytest.raises(StorageError) as error:
        put(desk, "cursor")
    assert "nothing was changed" in error.value.hint
    assert names(desk) - {".cuedeck/cache/setup.lock"} == before


def test_what_is_added_behind_a_last_line_without_newline_stands_on_its_own_line(desk: Desk) -> None:
    place = desk.write("CLAUDE.md", "# Hi")
    put(desk, "claude")
    with place.open("a") as file:
        file.write("- new rule\n")
    assert put(desk, "claude")["CLAUDE.md"] == "unchanged"
    take(desk, "claude")
    assert place.read_text() == "# Hi\n\n- new rule\n"


def test_cursor_gets_a_rule_that_names_the_scene_and_keeps_what_is_added(desk: Desk) -> None:
    put(desk, "cursor")
    place = desk.place(".cursor/rules/cuedeck.mdc")
    head, _, rest = place.read_text().partition("\n<!-- BEGIN")
    assert head.splitlines() == ["---", "description: Context of this project (CueDeck)", "alwaysApply: true", "---"]
    assert "\n@.cuedeck/SCENE.md\n" in rest
    place.write_text(place.read_text() + "Mine.\n")
    assert take(desk, "cursor")[".cursor/rules/cuedeck.mdc"] == "removed"
    assert place.read_text() == f"{head}\nMine.\n"


def test_the_next_step_names_the_folder_of_the_workspace(desk: Desk) -> None:
    for host in all_hosts():
        assert str(desk.root) in connect(desk.workspace(), host, dry_run=True)["next"]


RULES = [f"mcp__cuedeck__{name}" for name in ("scene", "read", "find", "recall", "experiences", "doctor")]


@pytest.mark.parametrize(
    "before",
    [None, b'{"permissions": {"allow": ["Bash(ls)"]}}', b'{\n  "permissions": {"allow": ["mcp__cuedeck__scene"]}\n}\n'],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_tools_are_allowed_when_asked_for_and_until_the_removal(
    desk: Desk, before: bytes | None, is_first: bool
) -> None:
    place = desk.place(".claude/settings.json")
    if before is not None:
        desk.write(".claude/settings.json", before.decode())
    if not is_first:
        put(desk, "claude")
        assert RULES[1] not in place.read_text()
    answer = connect(desk.workspace(), require_host("claude"), allow_tools=True)
    assert "replaced-entry" not in {each["code"] for each in answer["findings"]}
    said = json.loads(place.read_text())["permissions"]["allow"]
    assert sorted(each for each in said if "cuedeck" in each) == sorted(RULES)
    once = place.read_bytes()
    assert put(desk, "claude")[".claude/settings.json"] == "unchanged"  # they stay
    assert put(desk, "claude", allow_tools=True)[".claude/settings.json"] == "unchanged"
    assert place.read_bytes() == once
    assert "stale" not in [each["state"] for each in examine(desk.workspace(), require_host("claude"))["files"]]
    take(desk, "claude")
    assert (place.read_bytes() if place.exists() else None) == before


def test_rules_go_from_a_file_that_was_edited_since_and_are_told(desk: Desk) -> None:
    place = desk.write(".claude/settings.json", '{"permissions": {"allow": ["Bash(ls)"]}}')
    put(desk, "claude", allow_tools=True)
    value = json.loads(place.read_text())
    value["permissions"]["allow"].remove("mcp__cuedeck__read")
    value["permissions"]["allow"].append("Bash(pwd)")
    place.write_text(json.dumps(value))
    (told,) = [
        each
        for each in examine(desk.workspace(), require_host("claude"))["findings"]
        if each["code"] == "tools-allowed"
    ]
    assert told["message"] == "read-only tools no longer ask: 5 of 6"
    assert told["hint"] == "not allowed: mcp__cuedeck__read"
    put(desk, "claude")
    assert "mcp__cuedeck__read" not in place.read_text()  # a person took it out
    take(desk, "claude")
    assert json.loads(place.read_text())["permissions"] == {"allow": ["Bash(ls)", "Bash(pwd)"]}


@pytest.mark.parametrize("host", [name for name in NAMES if name != "claude"])
def test_a_host_that_knows_no_single_tools_says_how_they_are_allowed(desk: Desk, host: str) -> None:
    with pytest.raises(UsageError) as error:
        put(desk, host, allow_tools=True)
    assert error.value.hint


def test_an_entry_of_opencode_stands_beside_others(desk: Desk) -> None:
    before = (
        '{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {"x": {"type": "local", "command": ["y"]}}\n}\n'
    )
    place = desk.write("opencode.json", before)
    put(desk, "opencode")
    assert json.loads(place.read_text())["mcp"]["cuedeck"] == {"type": "local", "command": ["cuedeck", "mcp"]}
    place.write_text(place.read_text().replace('"cuedeck", "mcp"]', '"cuedeck", "mcp"], "enabled": true'))
    assert put(desk, "opencode")["opencode.json"] == "unchanged"
    take(desk, "opencode")
    assert place.read_text() == before


def test_the_block_stays_while_a_host_with_a_server_reads_it(desk: Desk) -> None:
    put(desk, "agents")
    put(desk, "opencode")
    assert take(desk, "agents") == {"AGENTS.md": "kept"}
    assert take(desk, "opencode")["AGENTS.md"] == "deleted"


@pytest.mark.parametrize("first", [True, False])
def test_a_block_of_agents_stays_until_it_is_removed_for_agents(desk: Desk, first: bool) -> None:
    """`setup agents` left no trace outside the block, so `setup codex --remove` took the block away."""
    desk.write("AGENTS.md", TEXT)
    for host in ("agents", "codex") if first else ("codex", "agents"):
        put(desk, host)
    assert take(desk, "codex")["AGENTS.md"] == "kept"
    assert b"BEGIN CUEDECK" in desk.place("AGENTS.md").read_bytes()
    assert put(desk, "agents") == {"AGENTS.md": "unchanged"}
    assert take(desk, "agents") == {"AGENTS.md": "restored"}
    assert desk.place("AGENTS.md").read_bytes() == TEXT
    put(desk, "codex")
    assert take(desk, "codex")["AGENTS.md"] == "restored"


def test_agents_removed_first_leaves_the_block_to_the_others(desk: Desk) -> None:
    put(desk, "agents")
    put(desk, "codex")
    assert take(desk, "agents") == {"AGENTS.md": "kept"}
    assert take(desk, "codex")["AGENTS.md"] == "deleted"
    assert not desk.place("AGENTS.md").exists()


def test_the_documentation_lists_each_host_with_its_files() -> None:
    page = (Path(__file__).parents[4] / "docs/agents.md").read_text("utf-8")
    for host, files in FILES.items():
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{host}` |")]
        assert all(f"`{path}`" in row for path in files)
