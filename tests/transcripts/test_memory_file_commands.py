"""Memory files that are read and written back through commands."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest
from sandbox import Sandbox, expect, fields

KEY = "AKIA" + "Q7ZX" * 4
MEMORY = ".cuedeck/MEMORY.md"
LOG = ".cuedeck/memory/2026-05-03.md"
ARCHIVE = ".cuedeck/memory/MEMORY-archive.md"
PLAIN, SECRET, KEYED = "0a1b2c3d-1111", "1a1b2c3d-1111", "2a1b2c3d-1111"
UNDO = ".cuedeck/memory/undo"


def line(identity: str, text: str, label: str = "private-user") -> str:
    value: dict[str, object] = {
        "id": identity,
        "sessionId": "main",
        "category": "note",
        "text": text,
    }
    provenance = {"sourceChannel": "cli", "confidence": 1, "sensitivity": label}
    value["provenance"] = provenance | {"timestamp": "2026-05-03T12:00:00.000Z"}
    return f"- {json.dumps(value, separators=(',', ':'))}\n"


LINES = (
    "# Memory\n",
    line(PLAIN, "deploys go out on Tuesdays"),
    line(SECRET, "the walrus opens the vault", label="secret"),
    line(KEYED, f"the staging key is {KEY}"),
    "a line by hand\n",
)


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.write(MEMORY, "".join(LINES))
    sandbox.write(LOG, LINES[1] + LINES[2])
    return sandbox


def shown(sandbox: Sandbox, file: str = "MEMORY.md") -> tuple[str, str]:
    """Return the text and the hash that `memory read` prints."""
    ran = sandbox.ok("memory", "read", file)
    found = re.search(r"hash (\w+)$", ran.err.strip())
    assert found is not None
    return ran.out, found[1]


def write(sandbox: Sandbox, known: str, text: str, file: str = "MEMORY.md") -> Any:
    """Write a text over the version of a file; return the answer."""
    return sandbox.answer("memory", "write", file, "--if-hash", known, text=text)


def refused(
    sandbox: Sandbox, text: str, file: str = "MEMORY.md", known: str = ""
) -> str:
    """Write a text that must be refused; return the error. No file is changed."""
    before = sandbox.bytes()
    known = known or shown(sandbox, file)[1]
    ran = sandbox.run("memory", "write", file, "--if-hash", known, text=text)
    assert ran.code == 1 and not ran.out, ran
    assert sandbox.bytes() == before
    return ran.err


# --- read


def test_memory_file_is_read_with_secrets_masked(shop: Sandbox) -> None:
    text, _ = shown(shop)
    rows = text.splitlines(keepends=True)
    assert rows[:2] == list(LINES[:2])
    assert rows[2] == "- <secret:record:1>\n"
    assert rows[3] == LINES[3].replace(KEY, "<secret:aws-key:1>")
    assert rows[4:] == ["a line by hand\n"]
    assert shop.ok("memory", "read").out == text
    assert "walrus" not in text and KEY not in text


def test_lines_are_read_as_they_are_cited(shop: Sandbox) -> None:
    answer = shop.answer("memory", "read", "memory/2026-05-03.md#L1")
    fields(answer, "schema address path kind lines total_lines hash hidden text")
    expect(answer, address=f"{LOG}#L1", path=LOG, kind="memory", lines=[1, 1])
    expect(answer, total_lines=2, hidden=1, text=LINES[1])
    hit = shop.answer("read", f"{MEMORY}#L2-L3")
    expect(hit, lines=[2, 3], text=LINES[1] + "- <secret:record:1>\n")
    assert hit["tokens"] > 10
    assert hit["hash"] == shown(shop)[1]
    assert shop.ok("read", "MEMORY.md#L5").out == "a line by hand\n"
    numbered = shop.ok("read", f"{MEMORY}#L5", "--numbers").out
    assert numbered.strip() == "5│a line by hand"


def test_log_has_several_names(shop: Sandbox) -> None:
    for file in ("2026-05-03", "2026-05-03.md", "memory/2026-05-03.md", LOG):
        assert shop.answer("memory", "read", file)["path"] == LOG
    shop.write(".cuedeck/memory/bird#2.md", "# Heron\n\nIt nests.\n")
    for folder in ("memory", ".cuedeck/memory"):
        for anchor, text in (("", "# Heron\n\nIt nests.\n"), ("#L3", "It nests.\n")):
            address = f"{folder}/bird#2.md{anchor}"
            assert shop.ok("read", address).out == text
            assert shop.ok("memory", "read", address).out == text


def test_file_of_the_workspace_comes_before_a_memory_file(shop: Sandbox) -> None:
    shop.write("MEMORY.md", "notes of the repository\n")
    assert shop.ok("read", "MEMORY.md").out == "notes of the repository\n"
    assert shop.ok("memory", "read", "MEMORY.md").out.startswith("# Memory\n")


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ("config.toml", "is not a memory file"),
        ("memory/../MEMORY.md", "is not a memory file"),
        ("/etc/passwd", "is not a memory file"),
        ("../../etc/passwd", "is not a memory file"),
        ("memory/tombstones.jsonl", "is not a memory file"),
        ("memory", "is not a memory file"),
        ("cache/index.sqlite", "is not a memory file"),
        ("MEMORY.md\u2028", "is not a memory file"),
        ("memory/2026-02-30.md", "`2026-02-30` is not a date"),
        ("9999-99-99", "`9999-99-99` is not a date"),
        ("USER.md", "does not exist"),
        ("MEMORY.md#L9", "has 5 lines, not L9"),
        ("MEMORY.md#L4-L2", "has 5 lines"),
        ("MEMORY.md#L0", "is not a range of lines"),
        ("MEMORY.md#Heading", "is not a range of lines"),
    ],
)
def test_another_file_is_not_read(shop: Sandbox, file: str, problem: str) -> None:
    error = shop.answer("memory", "read", file, code=1)["error"]
    assert problem in error["message"] and error["hint"]


def test_link_is_not_read_and_not_written(shop: Sandbox) -> None:
    shop.write("other.md", "not a memory\n")
    shop.place(".cuedeck/memory/2026-01-01.md").symlink_to(shop.place("other.md"))
    shop.place(".cuedeck/memory/2026-01-02.md").symlink_to("/etc/hostname")
    for day in ("2026-01-01", "2026-01-02"):
        ran = shop.run("memory", "read", day)
        assert (ran.code, ran.out) == (1, "") and "link" in ran.err
        ran = shop.run("memory", "write", day, "--if-hash", "none", text="x")
        assert (ran.code, ran.out) == (1, "") and "link" in ran.err
    assert shop.place("other.md").read_text() == "not a memory\n"


def test_forgotten_and_broken_records_are_hidden(shop: Sandbox) -> None:
    shop.ok("memory", "forget", PLAIN)
    with shop.place(LOG).open("a") as file:
        file.write(LINES[1])  # an old copy of the file brings the record back
        file.write(LINES[2].replace("}}\n", "\n"))
        file.write(LINES[1].replace("}}\n", "\n").replace(PLAIN, "3a1b2c3d"))
    rows = shown(shop, "2026-05-03")[0].splitlines()
    assert rows[1:3] == ["- <secret:forgotten-record:1>", "- <secret:broken-record:1>"]
    assert "Tuesdays" in rows[3]


def test_profile_has_its_own_files(shop: Sandbox) -> None:
    shop.write(
        ".cuedeck/config.toml", '[[profile]]\nid = "work"\nroot = "agents/work"\n'
    )
    shop.write("agents/work/MEMORY.md", line("9a1b2c3d", "a fact at work"))
    answer = shop.answer("memory", "read", "--profile", "work")
    assert answer["path"] == "agents/work/MEMORY.md"
    assert shop.answer("read", "agents/work/MEMORY.md")["hash"] == answer["hash"]
    edited = answer["text"].replace("a fact", "A FACT")
    command = ("memory", "write", "MEMORY.md", "--profile", "work")
    shop.answer(*command, "--if-hash", answer["hash"], text=edited)
    assert "A FACT at work" in shop.place("agents/work/MEMORY.md").read_text()
    error = shop.answer("memory", "read", "USER.md", "--profile", "work", code=1)
    assert "--profile work" in error["error"]["hint"]


# --- write


def test_edited_text_is_written(shop: Sandbox) -> None:
    text, known = shown(shop)
    edited = text.replace("by hand", "by HAND").replace("Tuesdays", "TUESDAYS")
    answer = write(shop, known, edited)
    fields(answer, "schema path hash written backup changed masked")
    expect(answer, path=MEMORY, hash=shown(shop)[1], written=True, masked=0)
    expect(answer, backup=f"{UNDO}/MEMORY-{known}.md", changed=[PLAIN])
    expected = "".join(LINES).replace("by hand", "by HAND")
    assert shop.place(MEMORY).read_text() == expected.replace("Tuesdays", "TUESDAYS")
    backup = shop.place(answer["backup"])
    assert backup.read_text() == "".join(LINES)
    assert stat.S_IMODE(os.stat(backup).st_mode) == 0o600
    again = write(shop, known, edited)
    expect(again, written=False, hash=answer["hash"])
    expect(write(shop, answer["hash"], edited), written=False, backup=None)
    shop.ok("memory", "forget", PLAIN)
    files = shop.place(".cuedeck").rglob("*.md")
    assert not [path for path in files if "tuesdays" in path.read_text().lower()]


def test_version_that_was_read_must_be_current(shop: Sandbox) -> None:
    text, known = shown(shop)
    shop.ok("memory", "add", "another fact")
    edited = text.replace("by hand", "by HAND")
    before = shop.bytes()
    command = ("memory", "write", "MEMORY.md", "--if-hash")
    for wrong in (known, "none", "0" * 16):
        error = shop.answer(*command, wrong, text=edited, code=1)["error"]
        assert error["code"] == 1006
        assert "`cuedeck memory read MEMORY.md`" in error["hint"]
    assert shop.bytes() == before
    assert shop.run("memory", "write", "MEMORY.md", text=edited).code == 2


def test_other_rules_of_secrets_make_another_version(shop: Sandbox) -> None:
    """A number of a placeholder would otherwise hide another secret."""
    shop.write(MEMORY, "".join(LINES).replace("by hand", "pw: one"))
    rules = "[secrets]\npatterns = ['pw: pw: (?P<secret>\\w+)']\n"
    shop.write(".cuedeck/config.toml", rules)
    text, known = shown(shop)
    assert "pw: <secret:pw:1>\n" in text
    edited = text.replace("a line", "the line")
    more = "'pw: (?P<secret>\\w{10,})'"
    shop.write(".cuedeck/config.toml", rules.replace("']", f"', {more}]"))
    error = refused(shop, edited, known=known)
    assert "is not the version that was read" in error


def test_new_file_is_private(shop: Sandbox) -> None:
    new = "# Me\n\n- Name: Ana\n"
    for name in ("USER.md", "LONGMEMORY.md", "2026-05-04", "memory/MEMORY-archive.md"):
        answer = shop.answer("memory", "write", name, "--if-hash", "none", text=new)
        place = shop.place(answer["path"])
        assert place.read_text() == new and answer["backup"] is None
        assert stat.S_IMODE(os.stat(place).st_mode) == 0o600
    assert "Ana" in shop.ok("memory", "context").out


def test_empty_text_is_refused(shop: Sandbox) -> None:
    for text in ("", " \t\r\n \n"):
        assert "is empty" in refused(shop, text)
        assert "is empty" in refused(shop, text, "USER.md", known="none")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (LINES[1], "", f"would no longer be records: `{PLAIN}` (line 2)"),
        (LINES[1], "deploys go out on Tuesdays\n", "would no longer be records"),
        (LINES[1], LINES[1].replace("}}", "}"), "line 2: the line would not be read"),
        (LINES[1], LINES[1].replace('"text"', '"body"'), "as a record: no text"),
        (LINES[1], LINES[1].replace("- {", "{"), "not the shape of a record"),
        (LINES[1], LINES[1].replace(PLAIN, "ffff"), f"`{PLAIN}` (line 2)"),
        (LINES[1], LINES[1].replace("05-03", "02-30"), "is not a timestamp"),
        (LINES[1], LINES[1].replace(PLAIN, KEYED), "is used 2 times"),
        ("- <secret:record:1>\n", "", f"would no longer be records: `{SECRET}`"),
        ("- <secret:record:1>\n", "the vault\n", f"`{SECRET}` (line 3)"),
        ("- <secret:record:1>", "* <secret:record:1>", "is not a line of the file"),
        ("aws-key:1", "aws-key:2", "line 4: the line has `<secret:aws-key:2>`"),
        ("<secret:aws-key:1>", "<secret:aws-key>", "is not a line of the file"),
        ("by hand", "by hand, like <secret:x:1>", "is not a line of the file"),
    ],
)  # fmt: skip
def test_text_that_loses_a_record_or_a_secret_is_refused(
    shop: Sandbox, old: str, new: str, problem: str
) -> None:
    text, _ = shown(shop)
    assert old in text
    error = refused(shop, text.replace(old, new))
    assert problem in error and "hint: " in error
    assert "walrus" not in error and KEY not in error


def test_record_is_not_stored_twice_and_a_forgotten_one_does_not_come_back(
    shop: Sandbox,
) -> None:
    text, _ = shown(shop)
    for repeated in (LINES[1], "- <secret:record:1>\n"):
        error = refused(shop, text + repeated)
        assert "is repeated" in error and "walrus" not in error
    shop.ok("memory", "forget", PLAIN)
    assert "a deleted record" in refused(shop, text)


def test_records_that_the_file_has_twice_are_kept(shop: Sandbox) -> None:
    shop.write(MEMORY, "".join(LINES) + LINES[1] + LINES[2])
    text, known = shown(shop)
    write(shop, known, text.replace("by hand", "by HAND"))
    written = shop.place(MEMORY).read_text()
    assert written.count(LINES[1]) == written.count(LINES[2]) == 2


def test_prose_can_be_deleted_and_records_moved(shop: Sandbox) -> None:
    text, known = shown(shop)
    rows = text.splitlines(keepends=True)
    write(shop, known, "".join([rows[3], rows[2], "new prose\n", rows[1]]))
    moved = [LINES[3], LINES[2], "new prose\n", LINES[1]]
    assert shop.place(MEMORY).read_text() == "".join(moved)


def test_changed_record_is_changed_in_every_file(shop: Sandbox) -> None:
    shop.write(".cuedeck/config.toml", "[experiences]\nenabled = true\n")
    shop.ok("experience", "extract")
    shop.write(ARCHIVE, LINES[1])
    text, known = shown(shop, "2026-05-03")
    edited = text.replace("Tuesdays", "Wednesdays")
    shop.ok("memory", "write", "2026-05-03", "--if-hash", known, text=edited)
    for path in (MEMORY, LOG, ARCHIVE):
        data = shop.place(path).read_text()
        assert "Wednesdays" in data and "Tuesdays" not in data, path
    experiences = shop.answer("experience", "list")["experiences"]
    assert not [each for each in experiences if "Tuesdays" in each["text"]]
    assert "Tuesdays" in shop.place(f"{UNDO}/2026-05-03-{known}.md").read_text()
    findings = shop.answer("doctor")["findings"]
    assert not [each for each in findings if each["code"] == "shared-id"]


def test_last_five_versions_are_kept(shop: Sandbox) -> None:
    hashes = []
    for number in range(6):
        text, known = shown(shop)
        hashes.append(known)
        write(shop, known, f"{text}version {number}\n")
        os.utime(shop.place(f"{UNDO}/MEMORY-{known}.md"), (number, number))
    names = {path.name for path in shop.place(UNDO).iterdir()}
    assert names == {f"MEMORY-{each}.md" for each in hashes[-5:]}
    shop.ok("memory", "compact", "--force")
    assert names < {path.name for path in shop.place(UNDO).iterdir()}


def test_of_several_writers_one_wins(shop: Sandbox) -> None:
    text, known = shown(shop)
    command = ("memory", "write", "MEMORY.md", "--if-hash", known)
    processes = [shop.start(*command, stdin=subprocess.PIPE) for _ in range(4)]
    for number, process in enumerate(processes):
        assert process.stdin is not None
        process.stdin.write(f"{text}writer {number}\n".encode())
        process.stdin.close()
    for process in processes:
        process.communicate(timeout=60)
    codes = [process.returncode for process in processes]
    assert sorted(map(str, codes)) == ["0", "1", "1", "1"]
    written = "".join(LINES) + f"writer {codes.index(0)}\n"
    assert shop.place(MEMORY).read_text() == written


# --- the template of USER.md


def test_template_of_user_md_is_private_and_shown_once_filled_in(
    sandbox: Sandbox,
) -> None:
    folder = sandbox.root.parent / "fresh"
    sandbox.ok("init", str(folder))
    user: Path = folder / ".cuedeck/USER.md"
    assert stat.S_IMODE(os.stat(user).st_mode) == 0o600
    assert sandbox.ok("memory", "context", cwd=folder).out == ""
    user.write_text(user.read_text().replace("- Name:", "- Name: Ana"))
    block = sandbox.ok("memory", "context", cwd=folder).out
    assert block == "About the human (USER.md):\n\n# About the user\n\n- Name: Ana\n"
    forced = sandbox.answer("init", "--force", "-C", str(folder))
    assert ".cuedeck/USER.md" in forced["kept"] and "Ana" in user.read_text()
    text, known = shown(sandbox_at(sandbox, folder), "USER.md")
    assert "- Name: Ana" in text and known


def sandbox_at(sandbox: Sandbox, folder: Path) -> Sandbox:
    return Sandbox(folder, sandbox.environ)
