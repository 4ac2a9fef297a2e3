"""Expressions from files run on RE2 in linear time; unsupported constructs are refused
by name.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from cuedeck.model.errors import Invalid
from cuedeck.parse.linear_patterns import compile_pattern, searchable


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (r"(a)\1", r"a back reference, `\1`, is not supported"),
        ("(?P<a>x)(?P=a)", "a back reference"),
        ("(?=a)b", "look-around, `(?=`, is not supported"),
        ("(?!a)b", "look-around, `(?!`, is not supported"),
        ("(?<=a)b", "look-around, `(?<=`, is not supported"),
        ("(?<!a)b", "look-around, `(?<!`, is not supported"),
        ("(?>a)", "an atomic group"),
        ("(a)?(?(1)b|c)", "a conditional group"),
        ("a++", "a possessive quantifier, `++`, is not supported"),
        ("(?x) a", "a flag, `(?x`, is not supported"),
        (r"a\Z", r"write \z"),
        ("a{2000}", "repeats more than 1,000 times"),
        ("a{99999999999}", "repeats more than 1,000 times"),
        ("a{1,1001}", "repeats more than 1,000 times"),
        (r"\w{900}", "2,704 states, the limit is 2,000"),
        ("(", "missing )"),
        ("a)|(b", "unexpected )"),
        ("[z-a]", "invalid character class range"),
    ],
)
@pytest.mark.parametrize("by_line", [True, False])
def test_unsupported_syntax_is_refused_by_name(
    expression: str, reason: str, by_line: bool
) -> None:
    with pytest.raises(Invalid) as caught:
        compile_pattern(expression, by_line=by_line)
    assert (
        f"`{expression}`" in caught.value.message and "(?m)" not in caught.value.message
    )
    if "states" not in reason or not by_line:
        assert reason in caught.value.message
    assert "re2" in caught.value.hint.lower()


@pytest.mark.parametrize(
    "expression", ["a{1000}", "a{,5000}b{1,3}", r"EMP-[A-Z0-9]{32}", r"(?i)key\d{4}"]
)
def test_an_ordinary_expression_compiles(expression: str) -> None:
    assert compile_pattern(expression, by_line=True)


def test_a_search_is_no_slower_for_nested_repetition() -> None:
    assert compile_pattern(r"(a+)+$").search("a" * 200_000 + "!") is None


def test_half_a_surrogate_pair_becomes_one_character() -> None:
    assert searchable("a\ud800b") == "a\ufffdb"
    assert searchable("aéb") == "aéb"


def test_without_the_engine_an_expression_is_refused_and_lines_are_masked() -> None:
    code = (
        "import sys; sys.modules['re2'] = None\n"
        "from cuedeck.parse.secrets import find_secrets\n"
        "print(find_secrets('one', extra=[('own', 'x')]))\n"
        "from cuedeck.parse.settings_file import parse_settings\n"
        "try: parse_settings(\"[secrets]\\npatterns = ['own: x']\\n\")\n"
        "except Exception as error: print(type(error).__name__, error.hint)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        "(Secret(start=0, end=3, kind='own'),)\nConfigurationError run: python -m pip install google-re2\n"
    )


def test_the_engine_is_imported_for_an_expression_alone() -> None:
    code = (
        "import sys\n"
        "from cuedeck.parse.secrets import find_secrets\n"
        "from cuedeck.parse.settings_file import parse_settings\n"
        "import cuedeck.parse.assumption_checks\n"
        "find_secrets('password: x'); parse_settings('')\n"
        "print('re2' in sys.modules)\n"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "False\n"
    )
