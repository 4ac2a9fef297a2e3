from __future__ import annotations

import pytest

from cuedeck.parse.index_terms import is_noise


@pytest.mark.parametrize(
    "path",
    [
        "Cargo.lock",
        "package-lock.json",
        "web/pnpm-lock.yaml",
        "go.sum",
        "requirements-dev.txt",
        "CHANGELOG.md",
        "docs/Changes.rst",
        "HISTORY",
        "news/1234.bugfix",
        "docs/release-notes/1.0.md",
        "releases.json",
        "LICENSE",
        "LICENSE-APACHE-2.0",
        "crates/x/LICENCE.md",
        "COPYING.LESSER",
        "AUTHORS",
        "NOTICE.txt",
        "maintainers.yml",
        "vendor/github.com/x/y.go",
        "web/node_modules/a/index.js",
        "dist/app.js",
        "locale/de/messages.po",
        "app/__snapshots__/a.ts.snap",
        "pkg/api.pb.go",
        "pkg/api_pb2.py",
        "static/app.min.js",
        "logo.svg",
        "data/people.csv",
        ".github/workflows/ci.yml",
        "web/.eslintrc.js",
        ".cuedeck/cards/2a9f1x.md",
        ".cuedeck/docs/.draft.md",
        ".cuedeck/docs/CHANGELOG.md",
    ],
)
def test_what_changes_with_everything_and_explains_nothing_is_noise(path: str) -> None:
    assert is_noise(path)


@pytest.mark.parametrize(
    "path",
    [
        "src/auth.py",
        "README.md",
        "docs/guide.md",
        ".cuedeck/docs/auth.md",
        "Makefile",
        "Cargo.toml",
        "src/builder/mod.rs",
        "src/vendors.ts",
        "src/distance.go",
        "docs/requirements.md",
        "src/block.py",
        "src/snapshot.rs",
    ],
)
def test_other_files_are_none(path: str) -> None:
    assert not is_noise(path)


@pytest.mark.parametrize(
    "path",
    ["src/history.py", "app/models/authors.rb", "web/news.ts", "notice.go", "src/license_check.rs", "noticeboard.md"],
)
def test_a_module_may_be_called_like_a_change_log_or_a_licence(path: str) -> None:
    assert not is_noise(path)
