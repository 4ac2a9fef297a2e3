from __future__ import annotations

from memory import CARD, Memory, card, walked

from cuedeck.app.scene.related_files import secret_words, without_secrets

KEY = "AKIA" + "QYLPMN5HHHFPZAM2"
PASSWORD = "correct" + "Horse9battery"
FILES = {
    CARD: card("src/keys.py"),
    "src/keys.py": f'AWS = "{KEY}"\nclient = connect()\n',
    "src/more.py": f'password = "{PASSWORD}"\nclient = connect()\n',
}


def said(reason: str, path: str = "src/more.py") -> str:
    paths = [*(visit.path for visit in walked(FILES).visits), path]
    return without_secrets(reason, secret_words(paths, Memory(FILES)))


def test_words_of_files_stay() -> None:
    reason = "its text has `client`, `connect`; named like `src/keys.py`"
    assert said(reason) == reason


def test_a_secret_of_what_is_linked_is_hidden_in_lower_case_too() -> None:
    assert said(f"shares `{KEY.lower()}`, `client` with what is linked") == (
        "shares `<secret>`, `client` with what is linked"
    )


def test_a_secret_of_the_file_is_hidden_whole_and_in_pieces() -> None:
    for word in (PASSWORD, PASSWORD.lower(), "horse"):
        assert said(f"its text has `{word}`") == "its text has `<secret>`"
        assert said(f"its text has `{word}`", "src/keys.py") == f"its text has `{word}`"
