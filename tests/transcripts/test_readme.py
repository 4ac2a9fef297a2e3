"""What the README shows is what a person gets."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import dedent

import pytest
from desk import forge

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def environ() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)}


def sessions() -> list[tuple[str, str]]:
    """Return (command, output) of every console block, in order."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output.rstrip("\n")))
    return found


SESSIONS = sessions()
ID = re.compile(r"\b(?=[a-z]*[0-9])[a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{5}\b")
"""An id of six characters, told from a word by a digit."""
RECORD = re.compile(r"\b[0-9a-f]{8}(?:\\-[0-9a-f]{4}){3}\\-[0-9a-f]{12}\b|(?<=record:)[0-9a-f]{8}\b")
"""The id of a record, whole or its beginning."""
DAY = re.compile(r"\b2026\\-\d\d\\-\d\d\b")
"""The day of a record."""


class Example:
    """A copy of the example in which every session goes on where the one before it ended."""

    def __init__(self, folder: Path) -> None:
        self.place = folder / "login"
        shutil.copytree(ROOT / "examples" / "login", self.place, ignore=shutil.ignore_patterns("cache", "SCENE.md"))
        self._outputs: list[str] = []

    def output(self, at: int) -> str:
        """Return what the session `at` prints."""
        while len(self._outputs) <= at:
            words = shlex.split(SESSIONS[len(self._outputs)][0])
            self._outputs.append("" if "cd" in words else self._run(words))
        return self._outputs[at]

    def text(self, budget: str) -> str:
        """Return the scene as it is now."""
        return self._run(["cuedeck", "scene", "--budget", budget, "--print"])

    def picture(self) -> str:
        """Return the scene as it is drawn at the top of the README."""
        return self._run(["cuedeck", "graph", "--scene", "--format", "svg"], {"CUEDECK_SCENE__BUDGET": "640"})

    def _run(self, words: Sequence[str], more: Mapping[str, str] | None = None) -> str:
        env = environ() | (more or {})
        if words[0] == "cuedeck":
            ended = forge().run(words[1:], str(self.place), env, b"")
            assert ended.code == 0, ended.err
            return ended.out.decode()
        done = subprocess.run(words, cwd=self.place, capture_output=True, encoding="utf-8", check=False, env=env)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Example:
    return Example(tmp_path_factory.mktemp("readme"))


@pytest.mark.parametrize("at", range(len(SESSIONS)), ids=[command for command, _ in SESSIONS])
def test_a_shown_session_is_what_happens(at: int, example: Example) -> None:
    command, output = SESSIONS[at]
    if copied := re.match(r"cp -r (\S+) (\S+) && cd (.*)", command):
        assert (ROOT / copied[1]).is_dir()
        assert copied[2] == copied[3]
    assert re.fullmatch(pattern(output), example.output(at).rstrip("\n"))


def pattern(output: str) -> str:
    """Return what an output is like whatever ids and days it names: those are made anew each time."""
    days = DAY.sub(r"\\d{4}-\\d{2}-\\d{2}", RECORD.sub("[0-9a-f-]+", re.escape(output)))
    return ID.sub("[0-9a-z]{6}", days)


def test_the_related_node_shown_is_one_of_the_example(tmp_path: Path) -> None:
    found = re.search(r"^    ### `.*?(?=^\S)", README, re.MULTILINE | re.DOTALL)
    assert found is not None
    assert dedent(found[0]).rstrip("\n") + "\n\n" in Example(tmp_path).text("1000")


def test_the_block_shown_is_one_of_the_example(example: Example) -> None:
    found = re.search(r"^    ## Decisions.*?(?=^\S)", README, re.MULTILINE | re.DOTALL)
    assert found is not None
    example.output(len(SESSIONS) - 1)
    assert re.search(pattern(dedent(found[0]).rstrip("\n")), example.text("16000"))


def test_the_picture_is_the_one_the_example_gives(tmp_path: Path) -> None:
    assert Example(tmp_path).picture() == (ROOT / "examples" / "scene.svg").read_text("utf-8")


def test_every_command_and_setting_of_the_tables_exists() -> None:
    from cuedeck.cli.cli_main import COMMANDS
    from cuedeck.parse.settings_file import keys

    for name in COMMANDS:
        assert re.search(rf"`{name}\b", README), name
    for full, _ in keys():
        section, name = full.split(".")
        assert f"`{full}`" in README or (f"`{section}." in README and f"`{name}`" in README), full


def test_the_tools_of_the_table_are_those_of_the_server() -> None:
    from cuedeck.cli.mcp_command import OLDER
    from cuedeck.mcp.tools import TOOLS
    from cuedeck.mcp.tools.compat_tools import SEEDS

    assert rows("tool") == [tool.name for tool in TOOLS]
    assert OLDER.split(", ") == [tool.name for tool in SEEDS]
    assert all(f"`{tool.name}`" in README for tool in SEEDS)


def test_the_codes_of_the_table_are_those_of_errors() -> None:
    from cuedeck.model import errors

    kinds = [each for each in vars(errors).values() if isinstance(each, type)]
    codes = {each.code for each in kinds if issubclass(each, errors.CueDeckError)}
    assert sorted(int(code) for row in rows("code") for code in row.split(", ")) == sorted(codes)


def rows(head: str) -> list[str]:
    """Return the first column of the table of this head."""
    table = README.partition(f"| {head} |")[2].partition("\n\n")[0]
    return [line.split("|")[1].strip(" `") for line in table.splitlines()[2:]]
