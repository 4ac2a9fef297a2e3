"""Removal of what CueDeck wrote outside of repositories."""

from __future__ import annotations

from sandbox import Sandbox

from cuedeck.agents.hosts import all_hosts


def test_uninstall_removes_what_set_up_of_all_hosts_wrote(sandbox: Sandbox) -> None:
    home = sandbox.place("home")
    sandbox.environ |= {"HOME": str(home), "XDG_CACHE_HOME": "", "XDG_STATE_HOME": ""}
    sandbox.write("home/.cache/cuedeck/notes.txt", "mine")
    for host in all_hosts():  # those without settings of the user refuse
        sandbox.run(f"setup {host.name} --user")
    listed = sandbox.answer("uninstall")
    assert listed["removed"] and not listed["findings"]
    assert sandbox.answer("uninstall", "--yes") == {**listed, "dry_run": False}
    left = {each.name: each for each in home.rglob("*") if each.is_file()}
    assert [name for name in left if b"cuedeck" in left[name].read_bytes()] == []
    assert "notes.txt" in left
