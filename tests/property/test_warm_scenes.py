"""A scene depends only on the present files: cold, warm, and after any edits."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import plain_git
from hypothesis import given, settings
from hypothesis import strategies as st
from memory import CARD, card
from sandbox import Sandbox

from cuedeck.context.scene.build_scene import Request, build, make_scene, to_made
from cuedeck.engine.open_workspace import workspace_at
from cuedeck.engine.workspace import Workspace
from cuedeck.model.errors import Invalid
from cuedeck.store.workspace_paths import WorkspacePaths

Files = dict[str, str | bytes]

OTHER = ".cuedeck/cards/7bq3md.md"
ROOT = Request("2a9f1x")
PATHS = st.sampled_from(
    [
        "shop/token.py",
        "shop/login.py",
        "shop/__init__.py",
        "shop/parcel.py",
        "tests/test_token.py",
        "docs/token.md",
        "docs/garden.md",
        "web/token.ts",
        "web/index.ts",
        "tsconfig.json",
        "token/token.go",
        "go.mod",
        "src/lib.rs",
        "dist/token.py",
        "vendor/shop/token.py",
        "shop/token/__init__.py",
        "logo.png",
        "go.sum",
        CARD,
    ]
)
TEXTS = st.sampled_from(
    [
        "def token_step(value):\n    return verify_token(value)\n",
        "def verify_token(token):\n    return token.expired\n" * 3,
        "from shop.token import token_step\nfrom shop import login\n\n\ndef login_step(value):\n    return login\n",
        "from .parcel import parcel_step\n",
        "import shop\nimport token\n",
        "class Parcel:\n    def parcel_step(self, value):\n        return value\n",
        'import { tokenStep } from "./token";\nimport { gardenStep } from "@/garden";\n',
        'import { tokenStep } from "dist/token";\n',
        'package token\n\nimport "example.org/shop/token"\n',
        "module example.org/shop\n",
        '{"compilerOptions": {"paths": {"@/*": ["web/*"]}}}',
        "mod token;\npub fn token_step() {}\n",
        "# The token\n\nIt expired in the garden, see `verify_token`.\n",
        "pebble = 1\n" * 60,
        "17\n",
        "pebble stone\n",
        "",
        "\0",
        card(
            "shop/login.py",
            title="Expired token",
            body="`verify_token` of the login.\n",
        ),
        card("docs/", "shop/token.py", title="The garden of tokens"),
        card(title="Parcel", extra="budget: 700\n"),
    ]
)


class Edit(NamedTuple):
    """One change of the tree."""

    what: str
    path: str
    text: str
    target: str

    def do(self, root: Path) -> None:
        place, target = root / self.path, root / self.target
        if (
            self.what == "write"
            and not place.is_dir()
            and not is_below_file(root, place)
        ):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(self.text)
        elif self.what == "append" and place.is_file():
            place.write_bytes(
                place.read_bytes() + f"\n{self.text.split(chr(10))[0]}\n".encode()
            )
        elif self.what == "delete" and place.is_file() and self.path != CARD:
            place.unlink()
        elif (
            self.what == "move"
            and place.is_file()
            and CARD not in (self.path, self.target)
        ):
            if not target.is_dir() and not is_below_file(root, target):
                target.parent.mkdir(parents=True, exist_ok=True)
                place.replace(target)
        elif self.what == "commit":
            git(root, "add", "-A")
            git(root, "commit", "-q", "--allow-empty", "-m", f"About {self.path}")


def is_below_file(root: Path, place: Path) -> bool:
    return any(above.is_file() for above in place.parents if above != root)


EDITS = st.builds(
    Edit,
    st.sampled_from(
        [*["write"] * 6, *["append"] * 3, *["delete"] * 2, *["move"] * 2, "commit"]
    ),
    PATHS,
    TEXTS,
    PATHS,
)
REQUESTS = st.sampled_from(
    [
        ROOT,
        ROOT,
        Request("2a9f1x", 900),
        Request("7bq3md"),
        Request("2a9f1x", related=False),
    ]
)
START: Files = {
    CARD: card(
        "shop/login.py", title="Expired token", body="`verify_token` of the login.\n"
    ),
    OTHER: card("docs/token.md", title="The garden", body="Parcels stand in it.\n"),
    "shop/token.py": "def verify_token(token):\n    return token.expired\n",
    "shop/login.py": "from shop.token import verify_token\n\n\ndef login(visitor):\n    return verify_token(visitor)\n",
    "docs/token.md": "# The token\n\nIt expires.\n",
    **{
        f"src/{name}.py": f"def {name}(box):\n    return box\n"
        for name in ("kitchen", "weather", "museum", "station")
    },
}
GIT_ENVIRON = {
    "PATH": os.environ["PATH"],
    **plain_git.settings(),
    **plain_git.person("A", "a@example.org"),
    "GIT_AUTHOR_DATE": "1700000000 +0000",
    "GIT_COMMITTER_DATE": "1700000000 +0000",
}


def git(root: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", *arguments], cwd=root, env=GIT_ENVIRON, check=True, capture_output=True
    )


def write_files(root: Path, files: Files) -> None:
    """Write files in the given order."""
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())


def build_result(workspace: Workspace, request: Request = ROOT) -> tuple[str, object]:
    """Return text and report of a newly built scene, or message and hint of the error
    if the card is binary.
    """
    try:
        made = to_made(workspace, build(workspace, request))
    except Invalid as error:
        return error.message, error.hint
    return made.text, made.report


def cold_result(root: Path, request: Request = ROOT) -> tuple[str, object]:
    """Return the result of a process without any cache."""
    workspace = workspace_at(WorkspacePaths(str(root)), {}).reopened(
        index_in_memory=True
    )
    workspace.refresh()
    found = build_result(workspace, request)
    workspace.close()
    return found


def new_root(base: Path, name: str = "work") -> Path:
    shutil.rmtree(base / name, ignore_errors=True)
    (base / name / ".cuedeck").mkdir(parents=True)
    return base / name


@settings(max_examples=15, deadline=None)
@given(
    bursts=st.lists(
        st.tuples(st.lists(EDITS, max_size=3), st.one_of(st.none(), REQUESTS)),
        min_size=2,
        max_size=7,
    )
)
def test_long_running_process_gives_the_result_of_a_new_one(
    base: Path, bursts: list[tuple[list[Edit], Request | None]]
) -> None:
    root = new_root(base)
    write_files(root, START)
    git(root, "init", "-q")
    kept = workspace_at(WorkspacePaths(str(root)), {})
    for edits, request in [([], ROOT), *bursts, ([], ROOT)]:
        for edit in edits:
            edit.do(root)
        kept.refresh()
        if request is not None:
            assert build_result(kept, request) == cold_result(root, request)
    kept.close()


def test_cold_warm_and_cached_scenes_have_equal_bytes(sandbox: Sandbox) -> None:
    write_files(sandbox.root, START)
    sandbox.git("init", "-q")
    for message in ("Begin", "Keep the visitor with the weather"):
        for path in ("shop/login.py", "src/weather.py"):
            place = sandbox.place(path)
            place.write_text(place.read_text() + "# another line of it\n")
        sandbox.git("add", "-A")
        sandbox.git("commit", "-q", "-m", message)
    first = make_scene(sandbox.workspace(), ROOT)
    paths = [
        each["path"] for each in first.report["visits"] if each["tier"] == "related"
    ]
    assert paths[0] == "shop/token.py" and "src/weather.py" in paths
    assert make_scene(sandbox.workspace(), ROOT) == first
    workspace = sandbox.workspace()
    workspace.refresh()
    assert (
        build_result(workspace)
        == build_result(workspace)
        == cold_result(sandbox.root)
        == (first.text, first.report)
    )
    shutil.rmtree(sandbox.place(".cuedeck/cache"))
    assert make_scene(sandbox.workspace(), ROOT) == first


def test_new_commit_gives_a_new_scene(sandbox: Sandbox) -> None:
    write_files(sandbox.root, START)
    sandbox.git("init", "-q")
    sandbox.git("commit", "-q", "--allow-empty", "-m", "Begin")
    workspace = sandbox.workspace()
    before = make_scene(workspace, ROOT)
    sandbox.git("add", "shop/login.py", "src/weather.py")
    sandbox.git("commit", "-q", "-m", "Keep the visitor with the weather")
    after = make_scene(workspace, ROOT)
    assert "src/weather.py" in after.text and "src/weather.py" not in before.text
    assert (after.text, after.report) == cold_result(sandbox.root)


def test_related_tier_needs_a_share_or_a_request(sandbox: Sandbox) -> None:
    write_files(sandbox.root, START)
    plain = make_scene(sandbox.workspace(), Request("2a9f1x", related=False))
    assert {each["tier"] for each in plain.report["visits"]} == {"explicit"}
    for settings_text in ("related = false", "related_share = 0.0"):
        sandbox.write(".cuedeck/config.toml", f"[scene]\n{settings_text}\n")
        assert make_scene(sandbox.workspace(), ROOT) == plain
        assert (
            make_scene(sandbox.workspace(), Request("2a9f1x", related=False)) == plain
        )


def test_unindexed_file_may_still_be_the_target_of_an_import(sandbox: Sandbox) -> None:
    login = "from shop import build\n\n\ndef login(visitor):\n    return build\n"
    write_files(
        sandbox.root,
        START
        | {"shop/__init__.py": "", "shop/build.py": "x = 1\n", "shop/login.py": login},
    )
    workspace = sandbox.workspace()
    workspace.refresh()
    reasons = {
        each["path"]: each["why"]
        for each in make_scene(workspace, ROOT).report["visits"]
    }
    assert "imported by `login.py`" in reasons["shop/build.py"]
    assert build_result(workspace) == cold_result(sandbox.root)
    sandbox.write("shop/build/__init__.py", "y = 2\n")
    workspace.refresh()
    assert build_result(workspace) == cold_result(sandbox.root)


def test_matching_part_of_a_file_may_move(sandbox: Sandbox) -> None:
    parts = [
        "\n".join(f"    {word}_{at} = {word}(value)" for at in range(30))
        for word in ("verify_token", "pebble")
    ]
    sandbox.write(".cuedeck/config.toml", "[scene]\nbudget = 700\n")
    write_files(sandbox.root, START)
    workspace = sandbox.workspace()
    shown = set()
    for one, other in (parts, parts[::-1]):
        sandbox.write(
            "shop/token.py",
            f"def first(value):\n{one}\n\n\ndef second(value):\n{other}\n",
        )
        workspace.refresh()
        assert build_result(workspace) == cold_result(sandbox.root)
        shown.add(build_result(workspace)[0])
    assert len(shown) == 2


def test_changed_project_file_may_redirect_imports(sandbox: Sandbox) -> None:
    login = 'import { open } from "@/gate";\n\nexport const login = open;\n'
    files = {
        f"{folder}/gate.ts": "export function open() {}\n" for folder in ("one", "two")
    }
    write_files(
        sandbox.root,
        START
        | files
        | {"web/login.ts": login, CARD: card("web/login.ts", title="Expired")},
    )
    workspace = sandbox.workspace()
    for folder in ("one", "two"):
        sandbox.write(
            "tsconfig.json",
            f'{{"compilerOptions": {{"paths": {{"@/*": ["{folder}/*"]}}}}}}',
        )
        workspace.refresh()
        text, report = build_result(workspace)
        assert (text, report) == cold_result(sandbox.root)
        section = text.partition(f"### `{folder}/gate.ts`\n")[2].partition("\n\n")[0]
        assert "imported by 'login.ts'" in section
