"""JavaScript and TypeScript imports: suffixes, index files, patterns, packages."""

from __future__ import annotations

import pytest
from import_trees import SourceTree

HONO = SourceTree(
    """
    package.json tsconfig.json src/index.ts src/url.ts src/hono.ts src/types.d.ts src/data.json src/jsx/index.ts
    src/jsx/base.tsx src/jsx/dom/index.ts src/adapter/bun/index.ts src/worker.mts src/old.cjs src/url/index.ts
    src/App.vue src/logo.svg runtime/test.tsx
    """,
    ("package.json", "hono", ""),
    ("package.json", "hono/bun", "dist/adapter/bun/index.js"),
)
MONOREPO = SourceTree(
    """
    package.json tsconfig.base.json
    apps/web/package.json apps/web/tsconfig.json apps/web/src/main.ts apps/web/src/lib/api.ts apps/web/src/lib/deep/a.ts
    apps/web/src/generated/lib/deep/b.ts apps/web/src/env.node.ts
    apps/admin/package.json apps/admin/tsconfig.json apps/admin/app/main.tsx apps/admin/app/lib/api.ts
    packages/ui/package.json packages/ui/src/index.ts packages/ui/src/button.tsx packages/ui/styles.css
    packages/plain/package.json packages/plain/index.js packages/plain/sub.js
    """,
    ("tsconfig.base.json", "~shared", "packages/plain/index.js"),
    ("apps/web/tsconfig.json", "@/*", "apps/web/src/*"),
    ("apps/web/tsconfig.json", "@/lib/deep/*", "apps/web/src/generated/lib/deep/*"),
    ("apps/web/tsconfig.json", "*", "apps/web/src/*"),
    ("apps/web/package.json", "web", "apps/web"),
    ("apps/web/package.json", "#env", "apps/web/src/env.node.ts"),
    ("apps/web/package.json", "#lib/*", "apps/web/src/lib/*.ts"),
    ("apps/admin/tsconfig.json", "@/*", "apps/admin/app/*"),
    ("apps/admin/package.json", "admin", "apps/admin"),
    ("packages/ui/package.json", "@acme/ui", "packages/ui"),
    ("packages/plain/package.json", "plain", "packages/plain"),
)


@pytest.mark.parametrize(
    ("spec", "taken"),
    [
        ("./url", "src/url.ts"),
        ("./url.ts", "src/url.ts"),
        ("./url.js", "src/url.ts"),
        ("./url/", "src/url/index.ts"),
        ("./jsx", "src/jsx/index.ts"),
        ("./jsx/base", "src/jsx/base.tsx"),
        ("./jsx/base.js", "src/jsx/base.tsx"),
        ("./jsx/base.jsx", "src/jsx/base.tsx"),
        ("./types", "src/types.d.ts"),
        ("./types.js", "src/types.d.ts"),
        ("./worker.mjs", "src/worker.mts"),
        ("./old", "src/old.cjs"),
        ("./data.json", "src/data.json"),
        ("./App", "src/App.vue"),
        ("./logo.svg?raw", "src/logo.svg"),
        (".", "src/index.ts"),
        ("./", "src/index.ts"),
        ("./jsx/..", "src/index.ts"),
        ("./none", ""),
    ],
)
def test_suffixes_are_guessed_as_compilers_do(spec: str, taken: str) -> None:
    assert HONO.resolve_import("src/hono.ts", spec) == ([taken] if taken else [])


def test_package_imports_itself_by_name() -> None:
    assert HONO.resolve_import("runtime/test.tsx", "hono") == ["src/index.ts"]
    assert HONO.resolve_import("runtime/test.tsx", "hono/jsx") == ["src/jsx/index.ts"]
    assert HONO.resolve_import("runtime/test.tsx", "hono/jsx/dom") == [
        "src/jsx/dom/index.ts"
    ]
    assert HONO.resolve_import("runtime/test.tsx", "hono/none") == []
    assert HONO.resolve_import("runtime/test.tsx", "honolulu") == []


def test_built_file_resolves_to_its_source() -> None:
    assert HONO.resolve_import("runtime/test.tsx", "hono/bun") == [
        "src/adapter/bun/index.ts"
    ]


def test_patterns_of_the_nearest_tsconfig_apply() -> None:
    assert MONOREPO.resolve_import("apps/web/src/main.ts", "@/lib/api") == [
        "apps/web/src/lib/api.ts"
    ]
    assert MONOREPO.resolve_import("apps/admin/app/main.tsx", "@/lib/api") == [
        "apps/admin/app/lib/api.ts"
    ]
    assert MONOREPO.resolve_import("packages/ui/src/button.tsx", "@/lib/api") == []


def test_longest_pattern_comes_first_and_the_next_one_is_tried() -> None:
    assert MONOREPO.resolve_import("apps/web/src/main.ts", "@/lib/deep/b") == [
        "apps/web/src/generated/lib/deep/b.ts"
    ]
    assert MONOREPO.resolve_import("apps/web/src/main.ts", "@/lib/deep/a") == [
        "apps/web/src/lib/deep/a.ts"
    ]


def test_base_url_resolves_every_name() -> None:
    assert MONOREPO.resolve_import("apps/web/src/main.ts", "lib/api") == [
        "apps/web/src/lib/api.ts"
    ]
    assert MONOREPO.resolve_import("apps/admin/app/main.tsx", "lib/api") == []


def test_pattern_without_a_star_matches_only_the_whole_name() -> None:
    assert MONOREPO.resolve_import("apps/web/src/main.ts", "~shared") == [
        "packages/plain/index.js"
    ]
    assert MONOREPO.resolve_import("apps/web/src/main.ts", "~shared/x") == []


def test_packages_of_the_workspace_are_found_by_name() -> None:
    assert MONOREPO.resolve_import("apps/web/src/main.ts", "@acme/ui") == [
        "packages/ui/src/index.ts"
    ]
    assert MONOREPO.resolve_import("apps/web/src/main.ts", "@acme/ui/button") == [
        "packages/ui/src/button.tsx"
    ]
    assert MONOREPO.resolve_import("apps/web/src/main.ts", "@acme/ui/styles.css") == [
        "packages/ui/styles.css"
    ]
    assert MONOREPO.resolve_import("apps/web/src/main.ts", "plain/sub") == [
        "packages/plain/sub.js"
    ]
    assert MONOREPO.resolve_import("apps/web/src/main.ts", "react") == []


def test_hash_imports_belong_to_the_package_of_the_file() -> None:
    assert MONOREPO.resolve_import("apps/web/src/main.ts", "#env") == [
        "apps/web/src/env.node.ts"
    ]
    assert MONOREPO.resolve_import("apps/web/src/main.ts", "#lib/api") == [
        "apps/web/src/lib/api.ts"
    ]
    assert MONOREPO.resolve_import("apps/admin/app/main.tsx", "#env") == []
