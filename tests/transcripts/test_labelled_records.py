"""A record that becomes secret by its label is in no output and in no file but those of
records.
"""

from __future__ import annotations

from sandbox import Sandbox
from shared_process import sandbox

__all__ = ["sandbox"]

WORDS = ("zebrafinch", "kingfisher", "nuthatch", "goldcrest")
OPEN = (".cuedeck/MEMORY.md", ".cuedeck/memory/")
"""Files that contain such records, and the copies of MEMORY.md for an undo."""


def leaks(sandbox: Sandbox, *commands: tuple[str, ...]) -> list[str]:
    """Return the commands that print one of the words, and the files that have one."""
    found = []
    for command in commands:
        ran = sandbox.run(*command)
        found += [each for each in WORDS if each in (ran.out + ran.err).lower()]
    for path in sandbox.root.rglob("*"):
        name = path.relative_to(sandbox.root).as_posix()
        if path.is_file() and not name.startswith(OPEN):
            data = path.read_bytes().lower()
            found += [f"{name}: {each}" for each in WORDS if each.encode() in data]
    return found


def test_such_a_record_is_no_experience_any_more(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", "[experiences]\nenabled = true\n")
    sandbox.card("aaaaaa", "status: active", body="The vault phrase.")
    text = f"the vault phrase is {WORDS[0]}"
    identity = sandbox.ok("memory", "add", "--category", "learned", text).out.strip()
    sandbox.ok("experience", "extract")
    sandbox.ok("scene")
    sandbox.ok("memory", "edit", identity, "--sensitivity", "secret")
    sandbox.ok("experience", "extract")
    sandbox.ok("scene")
    query = ("experience", "query", "vault")
    assert not leaks(sandbox, ("experience", "list"), query, ("scene", "--print"))
    shown = sandbox.ok("memory", "show", identity, "--allow-secret").out
    assert WORDS[0] in shown


def test_such_a_merged_record_is_printed_no_more(sandbox: Sandbox) -> None:
    config = "[compaction]\ntarget_records = 3\nmin_age_days = 0\n"
    sandbox.write(".cuedeck/config.toml", config)
    texts = "\n".join(f"the vault phrase is {word}" for word in WORDS)
    added = sandbox.ok("memory", "add", "-", text=texts).out
    sandbox.ok("memory", "compact", "--force")
    for identity in added.split():
        sandbox.ok("memory", "edit", identity, "--sensitivity", "secret")
    shown = ("memory", "context"), ("memory", "list")
    assert not leaks(sandbox, *shown)
    assert not leaks(sandbox, ("memory", "compact", "--undo"), *shown)
