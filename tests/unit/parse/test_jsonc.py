from __future__ import annotations

import json

from cuedeck.parse.jsonc import plain_json


def test_comments_and_commas_too_many_go_and_lines_stay() -> None:
    text = '{\n  // one\n  "a": "// no comment, }", /* two\n  lines */\n  "b": [1, 2,],\n}\n'
    plain = plain_json(text)
    assert json.loads(plain) == {"a": "// no comment, }", "b": [1, 2]}
    assert plain.count("\n") == text.count("\n")
