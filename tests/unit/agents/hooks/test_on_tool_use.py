"""Files that tools of an agent touched."""

from __future__ import annotations

from hook_contexts import hook_context
from sandbox import Sandbox

from cuedeck.agents.hooks.on_session_start import start
from cuedeck.agents.hooks.on_tool_use import touch
from cuedeck.model.agent_session import HostSession
from cuedeck.work.sessions.list_sessions import status

AWS = "AKIA" + "QYLPMN5HHHFPZAM2"


def roles(sandbox: Sandbox) -> dict[str, str]:
    return {
        each["path"]: each["role"]
        for each in status(sandbox.workspace())["working_set"]
    }


def test_reading_and_writing_are_noted(shop: Sandbox) -> None:
    known = touch(
        hook_context(shop, "post-tool", role="read", files=("src/a.py",))
    ).known
    assert roles(shop) == {"src/a.py": "read"}
    known = touch(
        hook_context(
            shop, "post-tool", known, role="write", files=("src/a.py", "src/b.py")
        )
    ).known
    assert roles(shop) == {"src/a.py": "both", "src/b.py": "write"}
    assert (
        known.touched["src/a.py"].role == "both"
        and known.touched["src/b.py"].print == []
    )


def test_folders_missing_files_and_files_outside_the_work_are_not_noted(
    shop: Sandbox,
) -> None:
    shop.place("link").symlink_to("/etc")
    files = (
        "src",
        "../out.py",
        "link/passwd",
        ".git/config",
        ".cuedeck/config.toml",
        "src/none.py",
        f"src/{AWS}.py",
    )
    shop.write(f"src/{AWS}.py", "")
    assert touch(
        hook_context(shop, "post-tool", role="read", files=files)
    ).known == HostSession("claude")


def test_files_written_by_the_agent_are_not_reported(shop: Sandbox) -> None:
    known = start(hook_context(shop, "session-start")).known
    assert known.given is not None
    before = known.given.files["src/a.py"]
    shop.write("src/a.py", "x = 2\n")
    known = touch(
        hook_context(shop, "post-tool", known, role="write", files=("src/a.py",))
    ).known
    assert known.given is not None
    assert (
        known.given.files["src/a.py"].hash != before.hash
        and known.given.files["src/a.py"].tier == "explicit"
    )
    assert known.prints["src/a.py"] == known.touched["src/a.py"].print


def test_of_very_many_files_the_last_are_known(shop: Sandbox) -> None:
    known = HostSession("claude")
    for start_at in (0, 250):
        files = tuple(f"src/{number}.py" for number in range(start_at, start_at + 250))
        known = touch(
            hook_context(shop, "post-tool", known, role="write", files=files)
        ).known
    assert (
        len(known.touched) == 400
        and "src/499.py" in known.touched
        and "src/0.py" not in known.touched
    )
