"""Expressions from files run on RE2 in linear time; unsupported ones are refused."""

from __future__ import annotations

import re
import subprocess
import sys
import time

import pytest

from cuedeck.model.errors import Invalid, install_hint
from cuedeck.parse.linear_patterns import compile_linear, compile_pattern, searchable


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        (r"(a)\1", "escape"), ("(?=a)b", "(?="), ("(?<!a)b", "(?<"), ("a++", "++"), ("(?x) a", "(?x"),
        ("a{2000}", "repeats more than 1,000 times"), ("a{99999999999}", "repeats more than 1,000 times"),
        ("a{1,1001}", "repeats more than 1,000 times"), (r"\w{900}", "2,704 states, the limit is 2,000"),
        ("(", "missing )"), ("a)|(b", "unexpected )"), ("[z-a]", "invalid character class range"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("by_line", [True, False])
def test_unsupported_syntax_is_refused(
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


SUBSET = {
    r"EMP-\d{4,6}": "EMP-12345 emp-1 EMP-1234567",
    r"(?i)key\d{4}": "KEY1234 key12",
    r"PASSWORD=(?P<secret>\S+)": "PASSWORD=one two PASSWORD=",
    r"(?:foo|bar)-[a-z0-9]{8,40}": "foo-abcdefgh12 bar-1 foo-bar-abcdefgh",
    r"^pin [0-9]{4}$": "pin 1234\npin 12345\nx pin 1234",
    "(a|b){3}c?": "abac aab ab",
    r"\bX[a-z]*": "Xyz aXb X",
    "sk_live_51H8.*": "sk_live_51H8abc\nsk_live_51H8",
}


@pytest.mark.parametrize("expression", SUBSET)
def test_the_subset_matches_what_the_engine_matches(expression: str) -> None:
    text = SUBSET[expression]
    ours = compile_linear(expression, by_line=True)
    engine = compile_pattern(expression, by_line=True)
    spans = [match.span() for match in engine.finditer(text)]
    assert [match.span() for match in ours.finditer(text)] == spans and spans


@pytest.mark.parametrize(
    "expression",
    [
        "(a+)+$", "a+b", "(a|aa)*c", ".*foo", "(a{1,30}){1,30}b", "(a?){30}a{30}", "(?=a)b", r"(a)\1", "(?>a)", "a++",
        "(?x) a", "(?#x)a", r"\u0041", "[[:alpha:]]", "a{,5}", r"a\Z", "(?i:a)", "[",
    ],
)  # fmt: skip
def test_other_expressions_are_refused_without_the_engine(expression: str) -> None:
    with pytest.raises(Invalid):
        compile_linear(expression, by_line=True)


def test_the_subset_is_searched_in_linear_time() -> None:
    for expression, text in (
        (r"a{1,40}b", "a"),
        (r"PASSWORD=(?P<secret>\S+)", "PASSWORD="),
        ("(?:foo|fo)-?[a-z]{8,40}", "fo"),
    ):
        pattern = compile_linear(expression, by_line=True)
        small, large = (
            _steps(pattern, text * (size // len(text))) for size in (10_000, 80_000)
        )
        assert large < 24 * small + 0.02


def _steps(pattern: re.Pattern[str], text: str) -> float:
    found = []
    for _ in range(3):
        start = time.process_time()
        assert sum(1 for _ in pattern.finditer(text)) >= 0
        found.append(time.process_time() - start)
    return min(found)


def test_without_the_engine_the_subset_masks_and_others_are_refused_by_name() -> None:
    code = (
        "import sys; sys.modules['re2'] = None\n"
        "from cuedeck.parse.secrets import find_secrets\n"
        "print(find_secrets('one x', extra=[('own', 'x')]))\n"
        "print(find_secrets('one', extra=[('own', '(x+)+y')]))\n"
        "from cuedeck.parse.settings_file import parse_settings\n"
        "print(parse_settings(\"[secrets]\\npatterns = ['own: x']\\n\")[0].secrets.patterns)\n"
        "try: parse_settings(\"[secrets]\\npatterns = ['own: (x+)+y']\\n\")\n"
        "except Exception as error: print(type(error).__name__, error.message, error.hint)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        "(Secret(start=4, end=5, kind='own'),)\n(Secret(start=0, end=3, kind='own'),)\n('own: x',)\n"
        "ConfigurationError .cuedeck/config.toml line 2: secrets.patterns: `(x+)+y` needs the package google-re2,"
        " because it is not in the subset that runs without it: a repetition without limit is in it only for one"
        f" character at the end write it without that, or {install_hint('patterns')}\n"
    )


def test_the_engine_is_imported_for_an_expression_alone() -> None:
    code = (
        "import sys\n"
        "from cuedeck.parse.secrets import find_secrets\n"
        "from cuedeck.parse.settings_file import parse_settings\n"
        "import cuedeck.ledger.assumptions_toml\n"
        "find_secrets('password: x'); parse_settings('')\n"
        "print('re2' in sys.modules)\n"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "False\n"
    )
