"""Tokens that a line end divides."""

from __future__ import annotations

import pytest

from cuedeck.parse.secrets import find_secrets

TOKEN = "ghp_" + "Qm4Kx8Tn2Wb6Lp9Zc3Vr" + "Hd7Fs1Gy5Jt0Ru8E"
JWT = (
    "eyJhbGciOiJIUzI1NiJ9"
    ".eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ"
    ".SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"
)
ANTHROPIC = "sk-" + "ant-api03-" + "aB3_dE5-" * 10


def found(text: str) -> list[str]:
    return [text[secret.start : secret.end] for secret in find_secrets(text)]


@pytest.mark.parametrize("joint", ["\n", "\r\n", " \n", "\n    ", "\n> ", "\\n"])
@pytest.mark.parametrize("at", [5, 20, 38])
def test_both_parts_are_found(joint: str, at: int) -> None:
    text = f"The token is {TOKEN[:at]}{joint}{TOKEN[at:]} and so on."
    assert found(text) == [f"{TOKEN[:at]}{joint}{TOKEN[at:]}"]


@pytest.mark.parametrize("width", [20, 30, 40, 70, 80, 100])
def test_a_token_of_many_lines_is_found(width: int) -> None:
    broken = "\n".join(JWT[at : at + width] for at in range(0, len(JWT), width))
    assert found(f"{broken} is it\n") == [broken]


def test_a_full_line_continues_with_a_random_part() -> None:
    line = f"export ANTHROPIC={'x' * 30} {ANTHROPIC[:40]}"
    assert found(f"{line}\n{ANTHROPIC[40:]}\nmore\n") == [
        f"{ANTHROPIC[:40]}\n{ANTHROPIC[40:]}"
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"{TOKEN}\nand more words\n",
        f"{TOKEN}\n3f2a9c1d0b is the commit\n",
        f"{'long ' * 20}{TOKEN}\nand more words\n",
    ],
)
def test_the_word_after_a_whole_token_is_shown(text: str) -> None:
    assert found(text) == [TOKEN]


def test_tokens_on_lines_of_their_own_are_separate() -> None:
    other = TOKEN[:-4] + "a1B2"
    assert found(f"{TOKEN}\n{other}\n") == [TOKEN, other]
    assert found(f"{TOKEN[:30]}\n{other}\n") == [other]


@pytest.mark.parametrize(
    "text",
    [
        "Tokens begin with ghp_\nand have 36 characters more.\n", "AKIA\nIOSFODNN7 is an example of a key.\n",
        f"{TOKEN[:20]}\n\n{TOKEN[20:]}\n", "const prefix = 'ghp_'\nconst length = 36\n", "whsec_\nsk_live_\n",
    ],
)  # fmt: skip
def test_other_text_is_shown(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("line", ["eyJa1B2c3d", "aeyJa1B2c3", "eyJa1.", "ghp_a1B2c3d4"])
def test_hostile_lines_give_no_secret(line: str) -> None:
    assert found(f"{line}\n" * 5_000) == []
