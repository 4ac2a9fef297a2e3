from __future__ import annotations

from memory import CARD, Memory, card, walk_files

from cuedeck.context.scene.related_files import secret_words, without_secrets

KEY = "AKIA" + "QYLPMN5HHHFPZAM2"
PASSWORD = "correct" + "Horse9battery"
FILES = {
    CARD: card("src/keys.py"),
    "src/keys.py": f'AWS = "{KEY}"\nclient = connect()\n',
    "src/more.py": f'password = "{PASSWORD}"\nclient = connect()\n',
}


def mask_reason(reason: str, path: str = "src/more.py") -> str:
    paths = [*(visit.path for visit in walk_files(FILES).visits), path]
    return without_secrets(reason, secret_words(paths, Memory(FILES)))


def test_words_of_files_are_unchanged() -> None:
    reason = "its text has `client`, `connect`; named like `src/keys.py`"
    assert mask_reason(reason) == reason


def test_secret_of_a_linked_file_is_masked_in_lower_case_too() -> None:
    assert mask_reason(f"shares `{KEY.lower()}`, `client` with what is linked") == (
        "shares `<secret>`, `client` with what is linked"
    )


def test_secret_of_the_file_is_masked_as_a_whole_and_in_parts() -> None:
    for word in (PASSWORD, PASSWORD.lower(), "horse"):
        assert mask_reason(f"its text has `{word}`") == "its text has `<secret>`"
        assert (
            mask_reason(f"its text has `{word}`", "src/keys.py")
            == f"its text has `{word}`"
        )
