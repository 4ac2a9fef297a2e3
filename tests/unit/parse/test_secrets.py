"""Secrets are found with their exact span, and hardly anything else is."""

from __future__ import annotations

import random
import re
import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from secret_samples import (
    ALNUM,
    BASE64,
    CONTEXTS,
    FORMATS,
    HEX,
    URL_SAFE,
    block,
    pick,
    placed,
    samples,
)

from cuedeck.parse.secrets import Secret, find_secrets
from cuedeck.parse.secrets.find_secrets import _places
from cuedeck.parse.secrets.formats import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

ROWS = range(len(FORMATS))
SAMPLES = [(FORMATS[row][0], sample) for row in ROWS for sample in samples(row, 6)]


def values(text: str, **options: Any) -> list[tuple[str, str]]:
    """Return the secrets found in `text`, as (kind, value)."""
    return [
        (secret.kind, text[secret.start : secret.end])
        for secret in find_secrets(text, **options)
    ]


def kinds(text: str) -> list[str]:
    """Return the kinds found in `text`."""
    return [secret.kind for secret in find_secrets(text)]


def mask(text: str, found: tuple[Secret, ...]) -> str:
    """Replace the secrets found by placeholders."""
    parts, at = [], 0
    for number, secret in enumerate(found, 1):
        parts += [text[at : secret.start], f"<secret:{secret.kind}:{number}>"]
        at = secret.end
    return "".join(parts) + text[at:]


def rng(seed: int = 0) -> random.Random:
    return random.Random(seed)


NEEDLES = sorted({needle for rule in RULES for needle in rule.needles})


@given(
    words=st.lists(
        st.sampled_from([*NEEDLES, *map(str.upper, NEEDLES), "x", "é"]), max_size=4
    )
)
def test_the_places_of_a_rule_are_those_of_its_needles(words: list[str]) -> None:
    text = " ".join(words)
    expected: dict[int, dict[str, list[int]]] = {}
    for number, rule in enumerate(RULES):
        found = {}
        for needle in rule.needles:
            folds = rule.fold and needle.isascii()
            haystack = text.lower() if folds else text
            starts = range(len(text))
            found[needle] = [at for at in starts if haystack.startswith(needle, at)]
        found = {needle: places for needle, places in found.items() if places}
        if found or not rule.needles:
            expected[number] = found
    assert _places(text) == expected
    assert list(_places(text)) == sorted(expected)


# --- formats --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "context", range(len(CONTEXTS)), ids=[name for name, *_ in CONTEXTS]
)
def test_every_format_is_found_with_its_exact_span(context: int) -> None:
    for kind, sample in SAMPLES:
        text, start, end = placed(sample, context)
        assert find_secrets(text) == (Secret(start, end, kind),), text


def test_plain_tokens_are_found_in_a_query_string() -> None:
    for kind, sample in SAMPLES:
        if (
            sample.text == sample.secret
            and sample.text.isprintable()
            and " " not in sample.text
        ):
            text = f"see https://api.internal.host/v1?v={sample.text}&page=2 for more"
            assert values(text) == [(kind, sample.secret)], text


def test_every_rule_has_a_sample() -> None:
    assert {kind for kind, _ in FORMATS} == {rule.kind for rule in RULES}


def test_kinds_are_kebab_case() -> None:
    assert all(re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", rule.kind) for rule in RULES)


@pytest.mark.parametrize(
    "name", ["API_TOKEN", "SECRET_KEY", "DB_PASSWORD", "SERVICE_API_KEY"]
)
def test_a_telling_name_does_not_hide_the_format(name: str) -> None:
    for row in ROWS:
        kind, _ = FORMATS[row]
        for sample in samples(row, 3):
            if (
                sample.text == sample.secret
                and "\n" not in sample.text
                and kind != "aws-secret"
            ):
                assert values(f'{name} = "{sample.text}"\n') == [(kind, sample.secret)]
                assert values(f"{name}={sample.text}\n") == [(kind, sample.secret)]


@pytest.mark.parametrize(
    "edge", ["\\n", "\\t", "%3D", "%20", "(", "[", "<", "=", ":", ",", "/"]
)
def test_a_token_is_found_after_an_escape_or_a_sign(edge: str) -> None:
    value = "ghp_" + pick(rng(), ALNUM, 36)
    assert values(f"x{edge}{value}") == [("github-token", value)]


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        ("db.internal.host:5432:shop:app:Vq8mnT2x", "Vq8mnT2x"), ("*:*:*:app:k3ep\\:this", "k3ep\\:this"),
        ("ADMIN_PASSWORD=correct-horse-battery-staple", "correct-horse-battery-staple"),
        ("export DB_PASSWORD2=S3cure!Passw0rd", "S3cure!Passw0rd"), ("bindpw: Tr0ub4dor&3", "Tr0ub4dor&3"),
        ("rootpw = Tr0ub4dor&3", "Tr0ub4dor&3"),
    ],
)  # fmt: skip
def test_a_chosen_password_is_found_by_its_place(line: str, secret: str) -> None:
    assert values(f"first\n{line}\nlast\n") == [("password", secret)]


@pytest.mark.parametrize(
    "line",
    [
        "src/app.py:5432:12:note:some", "127.0.0.1:5432:5432", "host:5432:db:user:password",
        "host:5432:db:user:$PGPASSWORD", "ADMIN_PASSWORD=your-own-password-here",
        "ADMIN_PASSWORD=change-me-in-production", "ADMIN_PASSWORD=postgres", "ADMIN_PASSWORD=password123",
        "ADMIN_PASSWORD=$(pwgen -s 20)", "the ADMIN_PASSWORD=correct-horse is set",
        "admin_password=some-name-of-things", "stripw: Tr0ub4dor&3",
        "HEROKU_APP_ID=0b0c1a5e-64a2-4ae4-9d2e-2e2a5e1f3b7c", "HEROKU_API_KEY=00000000-0000-0000-0000-000000000000",
        "https://0123456789abcdef0123456789abcdef@host.name", "EAAA" + "A" * 60, "EAA" + "a1B" * 40, "A" * 120,
        "risk-admin-review-of-2024-and-later", "xghp_" + "a" * 36,
    ],
)  # fmt: skip
def test_text_that_only_resembles_a_format_is_shown(line: str) -> None:
    assert values(f"first\n{line}\nlast\n") == []


# --- private keys ---------------------------------------------------------------------


def test_a_cut_off_private_key_ends_with_its_base64_lines() -> None:
    key = block("RSA PRIVATE", 5, end=False)(rng()).text
    text = f"before\n{key}\n\nThe rest of the page stays readable.\n"
    assert values(text) == [("private-key", key)]


def test_a_cut_off_private_key_inside_a_quoted_string() -> None:
    key = block("PRIVATE", 5, end=False)(rng()).text.replace("\n", "\\n")
    assert values(f'{{"key": "{key}", "next": "value"}}') == [("private-key", key)]


@pytest.mark.parametrize(
    ("before", "newline", "after"),
    [
        ("Some prose here.\n\n", "\n", "\n"), ("", "\n", ""), ("x\r\n", "\r\n", "\r\n"), ('x = "', "\\n", '"'),
        ("# ", "\n# ", "\n"), ("+", "\n+", "\n"), ("  a: |\n    ", "\n    ", "\n  b: 1\n"),
    ],
)  # fmt: skip
def test_a_private_key_without_its_begin_is_masked_from_its_first_line(
    before: str, newline: str, after: str
) -> None:
    head, *lines = block("RSA PRIVATE", 4)(rng()).text.split("\n")
    assert head.startswith("-----BEGIN")
    rest = newline.join(lines)
    assert values(before + rest + after) == [("private-key", rest)]


def test_the_rests_of_two_keys_are_two_secrets() -> None:
    one, two = (
        block("PRIVATE", 3)(rng(seed)).text.split("\n", 1)[1] for seed in (1, 2)
    )
    assert values(f"{one}\n{two}\n") == [("private-key", one), ("private-key", two)]
    whole = block("PRIVATE", 3)(rng(3)).text
    assert values(f"{whole}\n{two}\n") == [("private-key", whole), ("private-key", two)]


def test_a_pgp_block_is_one_secret() -> None:
    body = "\n".join(pick(rng(n), BASE64, 64) for n in range(8))
    edges = (
        "-----BEGIN PGP {} KEY BLOCK-----".format("PRIVATE"),
        "-----END PGP {} KEY BLOCK-----".format("PRIVATE"),
    )
    whole = f"{edges[0]}\nVersion: GnuPG v2\n\n{body}\n=aB3d\n{edges[1]}"
    assert values(f"x\n{whole}\ny") == [("private-key", whole)]
    assert values(whole.removesuffix("\n" + edges[1]) + "\nAnd so on.") == [
        ("private-key", whole.removesuffix("\n" + edges[1]))
    ]


def test_two_keys_in_a_row_are_two_secrets() -> None:
    one, two = (
        block("EC PRIVATE", 2, end=False)(rng(1)).text,
        block("RSA PRIVATE", 4)(rng(2)).text,
    )
    assert values(f"{one}\n{two}\n") == [("private-key", one), ("private-key", two)]


def test_a_key_wrapped_in_base64_is_found_but_a_certificate_is_not() -> None:
    import base64

    key = base64.b64encode(block("RSA PRIVATE", 5)(rng()).text.encode()).decode()
    certificate = base64.b64encode(
        (
            "-----BEGIN CERTIFICATE-----\n"
            + pick(rng(), BASE64, 300)
            + "\n-----END CERTIFICATE-----"
        ).encode()
    ).decode()
    assert values(f"tls.key: {key}\ntls.crt: {certificate}\n") == [("private-key", key)]


@pytest.mark.parametrize(
    "text",
    [
        'if "-----BEGIN RSA PRIVATE KEY-----" in text:\n    return loadThePrivateKeyFromThatText(text)\n',
        "It starts with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY----- as usual.",
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    ],
)
def test_talk_about_private_keys_is_no_private_key(text: str) -> None:
    assert find_secrets(text) == ()


# --- URLs -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "password"),
    [
        ("postgres://app:{}@db.internal:5432/x", "c0rrect%20horse"), ("redis://:{}@cache:6379/0", "f00bared!"),
        ("mongodb+srv://app:{}@c0.abcde.mongodb.net/?w=majority", "pa:ss:word"),
        ("mysql://root:{}@10.0.0.7/shop", "p@ss@w0rd"), ("mongodb://app:{}@h1:27017,h2:27017/admin", "b4tt3ry"),
        ("smtp://mail%40corp:{}@[::1]:25", "st4ple"), ("https://oauth2:{}@${{HOST}}/repo.git", "b4tt3ry"),
    ],
)  # fmt: skip
def test_only_the_password_of_a_url_is_a_secret(url: str, password: str) -> None:
    text = url.format(password).replace("{{", "{").replace("}}", "}")
    assert values(f"DATABASE_URL={text}\n") == [("url-password", password)]


@pytest.mark.parametrize(
    "text",
    [
        "scheme://user:password@host", "https://user:pass@host", "postgres://postgres:postgres@localhost/db",
        "postgres://app:${DB_PASSWORD}@db/x", "postgres://app:$DB_PASSWORD@db/x",
        "postgres://{user}:{password}@{host}/x", "postgres://app:<password>@db/x", "postgres://app:***@db/x",
        "postgres://app:%s@db/x", "https://[user[:password]@]host", "http://localhost:8080/@scope/package",
        "https://unpkg.com:443/@vue/core", "[site](http://localhost:8080) by mail@corp",
        "git@github.com:owner/repo.git", "https://a:b@host", "postgres://app:<secret:url-password:1>@db/x",
    ],
)  # fmt: skip
def test_urls_without_a_real_password(text: str) -> None:
    assert find_secrets(text) == ()


# --- assignments ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ('API_KEY = "{}"', "api-key"), ("apiKey: '{}',", "api-key"), ('"private_key": "{}"', "api-key"),
        ('{{\\"api_key\\": \\"{}\\"}}', "api-key"), ('config["secret_key"] = "{}"', "secret-value"),
        ('token: str = "{}"', "token"), ("const token = `{}`;", "token"), ("'password' => '{}',", "password"),
        ('<password>"{}"</password>', "password"), ("export APP_SECRET={}", "secret-value"),
        ("  db_password: {}", "password"), ("- API_TOKEN={}", "token"), ("password = {} # the new one", "password"),
        ("run --token {} --verbose", "token"), ("run --api-key={} x", "api-key"),
        ("GET /v1/items?page=1&access_token={}&x=2", "token"), ("docker run -e DB_PASSWORD={} image", "password"),
    ],
)  # fmt: skip
def test_random_values_of_telling_names_are_found(line: str, kind: str) -> None:
    for seed in range(20):
        value = pick(rng(seed), ALNUM, 32)
        assert values(f"x\n{line.format(value)}\ny\n") == [(kind, value)]


UNQUOTED = (
    "# API_KEY={}", "#API_KEY={}", "// API_KEY={}", " * API_KEY={}", "> API_KEY={}", "; API_KEY={}", "-- API_KEY={}",
    "| API_KEY={} |", "1. API_KEY={}", "$ API_KEY={} run", "+API_KEY={}", "-API_KEY={}", "+ api_key: {}",
    "(API_KEY={})", "[API_KEY={}]", "{{API_KEY={}}}", "`API_KEY={}`", '"""API_KEY={}"""', "const apiKey = {};",
    "let apiKey={}", "var apiKey = {};", "curl -d api_key={} https://host", 'curl -d "api_key={}&x=1"',
    "name: API_KEY={}", "name: KEY={}", "KEY={}", "| API_KEY | {} |", "| `API_KEY` | `{}` | x", "Use `API_KEY={}` now.",
    "**API_KEY**: {}", "**API_KEY:** {}", "Set API_KEY={}, then go", "Set API_KEY={}.", '-H "X-Api-Key: {}"',
    '<add key="ApiKey" value="{}"/>', "<apiKey>{}</apiKey>", "- name: API_KEY\n  value: {}", "<!-- API_KEY={} -->",
    "export A=1 API_KEY={}; run", 'printf "API_KEY={}\\n"', "echo API_KEY={}>>.env", "{{api_key:{}}}",
)  # fmt: skip


@pytest.mark.parametrize("line", UNQUOTED)
def test_unquoted_random_values_are_found_in_every_context(line: str) -> None:
    for value in (
        "Zx81kQp0Lm92" + "Vb77Yt6Rq",
        *(pick(rng(seed), ALNUM, 32) for seed in range(20)),
    ):
        assert values(f"x\n{line.format(value)}\ny\n") == [("api-key", value)]


WRITTEN = (
    'api_key = ("{}")', 'api_key = (\n    "{}"\n)', 'const apiKey =\n  "{}";', "apiKey:\n    '{}',",
    "api_key: >-\n  {}", "api_key: >\n  {}", "api_key: |\n    {}", "api_key: |2-\r\n  {}\r", "api_key:\n  {}",
    "api_key:\r\n\t{}\r", '- api_key: "{}', "API_KEY = '{}\r", 'api_key: "{} ', 'api_key = ("{}',
)  # fmt: skip


@pytest.mark.parametrize("line", WRITTEN)
def test_values_in_brackets_in_blocks_and_with_one_quote_are_found(line: str) -> None:
    for seed in range(20):
        value = pick(rng(seed), ALNUM, 32)
        assert values(f"x\n{line.format(value)}\ny\n") == [("api-key", value)]
        assert values(line.format(value)) == [("api-key", value)]


@pytest.mark.parametrize(
    "line",
    [
        '("{}" "{}")', '"{}" "{}"', "'{}' '{}'", '"{}" + "{}"', "'{}' . '{}'", '"{}"\n    "{}"',
    ],
)  # fmt: skip
def test_both_parts_of_a_value_in_two_strings_are_found(line: str) -> None:
    for seed in range(20):
        one, two = (pick(rng(100 * seed + n), ALNUM, 16) for n in (1, 2))
        text = f"api_key = {line.format(one, two)}\n"
        ((kind, found),) = values(text)
        assert kind == "api-key" and found.startswith(one) and found.endswith(two)


@pytest.mark.parametrize(
    "text",
    [
        "token:\n  tokenRef2A1b9: x", "token:\n  parseToken2B1x9(value)",
        "token:\n    Zx81kQp0Lm92Vb77Yt6Rq is a commit", "token:\n\n  Zx81kQp0Lm92Vb77Yt6Rq",
        "token:\nZx81kQp0Lm92Vb77Yt6Rq", "if password:\n    attempts+=1", "if password:\n    step2_of_3",
        "password:\n  adminPass1:\n    x: 1", "password: |\n  The new one is Tr0ub4dor&3 as he said",
        'password = ("required", "min:8")', "password: (value1) => value1", 'password: "Must be 8 chars',
        'class Password:\n    """Doc1string"""', 'if token == "" + "a1B2c3D4":',
        'echo "word" "Zx81kQp0Lm92Vb77Yt6Rq"',
    ],
)  # fmt: skip
def test_code_and_prose_after_a_line_end_or_bracket_are_no_secrets(text: str) -> None:
    assert find_secrets(text + "\n") == ()


@pytest.mark.parametrize(
    "text",
    [
        "# api_key: load the value of API_KEY_V2 first", "// token = src/lib/T0k3nV1a2b3.ts",
        "| token | decodeBase64Url2(value) |", "const token = utf8.Dec0deV2a9B1;", "let token = new Tok3nR3ad3rV2();",
        "password > T0k3nV1a2b3c4", "cache KEY=T0k3nV1a2b3 CACHE_KEY=Zx81kQp0Lm92Vb77Yt6Rq",
        "the word Zx81kQp0Lm92Vb77Yt6Rq stands alone",
        "the token is 5f352379 of commit 5f352379324c22463451387a0aec5d2f",
        "token cache of v1.2.3-20240101120000-0a1b2c3d4e5f", "the secret is in src/auth2/v1/Tok3nR3ad3rV2.py",
        "[[08_16_00_2bc4a3cb]] is the token message", "the login raises (`decision:h4w7tn`), see src/auth2.md",
    ],
)  # fmt: skip
def test_names_paths_and_calls_without_quotes_are_no_secrets(text: str) -> None:
    assert find_secrets(text + "\n") == ()


PASSWORDS = (
    ("password: {}", "Tr0ub4dor&3"), ("DB_PASSWORD = '{}'", "hunter2!xq"),
    ('<add key="password" value="{}"/>', "hunter22x"), ("<password>{}</password>", "Tr0ub4dor&3"),
    ("curl -u admin:{} https://host", "pass1234"), ("curl -s -u 'admin:{}' host", "pass1234"),
    ("curl https://host --user admin:{}", "s3cr3t!"), ("machine h login u password {}", "x1y2z3"),
    ("machine h\n  login u\n  password {}", "x1y2z3"), ("DB_PASSWORD={}", "pass1234"),
    ("# DB_PASSWORD={}", "hunter22"), ("PGPASSWORD={} psql -h db", "Tr0ub4dor&3"),
    ("DB_PASSWORD={}", "hunter2-Blue-19"), ("export DB_PASSWORD='{}'", "hunter2-Blue-19"),
    ("DB_PASSWORD: {}", "hunter2-Blue-19"), ("  db_pass: '{}' # old", "hunter2-Blue-19"),
    ("  - POSTGRES_PASSWORD: {}", "correct-horse-battery-staple"),
    ("- name: DB_PASSWORD\n  value: {}", "hunter2-Blue-19"), ('  "smtp_password": "{}",', "Sunny-Day-77"),
    ("spring.mail.password={}", "Sunny-Day-77"),
    ('variable "db_password" {{\n  type    = string\n  default = "{}"\n}}', "hunter2-Blue-19"),
    ('variable "pwd" {{ default = "{}" }}', "Sup3rS3cret!"), ('DB_PASS="{}"', "hunter2-Blue-19"),
    ("mysql --password={} shop", "Tr0ub4dor&3"), ("passwd: {} # the new one", "Tr0ub4dor&3"),
    ("passphrase: {}", "my$ecret!x9"), ("`password: {}`", "Tr0ub4dor&3"), ("| password | {} |", "Tr0ub4dor&3"),
    ("Server=x;Pwd={};Database=y", "hunter22"), ("+  password: {}", "Tr0ub4dor&3"),
    ('const password = "{}";', "hunter2!xq"), ('"password": "{}"', "correct#horse"),
    ('password = ("{}")', "hunter2!xq"), ("password: |\n  {}", "hunter2!xq"), ("password: >-\n  {}", "Tr0ub4dor&3"),
    ("password:\n  {}", "Hy8-kQ2mWp0LrT7vHy8xxZZ"), ('password:\n  "{}"', "hunter2!xq"),
    ('- password: "{}', "Gx7-kQ2mWp0LrT7v"), ("password: '{}", "hunter2!xq"),
)  # fmt: skip


@pytest.mark.parametrize(("line", "password"), PASSWORDS)
def test_passwords_that_people_think_up_are_found(line: str, password: str) -> None:
    assert values(f"x\n{line.format(password)}\ny\n") == [("password", password)]


@pytest.mark.parametrize(
    "line",
    [
        "password: str", "password: string", "password: Optional[str] = None", "password: Optional[str]",
        "password: str | None = None", "password: String!", "password: NonEmptyString!", "password: ********",
        "password: Option<String2>", "password: VARCHAR(255)", "| password | VARCHAR(255) |", "password: argon2id",
        "password: ${DB_PASSWORD1}", "password: $DB_PASSWORD1", "password: {{ vault.pw_v2 }}", "password: <my-pw-1>",
        "password = getpass.getpass()", "password = get_pw1(x)", "password = os.environ['PW1']", "password=password1",
        "password = userInput2", "password = user_input2", "password: process.env.DB_PW1!,", "password: config.db.pw1,",
        "const pwd = process1Cwd;", "password: z.string().min(8),", '"password": "required|min:8|confirmed"',
        "password: *default_pw1", "password: &anchor123", "password: !secret db_pass1", "pwd: /home/user1/x",
        "password = $request->pass2", "password: swordfish", 'password = "swordfish"', 'password = "sword-fish-2"',
        'password: "Must be 8 chars"', "password: min8characters", "password: Tr0ub4dor&3 is what he chose",
        "curl -u user:password https://host", "curl -u $USER:$PASS1 https://host", "curl -u app:${TOKEN1} https://host",
        "docker run -u 1000:1000 x", "docker run -u app:group123 x", "curl https://host -u 1000:1000",
        "login to reset password abc12345", "machine h login u password other-password",
        '"password": "%60%7B%7D"', 'variable "password_length" { default = "20-chars" }', "password: Password123!",
        'variable "region" { default = "us-East-1" }',
        "password: decision:3f2a9c1e", "- password: session:2026-11-28-a1b2c3",
        "DB_PASSWORD=my-db-password-2", "password: hunter2-blue-19", 'PASSWORD = "Reset-Step-2"',
        "postgres / postgres", "python / python3", "admin/admin@1and1.com", "the tables users / users2",
        "GET /admin/admin123/edit", "src/test/test123.py", "user: user123", "user enters password step12",
        "password sha256", "Password: Reset Link Sent", "password: must match both fields",
        "the password is stored encrypted forever", "password: correct horse battery staple and then restart",
        "Second pass: merge adjacent blocks", "password: the plaintext password that was entered",
        "clave: mantener componentes pequeños",
    ],
)  # fmt: skip
def test_types_words_templates_and_code_are_no_passwords(line: str) -> None:
    assert find_secrets(line + "\n") == ()


KEY = "kT9xQ2mZ7pLw4Rb8NcV5" + "yHd3Gf6JsA1uEo0X"
CHOSEN = "Tr0ub4dor&3x"
PHRASE = "correct horse battery staple"
IN_CONTEXT = (
    # The name and the value are arguments, operands or words of a command.
    ('os.environ.setdefault("SECRET_KEY", "{}")', KEY), ('System.setProperty("db.password", "{}")', KEY),
    ('setenv("API_TOKEN", "{}", 1);', KEY), ("monkeypatch.setenv('STRIPE_SECRET', '{}')", KEY),
    ('const t = process.env.API_TOKEN || "{}";', KEY), ("const t = process.env.API_TOKEN ?? '{}';", KEY),
    ("ENV.fetch('API_TOKEN', '{}')", KEY), ("TOKEN=${{API_TOKEN:-{}}}", KEY), ("ENV API_TOKEN {}", KEY),
    ("setx API_TOKEN {}", KEY), ("set -gx API_TOKEN {}", KEY), ('let api_key = String::from("{}");', KEY),
    ('String apiKey = new String("{}");', KEY), ('const API_KEY: &str = "{}";', KEY),
    ('.WithEnvironment("API_TOKEN", "{}")', KEY), ('apiKey: x ? process.env.KEY : "{}"', KEY),
    ('ds.setPassword("{}");', CHOSEN), ("define('DB_PASSWORD', '{}');", CHOSEN),
    ('let password = String::from("{}");', CHOSEN), ('password = password or "{}"', CHOSEN),
    # Headers, fields and labels.
    ("Authorization: ApiKey {}", KEY), ('curl -H "Authorization: SSWS {}"', KEY), ("Authorization: {}", KEY),
    ('{{"key":"Authorization","value":"Token {}"}}', KEY), ('{{"value": "{}", "name": "API_TOKEN"}}', KEY),
    ("- value: {}\n  name: API_TOKEN", KEY), ("- **API key**: `{}`", KEY), ("**API key:** {}", KEY),
    ("| API key | `{}` |", KEY), ("Cookie: theme=dark; session={}", KEY), ("Set-Cookie: JSESSIONID={}; Path=/", KEY),
    ("Cookie: " + "theme=dark; " * 20 + "id={}", KEY), ('curl -b "sid={}"', KEY),
    ("https://func.host/api/x?code={}", KEY), ("https://b.host/k?X-Amz-Signature={}", "9f86d081884c7d65" * 4),
    ("https://b.host/k?Expires=1&Signature={}", "vjbyPxybdZaNmGa%2ByT272YEAiv4%3D"),
    ("https://storage.host/b/o?X-Goog-Signature={}", "9f86d081884c7d65" * 32),
    ('"auths":{{"https://index.host/v1/":{{"auth":"{}"}}}}', "YWRtaW46VHIwdWI0ZG9yJjN4"),
    # Options of programs, password files and SQL.
    ("mysql -u root -p{} db", CHOSEN), ("mysqldump -uroot -p'{}' db", CHOSEN), ("sshpass -p {} ssh u@h", CHOSEN),
    ("docker login -u bob -p {}", CHOSEN), ("redis-cli -h x -a {}", CHOSEN), ("unzip -P {} a.zip", CHOSEN),
    ("openssl enc -aes-256-cbc -pass pass:{}", CHOSEN), ("CREATE USER bob WITH PASSWORD '{}';", CHOSEN),
    ("CREATE USER 'bob'@'%' IDENTIFIED BY '{}';", CHOSEN), ("bob:$apr1${}", "lZL6V/ci$eIMz/iKDkbtys/uU7LEK00"),
    ("bob:$2y${}", "05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC"),
    ("bob:{{SHA}}{}", "W6ph5Mm5Pz8GgiULbPgzG37mj9g="), ("ansible_become_pass: {}", CHOSEN),
    ("host1 ansible_ssh_pass={} ansible_user=bob", CHOSEN), ("DB_PASS={}", CHOSEN), ('"smtpPass": "{}"', CHOSEN),
    # Other languages.
    ("Passwort: {}", CHOSEN), ('kennwort = "{}"', CHOSEN), ("contraseña: {}", CHOSEN), ('contrasena = "{}"', CHOSEN),
    ("clave: {}", CHOSEN), ('clave_api = "{}"', KEY), ("mot de passe : {}", CHOSEN), ('mot_de_passe = "{}"', CHOSEN),
    ("MDP={}", CHOSEN), ("API-Schlüssel: {}", KEY), ("clé API : {}", KEY), ("jeton: {}", KEY), ("пароль: {}", CHOSEN),
    # Sentences.
    ("my password is {}", CHOSEN), ("The password for the db is {}.", CHOSEN), ("my password is {}", "hunter2"),
    ("mein Passwort ist {}", CHOSEN), ("mi contraseña es {}", CHOSEN), ("mon mot de passe est {}", CHOSEN),
    ("the api key: {}", "9f86d081884c7d65" * 2), ("the api key is {}", "9f86d081884c7d65" * 2),
    ("use the token {}", KEY), ("please use this API key {} for staging", KEY), ("set API_KEY to {}", KEY),
    ("Use `{}` as API key.", KEY), ("The password for staging: {}", CHOSEN), ("smtp_pass = {}", CHOSEN),
    ("https://{}@git.host/a/b", KEY), ("http --auth bob:{} x", KEY),
    ("login with admin / {}", CHOSEN), ("log in as admin with {}", CHOSEN), ("credentials: admin/{}", CHOSEN),
    ("user: admin, password {}", CHOSEN),
    # Names of accounts.
    ("we need to add admin / {}.  But first", "admin123"), ("is the seed password {}?", "admin123"),
    ("user: admin, password: {}", "hunter2"), ("login admin:{}", "admin123"), ("use admin/{} to log in", "admin@123"),
    ("username admin and password {}", "s3cret99"), ("`admin` / `{}`", "admin123"), ("| root | {} |", "root2024"),
    ("the seed user is bob@shop.org / {}", "demo1234"), ("postgres / {} on staging", "postgres2024"),
    ("usuario: admin, contraseña: {}", "hunter22"), ("Benutzer admin mit Passwort {}", "geheim12"),
    ("utilisateur admin et mot de passe {}", "secret12"), ("логин admin, пароль {}", "admin123"),
    ("Пароль: {}", CHOSEN), ("CONTRASEÑA: {}", CHOSEN),
    # Words.
    ("password: {}", PHRASE), ("**Password:** `{}`", PHRASE), ("the password for staging is {}.", PHRASE),
    ("contraseña: {}", "caballo correcto batería grapa"), ("Passwort: {}", "richtig Pferd Batterie Klammer"),
    ("mot de passe : {}", "cheval correct pile agrafe"), ("Пароль: {}", "верная лошадь батарея скрепка"),
)  # fmt: skip


@pytest.mark.parametrize(("line", "secret"), IN_CONTEXT)
def test_a_secret_is_found_however_it_is_joined_to_its_name(
    line: str, secret: str
) -> None:
    assert [value for _, value in values(f"x\n{line.format(secret)}\ny\n")] == [secret]


IN_SENTENCES = (
    "my password is {}", "use the token {}", "login with admin / {}", 'ds.setPassword("{}");', "mysql -p{} db",
    'os.environ.setdefault("SECRET_KEY", "{}")', "ENV API_TOKEN {}", "Passwort: {}",
)  # fmt: skip


@pytest.mark.parametrize("line", IN_SENTENCES)
def test_words_and_templates_in_the_same_places_are_shown(line: str) -> None:
    for value in (
        "changeme",
        "<your-token>",
        "${DB_PASSWORD}",
        "required",
        "xxxxxxxxxxxxxxxx",
        "your-api-key",
    ):
        assert find_secrets(line.format(value) + "\n") == (), value


PLACEHOLDERS = (
    "changeme", "change-me-please-1234", "your-key-here", "YOUR_API_KEY_HERE_1234", "${VAR}",
    "${SECRET_FROM_VAULT_2024}", "$SECRET_FROM_VAULT_2024", "{{ vault.token_v2 }}", "<token>",
    "<your-token-42-goes-here>", "%(db_password)s", "xxxxxxxxxxxxxxxxxxxx", "****************", "0000000000000000",
    "1234567890abcdef", "abcdefghijklmnop", "a1b2c3d4e5f6g7h8i9", "abc123abc123abc123", "test-token-for-unit-tests",
    "invalid_access_token_2", "my.example.com/token/v2", "correct-horse-battery-staple", "CamelCaseTokenProvider2",
    "https://auth.host/oauth/token", "/run/secrets/db_password_1",
    "arn:aws:secretsmanager:eu-west-1:123456789012:secret:app-AbC9dE", "550e8400-e29b-41d4-a716-446655440000",
    "sha256-" + "9f" * 20, "<secret:token:1>", "x25519.X25519PrivateKey",
)  # fmt: skip


@pytest.mark.parametrize("value", PLACEHOLDERS)
@pytest.mark.parametrize(
    "line",
    [
        'token = "{}"', "password: {}", "API_KEY={}", "client_secret: '{}'", "run --token {} -v", "?token={}&a=1",
    ],
)  # fmt: skip
def test_placeholders_are_no_secrets(line: str, value: str) -> None:
    assert find_secrets(line.replace("{}", value) + "\n") == ()


@pytest.mark.parametrize(
    "text",
    [
        "task-manager risk-register sk-learn disk-usage-of-the-whole-volume sandbox-reservation-system-2024",
        "pip install sk-learn; see task-1234567890abcdefghijklmnop",
        'token = os.environ["API_TOKEN_V2"]\npassword = os.environ.get("DB_PASSWORD_2")\n',
        "secret = getpass.getpass()\ntoken = self._tokens[0]\npassword=user.password1,\n",
        "token = suites.hpke.MLKEM1024P384PrivateKey\n",
        "token = secrets.token_hex(32)\napi_key = config.api_key2024\n",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx glpat-your-access-token-here sk-ant-your-key-goes-here",
        "sk-proj-your-project-key-here-please AKIAXXXXXXXXXXXXXXXX xoxb-your-bot-token-goes-here",
        "npm_config_registry hf_hub_download SG.short.one key-value eyJ.not.jwt",
        'publicKeyToken="b03f5f7f11d50a3ab03f5f7f11d50a3a"',
        '"hashed_secret": "daefe0b4345a654580dcad25c7c11ff4c944a8c0"',
        '"NextToken": "eyJOZXh0VG9rZW4iOiBudWxsLCAiYm90b190cnVuY2F0ZV9hbW91bnQiOiAxMH0="',
        "tokenizer = 'Xk29dkLmQ82ksDkw92Lk'\nkeyboard = 'Xk29dkLmQ82ksDkw92Lk'\n",
        "Authorization: Bearer <token>\nAuthorization: Bearer your-long-access-token-1\n",
        "Basic authentication is basic understanding, basic dXNlcjpwYXNz.",
        "2024-01-01T00:00:00.000000 192.168.10.10:8080 12345678:not-a-bot-token",
        "NotificationManagerFactoryImpl.create.someVeryLongMethodNameHere",
    ],
)
def test_everyday_text_holds_no_secret(text: str) -> None:
    assert find_secrets(text) == ()


def _digests() -> Iterator[str]:
    for seed in range(20):
        draw = rng(seed)
        yield f"commit {pick(draw, HEX, 40)}"
        yield f"{pick(draw, HEX, 64)}  dist/app.tar.gz"
        yield (
            'id: "' + "-".join(pick(draw, HEX, size) for size in (8, 4, 4, 4, 12)) + '"'
        )
        yield f'      "integrity": "sha512-{pick(draw, BASE64, 86)}==",'
        yield f'<script src="a.js" integrity="sha384-{pick(draw, BASE64, 64)}" crossorigin="anonymous"></script>'
        yield f"![dot](data:image/png;base64,{pick(draw, BASE64, 160)}==)"
        yield f"url(data:font/woff2;base64,{pick(draw, BASE64, 400)})"
        yield f'aws_s3_key_version = "{pick(draw, HEX, 40)}"'
        yield f"package.whl,sha256={pick(draw, URL_SAFE, 43)},123"
        yield f"-----BEGIN CERTIFICATE-----\n{pick(draw, BASE64, 64)}\n-----END CERTIFICATE-----"
        yield f'"etag": "{pick(draw, ALNUM, 32)}", "nonce": "{pick(draw, URL_SAFE, 22)}"'
        yield f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{pick(draw, BASE64, 43)} me@host"


def test_digests_ids_and_data_uris_are_no_secrets() -> None:
    assert [text for text in _digests() if find_secrets(text)] == []


def test_minified_code_holds_no_secret() -> None:
    draw = rng()
    names = ["token", "password", "secret", "key", "apiKey", "e", "t", "n", "r", "auth"]
    code = "".join(
        f"function {draw.choice(names)}{pick(draw, ALNUM, 2)}({draw.choice(names)}){{return {draw.choice(names)}"
        f'.{draw.choice(names)}={draw.choice(names)}?{draw.choice(names)}:"{draw.choice(names)}-{draw.choice(names)}"}};'
        for _ in range(2000)
    )
    assert find_secrets(code) == ()


# --- user rules, overlaps -------------------------------------------------------------


def test_extra_rules_mask_their_group_or_the_whole_match() -> None:
    text = "ticket ACME-7731 badge=zebra"
    assert values(
        text, extra=[("acme", r"ACME-\d+"), ("badge", r"badge=(?P<secret>\w+)")]
    ) == [("acme", "ACME-7731"), ("badge", "zebra")]
    assert values(text, extra=[("badge", r"ticket|badge=(?P<secret>\w+)")]) == [
        ("badge", "ticket"),
        ("badge", "zebra"),
    ]


def test_an_extra_rule_that_matches_nothing_finds_nothing() -> None:
    assert values("abc", extra=[("empty", r"\d*")]) == []


def test_an_expression_that_cannot_be_evaluated_masks_every_line() -> None:
    assert values("one\n\n two \nthree", extra=[("bad", r"(?<=t)wo")]) == [
        ("bad", "one"),
        ("bad", " two "),
        ("bad", "three"),
    ]


def test_an_expression_that_cannot_be_evaluated_allows_nothing() -> None:
    key = "ghp_" + pick(rng(), ALNUM, 36)
    assert values(key, allow=["(?=ghp_).*", "["]) == [("github-token", key)]


def test_beyond_the_limit_of_matches_whole_lines_are_masked() -> None:
    text = "a\n" * 30_000 + "the rest"
    found = values(text, extra=[("slow", "a")])
    assert found[-1] == ("slow", "the rest") and {value for _, value in found[:-1]} == {
        "a"
    }


def test_an_expression_is_tried_on_each_line() -> None:
    assert values("x\npin 1234\ny", extra=[("pin", r"^pin (?P<secret>[0-9]+)$")]) == [
        ("pin", "1234")
    ]


def test_half_a_surrogate_pair_hides_nothing() -> None:
    assert values("\ud800 EMP-77", extra=[("badge", r"EMP-\d+")]) == [
        ("badge", "EMP-77")
    ]


def test_allowed_values_are_no_secrets_but_only_as_a_whole() -> None:
    key = "AKIA" + pick(rng(), "ABCDEFGH2345", 9) + "EXAMPLE"
    assert values(key, allow=["AKIA.*EXAMPLE"]) == []
    assert values(key, allow=["EXAMPLE", "AKIA"]) == [("aws-key", key)]
    assert values(
        f"x ACME-1 {key}", extra=[("acme", r"ACME-\d")], allow=[r"ACME-1"]
    ) == [("aws-key", key)]


def test_the_outermost_of_nested_secrets_counts() -> None:
    key = "AKIA" + pick(rng(), "ABCDEFGH2345", 16)
    text = f"[[{key}]]"
    assert values(text, extra=[("vault", r"\[\[.*\]\]")]) == [("vault", text)]
    assert values(text, extra=[("part", r"AKIA")]) == [("aws-key", key)]


def test_secrets_that_partly_overlap_leave_nothing_visible() -> None:
    assert values("abcdefgh", extra=[("one", "abcd"), ("two", "cdefgh")]) == [
        ("two", "abcdefgh")
    ]


def test_of_equal_spans_the_more_telling_rule_names_it() -> None:
    value = "ghp_" + pick(rng(), ALNUM, 36)
    assert values(f"https://x-access-token:{value}@github.com/o/r.git") == [
        ("github-token", value)
    ]


def test_offsets_are_right_after_letters_that_grow_when_lowered() -> None:
    value = pick(rng(), ALNUM, 32)
    assert values(f"İİİ Kelvin\nAPI_TOKEN={value}\n") == [("token", value)]


# --- laws -----------------------------------------------------------------------------

POOL = [sample.text for row in ROWS for sample in samples(row, 2)]
GLUE = [
    "", " ", "\n", "=", ": ", '"', "'", "-", "_", "/", "@", ".", "\\n", "token=", 'password = "', "://u:", "key: ",
    "İ",
]  # fmt: skip
TEXTS = st.lists(
    st.one_of(st.sampled_from(POOL), st.sampled_from(GLUE), st.text(max_size=12)),
    max_size=12,
).map("".join)


@given(TEXTS)
def test_spans_are_sorted_disjoint_and_inside_the_text(text: str) -> None:
    found = find_secrets(text)
    assert all(0 <= secret.start < secret.end <= len(text) for secret in found)
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert found == find_secrets(text)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(POOL), st.sampled_from(["\n", " ", '"', "; ", "\n\n"])
        ),
        max_size=6,
    )
)
def test_placeholders_are_not_found_again(parts: list[tuple[str, str]]) -> None:
    text = "".join(a + b for a, b in parts)
    masked = mask(text, find_secrets(text))
    assert find_secrets(masked) == ()


@given(
    st.lists(
        st.tuples(
            st.one_of(st.sampled_from(POOL), st.text(max_size=12)),
            st.sampled_from(GLUE),
        ),
        max_size=9,
    )
)
def test_masking_brings_forth_no_secret_of_the_same_kind(
    parts: list[tuple[str, str]],
) -> None:
    """The test joins no two secrets directly: neither would end at its end."""
    text = "".join(
        piece + (glue if glue not in {"", "-", "_"} else " ") for piece, glue in parts
    )
    found = find_secrets(text)
    again = find_secrets(mask(text, found))
    assert {secret.kind for secret in again}.isdisjoint(
        {secret.kind for secret in found}
    )


# --- cost -----------------------------------------------------------------------------

RUNS = (
    "sk-", "-sk-", "eyJ-", "-eyJa.", "eyJaaaaaaaaa.eyJaaaaaaa.", "-----BEGIN RSA PRIVATE KEY-----\n",
    "-----BEGIN RSA PRIVATE KEY-----\n" + "A" * 64 + "\n", "-----END RSA PRIVATE KEY-----", "-", "token=", 'token="',
    "password: ", "key key ", "://a:", "a@", "x://a:b@", "-glpat-a", "aws key ", "MM.", "M", "11111111:", "A",
    " ", "\n", "PuTTY-User-Key-File-2: a\n", "%3D", "\\nghp_", "-us", "0", "/api/webhooks/111111111111111/", "İ",
    "A" * 64 + "\n-----END RSA PRIVATE KEY-----\n", "password:", "password=a1!", "password | ", "curl -u a:", "--user",
    "machine login password ", "login a password b1 ", "key=A1b", "password\n value", "password: a1b2)",
    "\x1b[", "\x1b]", "\x1b[1m", "%41", "\u200b", "a\\\n", '"\n"', ": >\n x\n y\n", "EAAA", "ATBB", "dp.st.a",
    ".atlasv1.", "a:5432:", "\\::*:a", "AAAAAAAAAAAAAAAAAA%", "heroku", "devops", "_eyJ", "eyJ_", "fm2_", "PASSWORD=",
    "DB_PASSWORD=a1\n", ":A", "1:A", "a:*:a:a:a\n", "key = (", "key = (\n    ", "password:\n ", "api_key: >-\n  ",
    "token: |\n  A1b", '" "', 'a" "', "a' + '", 'token="a" "', 'password: "a1!\n', "password:" + " " * 40 + "\n ",
    "password is ", "login a/b1 ", "1a", "token 1a-", "cookie a=1b;", "mysql -p ", "mysql x ", "$2a$1",
    "password for a ",
)  # fmt: skip


def _seconds(text: str) -> float:
    start = time.process_time()
    find_secrets(text)
    return time.process_time() - start


@pytest.mark.parametrize("run", RUNS)
def test_hostile_runs_cost_in_proportion_to_their_length(run: str) -> None:
    small, large = ((run * (size // len(run) + 1))[:size] for size in (2_500, 20_000))
    # Eight times the text; a pattern that reads a run again from every position in it
    # takes 64 times as long. Other load on the machine may spoil one attempt, but not
    # three.
    assert any(_seconds(large) < 24 * _seconds(small) + 0.02 for _ in range(3))


def test_a_megabyte_of_code_is_read_in_well_under_a_second() -> None:
    from cuedeck.parse.secrets import formats

    with open(formats.__file__, encoding="utf-8") as file:
        source = file.read()
    text = (source * (1_000_000 // len(source) + 1))[:1_000_000]
    assert any(_seconds(text) < 2 for _ in range(3))


@pytest.mark.parametrize(
    "value", ["S3cr3tPassw0rdXyZ123", "k3Password9Qw7Zx2Lm4", "hT7passwordVb3Nc8Kq1"]
)
def test_a_random_value_with_the_word_password_is_found(value: str) -> None:
    assert values(f'password = "{value}"\n') == [("password", value)]


@pytest.mark.parametrize(
    "value",
    [
        "Password123!", "my_password_field1", "webdavgeneratedpassword1", "passw0rdpassw0rd1",
    ],
)  # fmt: skip
def test_a_placeholder_with_the_word_password_is_no_secret(value: str) -> None:
    assert values(f'password = "{value}"\n') == []
