"""Each host is declared by one module."""

from __future__ import annotations

from cuedeck.agents.hosts import all_hosts, find_host, hook_hosts
from cuedeck.model.hook_event import EVENTS


def test_each_module_names_its_host() -> None:
    names = [host.name for host in all_hosts()]
    assert names == [
        "claude",
        "codex",
        "copilot",
        "cursor",
        "gemini",
        "opencode",
        "qwen",
        "vscode",
        "agents",
    ]
    assert all(
        find_host(name) is host for name, host in zip(names, all_hosts(), strict=True)
    )
    assert hook_hosts() == tuple(name for name in names[:8] if name != "copilot")
    for name in (
        "",
        "base",
        "edit",
        "setup_types",
        "os",
        "..claude",
        "claude.HOST",
        "Claude",
    ):
        assert find_host(name) is None


def test_tools_have_one_role_over_all_hosts() -> None:
    roles: dict[str, str] = {}
    for host in all_hosts():
        if host.hooks is None:
            continue
        for role, tools in (
            ("read", host.hooks.reads),
            ("write", host.hooks.writes),
            ("shell", host.hooks.shells),
        ):
            for tool in tools:
                plain = tool.replace("_", "").lower()
                assert roles.setdefault(plain, role) == role, (host.name, tool)


def test_hooks_of_each_host_have_known_events_once() -> None:
    for host in all_hosts():
        events = [event.hook for event in host.hooks.events] if host.hooks else []
        assert len(set(events)) == len(events) and set(events) <= set(EVENTS)


def test_hosts_that_run_the_hooks_of_another_are_named_with_their_own_files() -> None:
    for host in all_hosts():
        for name, paths in host.hooks.run_by if host.hooks else ():
            other = find_host(name)
            assert other is not None and other.hooks is not None
            assert paths == (other.hooks.path, other.hooks.user_path)
            assert other.setup.borrowed is not None
