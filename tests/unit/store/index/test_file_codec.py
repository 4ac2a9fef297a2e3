from __future__ import annotations

import pytest

from cuedeck.parse.parse_file import parse_file
from cuedeck.store.index.read_file import decode, encode

TEXTS = {
    ".cuedeck/cards/a.md": "---\ntitle: A\ntags: [x]\nrefs: [docs/a.md]\n---\n# A\n",
    "docs/a.md": "# A\n\n[[b]] para ^block\n\n## B\n",
    "pkg/__init__.py": "from .a import b, c\nimport d\n\nclass E:\n    '''Doc.'''\n",
    "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}',
    "bad.py": "def (\n",
    "a.bin": "\0",
}


@pytest.mark.parametrize("path", TEXTS)
def test_a_file_comes_back_as_it_was(path: str) -> None:
    file = parse_file(path, TEXTS[path].encode())
    assert decode(path, file.kind, encode(file)) == file


def test_imports_symbols_and_roots_are_kept() -> None:
    file = parse_file("pkg/__init__.py", TEXTS["pkg/__init__.py"].encode())
    back = decode(file.path, file.kind, encode(file))
    assert [tuple(each) for each in back.imports] == [
        (".a", ("b", "c"), 1),
        ("d", (), 2),
    ]
    assert [(each.name, each.doc) for each in back.symbols] == [("E", "Doc.")]
    file = parse_file("tsconfig.json", TEXTS["tsconfig.json"].encode())
    assert decode(file.path, file.kind, encode(file)).roots == (("@/*", "src/*"),)
