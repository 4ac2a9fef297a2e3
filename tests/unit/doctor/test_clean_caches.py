"""Temporary files and caches are deleted, since CueDeck can make them again."""

from __future__ import annotations

import os

from sandbox import Sandbox

from cuedeck.doctor.clean_caches import clean

DEAD = 99_999_999


def test_temporary_files_of_dead_writers_are_deleted_and_others_are_kept(
    sandbox: Sandbox,
) -> None:
    left = [
        f".cuedeck/cache/backup/.x.{DEAD}.tmp",
        f".cuedeck/sessions/.s.json.{DEAD}.tmp",
    ]
    for path in left:
        sandbox.write(path, "half")
    sandbox.write(f".cuedeck/cache/.SCENE.md.{DEAD}.tmp", "half")
    living = sandbox.write(f".cuedeck/sessions/.s.json.{os.getpid()}.tmp", "half")
    answer = clean(sandbox.workspace(), dry_run=True)
    assert sandbox.place(left[0]).exists()
    done = clean(sandbox.workspace())
    assert (answer["removed"], answer["bytes"]) == (done["removed"], done["bytes"])
    assert [each for each in done["removed"] if "cache/." not in each] == left
    assert not any(sandbox.place(path).exists() for path in left)
    assert living.exists()
