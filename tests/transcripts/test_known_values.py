"""A random value that is recognised as a secret in one file is masked in every text,
while that file contains it.
"""

from __future__ import annotations

import pytest
from sandbox import Sandbox

from cuedeck.store.index.schema import VALUES_CHANGED

VALUE = "kT9vQ2mXz7" + "LpR4wYb8Nd"
VALUES = {
    "letters-digits": VALUE,
    "slash": "wJalrXUtn" + "FEMI/K7MDENG/bPxRfiCYzq3vTr8",
    "signs": "p9$Kd!2x@Lq7" + "#Zr5w&Tm8",
    "uuid": "6b1f7c2e-93d4-" + "4a58-8e07-5d2c9b3a1f64",
}
COPIES = {
    "docs/log.md": "# Log\n\nlogin with {} failed\n",
    "docs/list.md": "# List\n\n- `{}`, rotated\n",
    "src/login.py": 'def login():\n    # old {}\n    return "\\n{}"\n',
    "data/log.txt": "10:21 rotate id={};done\n",
}


def write_copies(sandbox: Sandbox, value: str) -> None:
    for path, text in COPIES.items():
        sandbox.write(path, text.replace("{}", value))


def printed(sandbox: Sandbox) -> str:
    lines = [("find", "login"), ("find", "rotated"), ("recall", "login rotated")]
    lines += [("read", path) for path in COPIES]
    lines += [("scene", "rotate the login in docs/log.md and src/login.py")]
    found = [sandbox.run(*line).out for line in lines]
    return "\n".join(found)


def cached(sandbox: Sandbox) -> bytes:
    files = sandbox.place(".cuedeck/cache").rglob("*")
    data = [file.read_bytes() for file in files if file.is_file()]
    return b"\n".join(data).lower()


@pytest.mark.parametrize("kind", VALUES)
def test_a_value_that_one_file_reveals_is_masked_in_all_others(
    sandbox: Sandbox, kind: str
) -> None:
    value = VALUES[kind]
    write_copies(sandbox, value)
    name = "HEROKU_API_KEY" if kind == "uuid" else "AWS_SECRET_ACCESS_KEY"
    sandbox.write("config/prod.env", f'{name}="{value}"\n')
    text = printed(sandbox)
    assert value not in text and text.count("<secret:") >= len(COPIES)
    assert value.lower().encode() not in cached(sandbox)
    sandbox.ok("remember", f"the old value was {value}")
    assert value not in sandbox.place(".cuedeck/MEMORY.md").read_text()


@pytest.mark.parametrize(
    ("origin", "copy"),
    [
        (VALUES["slash"], VALUES["slash"].replace("/", "\\/")),
        (VALUES["slash"], VALUES["slash"].replace("/", "%2F")),
        (f"postgres://me:{VALUE}%2F@db/app", f"{VALUE}/"),
    ],
)
def test_a_copy_may_be_escaped(sandbox: Sandbox, origin: str, copy: str) -> None:
    sandbox.write("docs/log.md", f"# Log\n\nlogin with {copy} failed\n")
    name = "DATABASE_URL" if ":" in origin else "API_KEY"
    sandbox.write("config/prod.json", f'{{"{name}": "{origin}"}}\n')
    assert "login with <secret:" in sandbox.ok("read", "docs/log.md").out


@pytest.mark.parametrize("word", ["postgres", "correct-horse-battery-staple-word"])
def test_a_password_that_is_a_word_is_masked_only_at_its_name(
    sandbox: Sandbox, word: str
) -> None:
    write_copies(sandbox, word)
    sandbox.write("config/prod.env", f"DATABASE_URL=postgres://me:{word}@db/app\n")
    assert f"login with {word} failed" in printed(sandbox)


def test_masking_follows_the_files_in_any_order(sandbox: Sandbox) -> None:
    write_copies(sandbox, VALUE)
    plain = printed(sandbox)
    assert VALUE in plain and VALUE.lower().encode() in cached(sandbox)
    origin = sandbox.write("config/prod.env", f"API_KEY={VALUE}\n")
    masked = printed(sandbox)
    assert VALUE not in masked
    # Nothing remains in the caches of texts that were stored before.
    assert VALUE.lower().encode() not in cached(sandbox)
    sandbox.ok("clean")
    assert printed(sandbox) == masked
    sandbox.write("docs/more.md", f"# More\n\nlogin {VALUE}\n")
    assert VALUE not in printed(sandbox)
    origin.unlink()
    sandbox.place("docs/more.md").unlink()
    assert printed(sandbox) == plain


@pytest.mark.parametrize(
    "line",
    [
        ("remember", "the old value {}"),
        ("decide", "drop {}", "--because", "{} is old"),
        ("session", "note", "saw {}", "--next", "rotate {}"),
        ("card", "new", "Rotate {}"),
        ("experience", "add", "rotate {}"),
        ("cortex", "add", "the value {}"),
    ],
    ids=" ".join,
)
def test_a_text_that_is_stored_is_compared_with_files_that_are_not_yet_indexed(
    sandbox: Sandbox, line: tuple[str, ...]
) -> None:
    sandbox.write("docs/log.md", "# Log\n")
    sandbox.ok("session", "start")
    sandbox.write("config/prod.env", f"API_KEY={VALUE}\n")
    sandbox.run(*[word.replace("{}", VALUE) for word in line])
    files = [file for file in sandbox.place(".cuedeck").rglob("*") if file.is_file()]
    assert [file for file in files if VALUE in file.read_text("latin-1")] == []
    assert any("<secret:" in file.read_text("latin-1") for file in files)


@pytest.mark.parametrize(
    "line",
    [
        ("remember", "the deploy key is API_KEY={}"),
        ("decide", "use API_KEY={}", "--because", "it works"),
        ("card", "new", "Rotate API_KEY={}"),
    ],
    ids=" ".join,
)
def test_a_given_text_reveals_a_value_of_files(
    sandbox: Sandbox, line: tuple[str, ...]
) -> None:
    write_copies(sandbox, VALUE)
    sandbox.ok("session", "start")
    assert VALUE in printed(sandbox)
    sandbox.ok(*[word.replace("{}", VALUE) for word in line])
    assert VALUE not in printed(sandbox)
    assert VALUE.lower().encode() not in cached(sandbox)


def test_a_commit_message_reveals_a_value_of_files(sandbox: Sandbox) -> None:
    write_copies(sandbox, VALUE)
    sandbox.git("init", "-q")
    sandbox.git("add", "-A")
    sandbox.git("commit", "-qm", f"Rotate the login\n\nAPI_KEY={VALUE}")
    line = ("scene", "rotate the login in docs/log.md and src/login.py")
    first = sandbox.ok(*line).out
    assert VALUE not in first and "<secret:" in first
    assert sandbox.ok(*line).out == first
    assert VALUE not in printed(sandbox)
    assert VALUE.lower().encode() not in cached(sandbox)


@pytest.mark.parametrize("name", [".env", "apps/web/.env.local"])
def test_an_ignored_env_file_reveals_a_value_of_files(
    sandbox: Sandbox, name: str
) -> None:
    sandbox.git("init", "-q")
    sandbox.write(".gitignore", ".env*\n")
    sandbox.write(name, f"API_TOKEN={VALUE}\n")
    write_copies(sandbox, VALUE)
    text = printed(sandbox)
    assert VALUE not in text and "<secret:token:1>" in text
    assert VALUE.lower().encode() not in cached(sandbox)


def test_an_interrupted_update_is_completed(sandbox: Sandbox) -> None:
    write_copies(sandbox, VALUE)
    sandbox.write("config/prod.env", f"API_KEY={VALUE}\n")
    masked = printed(sandbox)
    workspace = sandbox.workspace()
    with workspace.index.writing() as database:
        database.execute("DELETE FROM copies")
        database.execute("UPDATE cache SET value = '[]' WHERE kind = 'secrets'")
        database.execute("REPLACE INTO meta VALUES (?, '1')", (VALUES_CHANGED,))
    workspace.close()
    assert printed(sandbox) == masked


def test_an_open_workspace_masks_what_a_new_file_reveals(sandbox: Sandbox) -> None:
    write_copies(sandbox, VALUE)
    workspace = sandbox.workspace()
    workspace.refresh()
    assert workspace.mask().plain(f"a {VALUE}") == f"a {VALUE}"
    assert workspace.texts.secrets("docs/log.md") == ()
    origin = sandbox.write("config/prod.env", f"API_KEY={VALUE}\n")
    changed = workspace.refresh()
    assert {"config/prod.env", *COPIES} <= set(changed.written)
    assert workspace.mask().plain(f"a {VALUE}") == "a <secret:api-key:1>"
    assert len(workspace.texts.secrets("docs/log.md")) == 1
    origin.unlink()
    workspace.refresh()
    assert workspace.texts.secrets("docs/log.md") == ()
    workspace.close()
