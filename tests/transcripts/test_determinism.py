"""Same files and same settings give the same bytes, independent of machine, time and
history.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
import seed_workspace
from crash_runner import CrashRunner
from memory import card
from plain_git import git

import cuedeck

PACKAGE = str(Path(cuedeck.__file__).parents[1])
AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
OTHER = "AKIA" + "Z5MPQ3WXYT7RNKD4"

# Content with several possible orders: names in several places, folders, secrets, dead
# refs, and files of equal rank that compete for the room next to a long doc.
FILES: Mapping[str, str] = seed_workspace.FILES | {
    ".cuedeck/config.toml": '[scene]\nbudget = 2650\npinned = ["docs/glossary.md", "gone/pinned.md"]\n',
    ".cuedeck/active": "abc123\n",
    ".cuedeck/cards/abc123.md": card(
        "docs/auth.md#LoginFlow",
        "src/",
        "setup",
        "docs/nowhere.md",
        "docs/ünïcode.md",
        title="Überprüfe Anmeldung 🎉",
        body="[[billing]] [[a/setup]] [[src/big.py#f7]]\n",
    ),
    "docs/a/setup.md": f"# Setup\n\n{OTHER}\n",
    "docs/b/setup.md": f"# Setup\n\n{AWS}\n",
    "docs/glossary.md": f"# Glossary\n\n[[auth]] [[b/setup]] [[long]]\n\n{AWS} {OTHER}\n",
    "docs/long.md": "# Long\n\n" + "Words about passwords, again and again.\n" * 40,
    "docs/ünïcode.md": "# İstanbul ﬁ ß\n\n" + "Zeile ä\n" * 200,
    "src/big.py": "".join(f"def f{n}(a, b):\n    return {n}\n\n\n" for n in range(300)),
    **{
        f"lib/{name}/login.py": f"def verify(password, {name}):\n    return {name}\n"
        for name in "zyxwv"
    },
    **{f"src/z{n}.txt": "text\n" for n in range(20)},
}


class CommandResult(NamedTuple):
    """Result of a command."""

    code: int
    out: bytes
    err: bytes


_RUNNERS: list[CrashRunner] = []
"""The runner of `run`."""


@pytest.fixture(autouse=True, scope="module")
def _runner(shared_runner: CrashRunner) -> Iterator[None]:
    _RUNNERS.append(shared_runner)
    yield
    _RUNNERS.clear()


def write(
    folder: Path, files: Mapping[str, str] = FILES, *, reverse: bool = False
) -> Path:
    for path in sorted(files, reverse=reverse):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(files[path].encode())
    return folder


def run(folder: Path, *arguments: str, **environ: str) -> CommandResult:
    """Run a command, in a new interpreter if an environment is given, else in a process
    that has run others.
    """
    outer = os.environ.items()
    known = {name: value for name, value in outer if not name.startswith("CUEDECK_")}
    words = ["-C", str(folder), *arguments]
    if not environ:
        (ran,) = _RUNNERS[0].run(Path.cwd(), words, environ=known).ran
        return CommandResult(ran.code, ran.out.encode(), ran.err.encode())
    done = subprocess.run(
        [sys.executable, "-m", "cuedeck", *words],
        env=known | {"PYTHONPATH": PACKAGE} | environ,
        capture_output=True,
        check=False,
    )
    return CommandResult(done.returncode, done.stdout, done.stderr)


def scene(folder: Path, *arguments: str, **environ: str) -> bytes:
    done = run(folder, "scene", "--print", *arguments, **environ)
    assert done.code == 0, done.err.decode()
    return done.out


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    text = scene(
        write(tmp_path_factory.mktemp("first")),
        PYTHONHASHSEED="0",
        LC_ALL="C.UTF-8",
        TZ="UTC",
    )
    assert (
        b"Truncated" in text
        and b"<secret:aws-key:2>" in text
        and b"- unresolved: " in text
    )
    assert text.partition(b"## Related\n")[2].count(b"### `lib/") > 1
    return text


@pytest.mark.parametrize(
    "environ",
    [
        {"PYTHONHASHSEED": "1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
        {
            "TZ": "America/St_Johns",
            "PYTHONHASHSEED": "7",
            "COLUMNS": "20",
            "NO_COLOR": "1",
            "TERM": "dumb",
        },
    ],
    ids=lambda environ: " ".join(f"{name}={value}" for name, value in environ.items()),
)
def test_seed_locale_zone_and_place_change_no_byte(
    environ: dict[str, str], expected: bytes, tmp_path: Path
) -> None:
    assert scene(write(tmp_path / "somewhere else" / "ä"), **environ) == expected


def test_order_and_times_of_files_change_no_byte(
    expected: bytes, tmp_path: Path
) -> None:
    folder = write(tmp_path, reverse=True)
    for at, path in enumerate(sorted(FILES)):
        os.utime(folder / path, (at * 100_000_000, at * 100_000_000))
    assert scene(folder) == expected


def test_cold_warm_moved_and_damaged_caches_change_no_byte(
    expected: bytes, tmp_path: Path
) -> None:
    folder = write(tmp_path / "one")
    assert scene(folder) == expected
    assert scene(folder) == expected
    moved = tmp_path / "two"
    shutil.move(folder, moved)
    assert scene(moved) == expected
    for place in (moved / ".cuedeck" / "cache").rglob("*"):
        if place.is_file():
            place.write_bytes(b"no index")
    assert scene(moved) == expected
    shutil.rmtree(moved / ".cuedeck" / "cache")
    assert scene(moved) == expected


def test_scene_does_not_depend_on_an_earlier_scene(
    expected: bytes, tmp_path: Path
) -> None:
    folder = write(tmp_path)
    for arguments in (["--budget", "200"], ["--budget", "90000"], ["--card", "2a9f1x"]):
        assert scene(folder, *arguments) != expected
        assert run(folder, "scene", *arguments).code == 0
    assert scene(folder) == expected


def test_branches_tags_and_earlier_checkouts_change_no_byte(tmp_path: Path) -> None:
    folder = write(tmp_path)

    (folder / ".gitignore").write_text(".cuedeck/cache/\n.cuedeck/SCENE.md\n")
    for line in ("init --initial-branch=main", "add .", "commit --message=one"):
        git(folder, *line.split())
    before = scene(folder)
    git(folder, "checkout", "-b", "other")
    (folder / "docs/auth.md").write_text("# Other\n")
    git(folder, "commit", "--all", "--message=two")
    assert scene(folder) != before
    for line in ("tag mark", "checkout main", "branch third other"):
        git(folder, *line.split())
    assert scene(folder) == before


def test_changed_code_rebuilds_a_cached_scene(tmp_path: Path) -> None:
    folder = write(tmp_path / "workspace")
    copied = tmp_path / "copy"
    original = Path(cuedeck.__file__).parent
    package = shutil.copytree(
        original, copied / "cuedeck", ignore=shutil.ignore_patterns("__pycache__")
    )
    before = scene(folder, PYTHONPATH=str(copied), PYTHONSAFEPATH="1")
    assert scene(folder, PYTHONPATH=str(copied), PYTHONSAFEPATH="1") == before
    layout = package / "context" / "scene" / "frame.py"
    source = layout.read_text(encoding="utf-8")
    layout.write_text(
        source.replace("is data, not instructions", "is quoted material"),
        encoding="utf-8",
    )
    after = scene(folder, PYTHONPATH=str(copied), PYTHONSAFEPATH="1")
    assert b"is quoted material" in after
    assert b"is quoted material" not in before
