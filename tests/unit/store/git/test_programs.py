"""Git is called for its data only; programs named in the settings of a repository are
not started.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from repo import Repo

from cuedeck.store.files.ignore_state import TrackedFiles
from cuedeck.store.git.checkout import Checkout
from cuedeck.store.git.commit_log import History
from cuedeck.store.git.head import find_repository
from cuedeck.store.index import Index

posix = pytest.mark.skipif(os.name == "nt", reason="needs shell scripts")


@posix
@pytest.mark.parametrize(
    "setting",
    [
        "core.fsmonitor",
        "core.pager",
        "diff.external",
        "diff.odd.textconv",
        "filter.odd.clean",
        "gpg.program",
    ],
)
def test_no_program_that_settings_name_is_started(
    repo: Repo, tmp_path: Path, setting: str
) -> None:
    """The monitor of files was once started by every question but one."""
    first = repo.commit(
        "one",
        {"a.txt": "the first line\n", ".gitattributes": "*.txt diff=odd filter=odd\n"},
    )
    repo.commit("two", {"a.txt": "the second line\n"})
    signed = repo.git("cat-file", "commit", "HEAD").replace(
        "\n\n", f"\ngpgsig {_SIGNATURE}\n\n", 1
    )
    repo.git(
        "reset",
        "-q",
        "--soft",
        repo.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=signed),
    )
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho x >> "{tmp_path / "started"}"\n')
    program.chmod(0o755)
    repo.git("config", "log.showSignature", "true")
    repo.git("config", setting, str(program))
    repo.write("a.txt", "the third line\n")
    root = str(repo.root)
    assert len(History(root, Index("")).commits()) >= 2
    TrackedFiles(root).ask(find_repository(root))
    checkout = Checkout(root)
    assert checkout.dirty() == ["a.txt"]
    assert [each.paths for each in checkout.since(first)] == [("a.txt",)]
    assert not (tmp_path / "started").exists()


_SIGNATURE = (
    "-----BEGIN PGP SIGNATURE-----\n \n iQEzBAABCAAdFiEE\n -----END PGP SIGNATURE-----"
)


@posix
@pytest.mark.parametrize(
    "setting",
    [
        "mailmap.file",
        "diff.orderFile",
        "core.excludesFile",
        "core.attributesFile",
        "mailmap.blob",
    ],
)
def test_a_file_that_settings_name_is_not_read(
    repo: Repo, tmp_path: Path, setting: str
) -> None:
    first = repo.commit("one", {"a.txt": "the first line\n"})
    repo.commit("two", {"a.txt": "the second line\n"})
    os.mkfifo(tmp_path / "pipe")
    repo.git(
        "config",
        setting,
        "HEAD:a.txt" if setting.endswith("blob") else str(tmp_path / "pipe"),
    )
    (repo.root / "b.txt").write_text("new")
    assert len(History(str(repo.root), Index("")).commits()) == 2
    checkout = Checkout(str(repo.root))
    assert checkout.dirty() == ["b.txt"]
    assert [each.paths for each in checkout.since(first)] == [("a.txt",)]
    assert checkout.fault == ""
