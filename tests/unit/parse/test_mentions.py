from __future__ import annotations

import pytest

from cuedeck.parse.refs import find_mentions, mention_target


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("see @doc/api#Login.", ["api#Login"]), ("(@doc/api), @doc/b; @doc/c!", ["api", "b", "c"]),
        ("**@doc/api** and _@doc/my_api_", ["api", "my_api"]), ("@doc/api#Error Handling", ["api#Error"]),
        ("@ref[docs/api.md#Error Handling]", ["docs/api.md#Error Handling"]), ("the @doc/api's part", ["api"]),
        ("@doc/src/x.py#L10-L40,", ["src/x.py#L10-L40"]), ("@doc/v1.2/api.md.", ["v1.2/api.md"]),
        ("@doc/ @ref[] @doc @ref", []), ("me@doc/x https://h/@doc/x \\@doc/x @@doc/x", []), ("@ref[a\nb]", []),
        ("„@doc/größe“", ["größe"]),
    ],
)  # fmt: skip
def test_mentions_end_where_the_sentence_goes_on(text: str, targets: list[str]) -> None:
    assert [mention.target for mention in find_mentions(text)] == targets


def test_offsets_point_at_the_at_sign() -> None:
    assert [mention.offset for mention in find_mentions("ü @doc/a\n@ref[b]")] == [2, 9]


def test_a_mention_alone_may_hold_blanks() -> None:
    assert mention_target("@doc/api#Error Handling") == "api#Error Handling"
    assert mention_target("@ref[x] y") == ""
    assert mention_target("@other/x") == ""
