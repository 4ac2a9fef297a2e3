"""Commands and outputs in README.md and docs/ are real; `CUEDECK_ACCEPT=1` with `-n 0`
renews the outputs.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from textwrap import dedent, indent

import pytest
from crash_runner import CrashRunner
from sandbox import Sandbox

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ACCEPT = bool(os.environ.get("CUEDECK_ACCEPT"))
_TO_NOWHERE = [">", "/dev/null"]


def environ() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)}


def shown_commands(text: str) -> list[tuple[str, str]]:
    """Return (command, output) of every console block of a page, in order."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output.rstrip("\n")))
    return found


COMMANDS = {page: shown_commands(page.read_text("utf-8")) for page in PAGES}
CASES = [
    (page, at) for page, commands in COMMANDS.items() for at in range(len(commands))
]
ID = re.compile(r"\b(?=[a-z]*[0-9])[a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{5}\b")
"""An id of six characters; the digit distinguishes it from a word."""
RECORD = re.compile(
    r"\b[0-9a-f]{8}(?:\\-[0-9a-f]{4}){3}\\-[0-9a-f]{12}\b|(?<=record:)[0-9a-f]{8}\b|(?m:^)[0-9a-f]{8}\b"
)
"""The id of a record, whole or its beginning, in an escaped text."""
DAY = re.compile(r"\b2026\\-\d\d\\-\d\d\b")
"""The day of a record, in an escaped text."""


class Example:
    """A copy of the example project in which the commands of one page run in order."""

    def __init__(self, folder: Path, page: Path, runner: CrashRunner) -> None:
        self._runner = runner
        self.place = folder / "login"
        shutil.copytree(
            ROOT / "examples" / "login",
            self.place,
            ignore=shutil.ignore_patterns("cache", "SCENE.md"),
        )
        self._commands = [command for command, _ in COMMANDS[page]]
        self._outputs: list[str] = []

    def output(self, at: int) -> str:
        """Return the output of the command `at`, after all commands before it."""
        while len(self._outputs) <= at:
            words = shlex.split(self._commands[len(self._outputs)])
            is_silent = words[-2:] == _TO_NOWHERE or "cd" in words
            ran = "" if "cd" in words else self.run(words[:-2] if is_silent else words)
            self._outputs.append("" if is_silent else ran)
        return self._outputs[at]

    def run_all(self) -> None:
        """Run every command of the page."""
        self.output(len(self._commands) - 1)

    def text(self, budget: str) -> str:
        """Return the current scene."""
        return self.run(["cuedeck", "scene", "--budget", budget, "--print"])

    def run(
        self,
        words: Sequence[str],
        more: Mapping[str, str] | None = None,
        codes: Sequence[int] = (0,),
        text: str = "",
    ) -> str:
        """Return the standard output of a command; `text` is its input."""
        env = environ() | (more or {})
        if words[0] == "cuedeck":
            (ended,) = self._runner.run(
                self.place, words[1:], text=text, environ=env
            ).ran
            assert ended.code in codes, ended.err
            return ended.out
        done = subprocess.run(
            words,
            cwd=self.place,
            capture_output=True,
            encoding="utf-8",
            check=False,
            env=env,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def examples(
    tmp_path_factory: pytest.TempPathFactory, shared_runner: CrashRunner
) -> Mapping[Path, Example]:
    return {
        page: Example(tmp_path_factory.mktemp("page"), page, shared_runner)
        for page, commands in COMMANDS.items()
        if commands
    }


def accept(page: Path, old: str, new: str) -> None:
    """Replace the only occurrence of a shown text."""
    text = page.read_text("utf-8")
    assert text.count(old) == 1
    page.write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize(
    ("page", "at"),
    CASES,
    ids=[f"{page.name}: {COMMANDS[page][at][0]}" for page, at in CASES],
)
def test_shown_output_is_the_real_one(
    page: Path, at: int, examples: Mapping[Path, Example]
) -> None:
    command, shown = COMMANDS[page][at]
    if copied := re.match(r"cp -r (\S+) (\S+) && cd (.*)", command):
        assert (ROOT / copied[1]).is_dir()
        assert copied[2] == copied[3]
    real = examples[page].output(at).rstrip("\n")
    if ACCEPT and not re.fullmatch(pattern(shown), real):
        accept(
            page,
            "\n".join(filter(None, (f"$ {command}", shown))) + "\n",
            f"$ {command}\n{real}\n",
        )
        return
    assert re.fullmatch(pattern(shown), real)


def pattern(output: str) -> str:
    """Return a pattern of an output with any ids and days, which differ each time."""
    days = DAY.sub(r"\\d{4}-\\d{2}-\\d{2}", RECORD.sub("[0-9a-f-]+", re.escape(output)))
    return ID.sub("[0-9a-z]{6}", days)


def shown_block(page: str, head: str) -> str:
    """Return the indented block of a page that begins with `head`."""
    found = re.search(
        rf"^    {re.escape(head)}.*?(?=^\S)",
        (ROOT / page).read_text("utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    assert found is not None, head
    return dedent(found[0]).rstrip("\n")


def test_shown_related_file_is_in_the_scene(
    tmp_path: Path, shared_runner: CrashRunner
) -> None:
    scene = Example(tmp_path, ROOT / "README.md", shared_runner).text("1250")
    shown = shown_block("docs/scene.md", "### `src/form.py`")
    real = re.search(r"^### `src/form\.py`\n.*?\n```$", scene, re.MULTILINE | re.DOTALL)
    assert real is not None
    if ACCEPT and shown != real[0]:
        accept(
            ROOT / "docs" / "scene.md", indent(shown, "    "), indent(real[0], "    ")
        )
        return
    assert shown == real[0]


@pytest.mark.parametrize(
    ("page", "head"),
    [
        ("docs/sessions.md", "## Decisions and attempts"),
        ("docs/memory.md", "## Memory"),
    ],
)
def test_shown_block_is_in_the_scene(
    page: str, head: str, tmp_path: Path, shared_runner: CrashRunner
) -> None:
    example = Example(tmp_path, ROOT / page, shared_runner)
    example.run_all()
    assert re.search(pattern(shown_block(page, head)), example.text("16000"))


def test_picture_of_the_readme_is_the_scene_of_the_example(
    tmp_path: Path, shared_runner: CrashRunner
) -> None:
    words = ["cuedeck", "graph", "--scene", "--format", "svg"]
    picture = Example(tmp_path, ROOT / "README.md", shared_runner).run(
        words, {"CUEDECK_SCENE__BUDGET": "640"}
    )
    place = ROOT / "examples" / "scene.svg"
    if ACCEPT:
        place.write_text(picture, "utf-8")
    assert picture == place.read_text("utf-8")


@cache
def documented_keys() -> Mapping[str, frozenset[str]]:
    """Return the top-level keys of each command of docs/json.md."""
    rows = re.findall(
        r"^\| `(cuedeck [^`]*)` \| ([^;|]*)",
        (ROOT / "docs/json.md").read_text("utf-8"),
        re.MULTILINE,
    )
    return {
        command: frozenset(re.findall(r"`([a-z_]+)[^`]*`", keys))
        for command, keys in rows
    }


ARGUMENTS = {
    "ADDRESS": "src/auth.py",
    "RESOURCE": "cortex://resources/style/tabs.md",
    "DIR": "old",
    "CARD": "2a9f1x",
    "FILE": "MEMORY.md",
    "TITLE": "'Write a test'",
    "TEXT": "'Deploys go out on Tuesdays'",
    "ID": "RECORD",
    "HASH": "VERSION",
    "HOST": "claude",
    "PATH": "src/auth.py",
    "SHELL": "bash",
}
MADE = {
    "RECORD": ("memory", "add"),
    "DRAFT": ("card", "new"),
    "DECISION": ("decide",),
    "ASSUMPTION": ("assumption", "add"),
    "EXPERIENCE": ("experience", "add"),
}
"""Words of documented commands that are the id of a new entry, with the command that
makes one.
"""


def test_documented_keys_are_in_the_answers(
    tmp_path: Path, shared_runner: CrashRunner
) -> None:
    example = Example(tmp_path, ROOT / "README.md", shared_runner)
    example.run(shlex.split("cuedeck scene"))
    resource = example.place / ".cuedeck/cortex/resources/style/tabs.md"
    resource.parent.mkdir(parents=True)
    resource.write_text("Tabs, not blanks.\n", "utf-8")
    log = example.place / "old" / "memory" / "2026-04-02.md"
    log.parent.mkdir(parents=True)
    log.write_text("- shrimp for lunch\n", "utf-8")
    example.run(["cuedeck", "memory", "add", "Reads are fast"])
    commands = documented_keys()
    assert len(commands) > 80
    missing = {}
    for command in sorted(
        filter(lambda each: "exchange" not in each, commands),  # needs PostgreSQL
        key=lambda each: (each != "cuedeck session start", each),
    ):
        words = shlex.split(
            " ".join(ARGUMENTS.get(word, word) for word in command.split())
        )
        known: dict[str, str] = {}
        text = ""
        if "VERSION" in words:
            read = json.loads(example.run(["cuedeck", "memory", "read", "--json"]))
            known, text = {"VERSION": read["hash"]}, read["text"]
        for word in MADE.keys() & set(words):
            make = ["cuedeck", *MADE[word], f"Number {len(command)} is a fact"]
            known[word] = json.loads(example.run([*make, "--json"]))["id"]
        words = [known.get(word, word) for word in words]
        answer = json.loads(example.run([*words, "--json"], codes=(0, 1), text=text))
        if not commands[command] <= answer.keys():
            missing[command] = (
                sorted(commands[command] - answer.keys()),
                sorted(answer),
            )
    assert missing == {}


PAGE = ROOT / "docs" / "agents.md"
_SHOWN = re.compile(
    r"(?<=^~~~markdown\n)# Project context of CueDeck.*?(?=^~~~$)",
    re.MULTILINE | re.DOTALL,
)
_ASKED = re.compile(
    r"echo '(\{.*?\})' \| cuedeck hook (\S+) --host (\S+)$", re.MULTILINE
)


@pytest.fixture
def login(sandbox: Sandbox) -> Path:
    """Return a copy of the example without the files that commands write."""
    place = sandbox.root.parent / "login"
    ours = ("cache", "sessions", "SCENE.md", "active", "__pycache__")
    shutil.copytree(
        ROOT / "examples" / "login", place, ignore=shutil.ignore_patterns(*ours)
    )
    sandbox.ok("capture", "on", cwd=place)
    return place


def answer(sandbox: Sandbox, folder: Path) -> str:
    """Return the output of the command that the page shows."""
    requested = _ASKED.search(PAGE.read_text("utf-8"))
    assert requested is not None
    command = f"hook {requested[2]} --host {requested[3]}"
    ran = sandbox.ok(command, cwd=folder, text=requested[1])
    assert ran.err == ""
    return ran.out


def test_shown_answer_to_session_start_is_the_real_one(
    sandbox: Sandbox, login: Path
) -> None:
    given = answer(sandbox, login)
    brief = json.loads(given)["hookSpecificOutput"]["additionalContext"]
    output = {"hookEventName": "SessionStart", "additionalContext": brief}
    assert given == json.dumps({"hookSpecificOutput": output}) + "\n"
    text = PAGE.read_text("utf-8")
    if os.environ.get("CUEDECK_ACCEPT"):
        text = _SHOWN.sub(lambda found: brief, text)
        PAGE.write_text(text, "utf-8")
    assert _SHOWN.findall(text) == [brief]
