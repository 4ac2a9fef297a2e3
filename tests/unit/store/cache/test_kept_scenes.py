from __future__ import annotations

from pathlib import Path

from sandbox import Sandbox

import cuedeck
from cuedeck.store.cache.kept_scenes import PRODUCERS, kept_scenes, save_scene


def test_kept_scenes_come_newest_first_without_damaged_ones(sandbox: Sandbox) -> None:
    index = sandbox.workspace().index
    assert list(kept_scenes(index)) == []
    for number in range(3):
        save_scene(
            index, f"key {number}", (f"text {number}", {"receipt": str(number)}, {})
        )
    index.keep("scenes", {"broken": b"no frame"}, 16)
    save_scene(index, "key 0", ("again", {"receipt": "0"}, {}))
    assert [parts[0] for parts in kept_scenes(index)] == ["again", "text 2", "text 1"]


def test_the_code_version_covers_packages_that_exist() -> None:
    home = Path(cuedeck.__file__).parent
    assert [
        folder for folder in PRODUCERS if not (home / folder / "__init__.py").is_file()
    ] == []
