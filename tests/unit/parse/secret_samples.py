"""Made-up secrets of every format, built from prefix and seeded randomness so that no
literal looks real.
"""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable
from typing import NamedTuple

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM = LOWER + UPPER + DIGITS
URL_SAFE = ALNUM + "_-"
BASE64 = ALNUM + "+/"
HEX = "0123456789abcdef"

HEAD, TAIL = "-----BEGIN {} KEY-----", "-----END {} KEY-----"


class Sample(NamedTuple):
    """A text that carries a secret, and the secret inside it."""

    text: str
    secret: str


Make = Callable[[random.Random], Sample]


def pick(rng: random.Random, alphabet: str, size: int) -> str:
    """Draw `size` characters of `alphabet`."""
    return "".join(rng.choice(alphabet) for _ in range(size))


def token(prefix: str, alphabet: str, size: int, suffix: str = "") -> Make:
    """Make tokens that are their own text: prefix, random body, suffix.

    A body ends in a letter or digit, since its last character decides where a sentence
    goes on.
    """

    def make(rng: random.Random) -> Sample:
        plain = "".join(c for c in alphabet if c.isalnum())
        value = prefix + pick(rng, alphabet, size - 1) + pick(rng, plain, 1) + suffix
        return Sample(value, value)

    return make


def within(before: str, body: Make, after: str = "") -> Make:
    """Make texts in which only the middle is secret."""

    def make(rng: random.Random) -> Sample:
        inner = body(rng)
        return Sample(before + inner.text + after, inner.secret)

    return make


def joined(*parts: Make | str) -> Make:
    """Make one secret of several parts."""

    def make(rng: random.Random) -> Sample:
        value = "".join(
            part if isinstance(part, str) else part(rng).text for part in parts
        )
        return Sample(value, value)

    return make


def block(
    label: str, lines: int, *, header: str = "", last: int = 27, end: bool = True
) -> Make:
    """Make a private key block; without `end` it breaks off after its last line."""

    def make(rng: random.Random) -> Sample:
        body = [pick(rng, BASE64, 64) for _ in range(lines)] + [
            pick(rng, ALNUM, last) + "="
        ]
        value = "\n".join(
            [
                HEAD.format(label),
                *([header, ""] if header else []),
                *body,
                *([TAIL.format(label)] if end else []),
            ]
        )
        return Sample(value, value)

    return make


def jwt(rng: random.Random) -> Sample:
    """Make a signed JWT."""

    def part(text: str) -> str:
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    value = ".".join(
        (
            part('{"alg":"HS256","typ":"JWT"}'),
            part(
                f'{{"sub":"{pick(rng, ALNUM, 9)}","iat":{pick(rng, "123456789", 10)}}}'
            ),
            pick(rng, URL_SAFE, 42) + pick(rng, ALNUM, 1),
        )
    )
    return Sample(value, value)


def putty(rng: random.Random) -> Sample:
    """Make a PuTTY key file."""
    public, private = (
        ("\n".join(pick(rng, BASE64, 64) for _ in range(n))) for n in (2, 4)
    )
    value = (
        f"PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nComment: key\nPublic-Lines: 2\n{public}\n"
        f"Private-Lines: 4\n{private}\nPrivate-MAC: {pick(rng, HEX, 40)}"
    )
    return Sample(value, value)


def basic(rng: random.Random) -> Sample:
    """Make a basic authorization."""
    value = base64.b64encode(f"user:{pick(rng, ALNUM, 14)}".encode()).decode()
    return Sample("Authorization: Basic " + value, value)


def uuid(rng: random.Random) -> Sample:
    """Make a random UUID."""
    value = "-".join(pick(rng, HEX, size) for size in (8, 4, 4, 4, 12))
    return Sample(value, value)


def _url(scheme: str, user: str, host: str) -> Make:
    return within(
        f"{scheme}://{user}:", token("", ALNUM + "-_.~!$&*+=", 16), f"@{host}"
    )


FORMATS: tuple[tuple[str, Make], ...] = (
    *(
        ("aws-key", token(p, UPPER + DIGITS, 16))
        for p in ("AKIA", "ASIA", "ABIA", "ACCA", "A3TX")
    ),
    ("aws-secret", within("aws_secret_access_key = '", token("", BASE64, 40), "'")),
    ("aws-secret", within("aws_secret_access_key=", token("", BASE64, 40))),
    ("aws-secret", within("SecretAccessKey: ", token("", BASE64, 40))),
    *(
        ("github-token", token(p + "_", ALNUM, 36))
        for p in ("ghp", "gho", "ghu", "ghs", "ghr")
    ),
    (
        "github-token",
        joined("github_pat_", token("", ALNUM, 22), "_", token("", ALNUM, 59)),
    ),
    *(
        ("gitlab-token", token(p + "-", URL_SAFE, 20))
        for p in ("glpat", "gldt", "glrt", "glsoat", "glft")
    ),
    ("gitlab-token", token("glptt-", HEX, 40)),
    ("gitlab-token", token("glcbt-64_", URL_SAFE, 20)),
    ("gitlab-token", token("glimt-", LOWER + DIGITS, 25)),
    ("gitlab-token", token("glagent-", URL_SAFE, 50)),
    ("gitlab-token", token("gloas-", HEX, 64)),
    ("gitlab-token", token("GR1348941", URL_SAFE, 20)),
    (
        "gitlab-token",
        joined("glpat-", token("", URL_SAFE, 27), ".01.", token("", LOWER + DIGITS, 9)),
    ),
    (
        "openai-key",
        joined("sk-", token("", ALNUM, 20), "T3Blbk" + "FJ", token("", ALNUM, 20)),
    ),
    (
        "openai-key",
        joined("sk-team-", token("", ALNUM, 20), "T3Blbk" + "FJ", token("", ALNUM, 20)),
    ),
    ("openai-key", token("sk-", ALNUM, 48)),
    ("openai-key", token("sk-proj-", URL_SAFE, 124)),
    ("openai-key", token("sk-svcacct-", URL_SAFE, 60)),
    ("anthropic-key", token("sk-ant-api03-", URL_SAFE, 93, "AA")),
    ("google-key", token("AIza", URL_SAFE, 35)),
    ("google-oauth", token("GOCSPX-", URL_SAFE, 28)),
    ("google-oauth", token("ya29.", URL_SAFE, 120)),
    ("google-oauth", token("1//0", URL_SAFE, 60)),
    *(
        (
            "slack-token",
            joined(
                f"xox{c}-",
                token("", DIGITS, 12),
                "-",
                token("", DIGITS, 12),
                "-",
                token("", ALNUM, 24),
            ),
        )
        for c in "abprs"
    ),
    (
        "slack-token",
        joined(
            "xapp-1-A",
            token("", UPPER + DIGITS, 10),
            "-",
            token("", DIGITS, 13),
            "-",
            token("", HEX, 64),
        ),
    ),
    (
        "slack-webhook",
        within(
            "https://hooks.slack.com/services/",
            joined(
                "T",
                token("", UPPER + DIGITS, 10),
                "/B",
                token("", UPPER + DIGITS, 10),
                "/",
                token("", ALNUM, 24),
            ),
        ),
    ),
    *(
        ("stripe-key", token(p, ALNUM, 24))
        for p in ("sk_live_", "rk_live_", "sk_test_", "rk_test_")
    ),
    ("stripe-key", token("whsec_", ALNUM, 32)),
    (
        "sendgrid-key",
        joined("SG.", token("", URL_SAFE, 22), ".", token("", URL_SAFE, 43)),
    ),
    ("twilio-key", token("SK", HEX, 32)),
    ("twilio-account", token("AC", HEX, 32)),
    ("npm-token", token("npm_", ALNUM, 36)),
    (
        "npm-token",
        within("//registry.npmjs.org/:_authToken=", token("npm_", ALNUM, 36)),
    ),
    ("pypi-token", token("pypi-AgEIcHlwaS5vcmc", URL_SAFE, 150)),
    ("pypi-token", token("pypi-AgENdGVzdC5weXBpLm9yZw", URL_SAFE, 150)),
    ("huggingface-token", token("hf_", LOWER + UPPER, 34)),
    ("digitalocean-token", token("dop_v1_", HEX, 64)),
    ("digitalocean-token", token("doo_v1_", HEX, 64)),
    (
        "azure-key",
        within(
            "AccountName=acc;AccountKey=",
            token("", BASE64, 86, "=="),
            ";EndpointSuffix=core.host",
        ),
    ),
    (
        "azure-key",
        within("Endpoint=sb://bus/;SharedAccessKey=", token("", BASE64, 43, "=")),
    ),
    ("azure-key", joined(token("", ALNUM, 3), "8Q~", token("", ALNUM + "-_", 34))),
    (
        "azure-sas",
        within("https://acc.blob.host/c?sv=1&sig=", token("", ALNUM, 46), "&se=2"),
    ),
    (
        "discord-token",
        joined(
            token("MT", ALNUM, 24),
            ".",
            token("G", ALNUM, 5),
            ".",
            token("", URL_SAFE, 27),
        ),
    ),
    (
        "discord-webhook",
        within(
            "https://discord.com/api/webhooks/123456789012345678/",
            token("", URL_SAFE, 68),
        ),
    ),
    ("telegram-token", joined(token("7", DIGITS, 9), ":AA", token("", URL_SAFE, 33))),
    ("mailgun-key", token("key-", HEX, 32)),
    ("mailchimp-key", token("", HEX, 32, "-us17")),
    ("jwt", jwt),
    ("square-token", token("sq0csp-", URL_SAFE, 43)),
    ("artifactory-token", token("AKCp", ALNUM, 69)),
    ("artifactory-token", within("repo: ", token("AP5", ALNUM, 40))),
    ("shopify-token", token("shpat_", HEX, 32)),
    ("databricks-token", token("dapi", HEX, 32)),
    ("linear-key", token("lin_api_", ALNUM, 40)),
    ("notion-token", token("ntn_", ALNUM, 46)),
    ("grafana-token", joined("glsa_", token("", ALNUM, 32), "_", token("", HEX, 8))),
    ("sentry-token", token("sntryu_", HEX, 64)),
    ("new-relic-key", token("NRAK-", UPPER + DIGITS, 27)),
    ("vault-token", token("hvs.", URL_SAFE, 90)),
    ("supabase-key", token("sbp_", HEX, 40)),
    ("groq-key", token("gsk_", ALNUM, 52)),
    ("xai-key", token("xai-", ALNUM, 80)),
    ("replicate-token", token("r8_", ALNUM, 37)),
    ("perplexity-key", token("pplx-", ALNUM, 48)),
    ("atlassian-token", token("ATATT3", URL_SAFE, 180)),
    ("docker-token", token("dckr_pat_", URL_SAFE, 27)),
    ("figma-token", token("figd_", URL_SAFE, 40)),
    ("postman-key", joined("PMAK-", token("", HEX, 24), "-", token("", HEX, 34))),
    ("age-key", token("AGE-SECRET-KEY-1", UPPER + DIGITS, 58)),
    ("rubygems-token", token("rubygems_", HEX, 48)),
    (
        "tailscale-key",
        joined("tskey-auth-", token("", ALNUM, 12), "-", token("", ALNUM, 32)),
    ),
    (
        "softlayer-key",
        within("https://api.softlayer.com/soap/v3/", token("", LOWER + DIGITS, 64)),
    ),
    ("cloudant-key", within("cloudant_api_key = '", token("", LOWER, 24), "'")),
    ("cloudant-key", within("cloudant_password = '", token("", HEX, 64), "'")),
    ("private-key", block("PRIVATE", 6)),
    ("private-key", block("RSA PRIVATE", 24)),
    ("private-key", block("EC PRIVATE", 2)),
    ("private-key", block("DSA PRIVATE", 8)),
    ("private-key", block("OPENSSH PRIVATE", 6)),
    ("private-key", block("ENCRYPTED PRIVATE", 20)),
    (
        "private-key",
        block(
            "RSA PRIVATE",
            20,
            header="Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0A1B2C3D",
        ),
    ),
    ("private-key", block("RSA PRIVATE", 9, end=False)),
    ("private-key", putty),
    ("url-password", _url("https", "deploy", "git.internal.host/repo.git")),
    ("url-password", _url("postgres", "app", "db:5432/prod")),
    ("url-password", _url("postgresql+asyncpg", "app", "db:5432/prod")),
    ("url-password", _url("mysql", "root", "10.0.0.7/shop")),
    ("url-password", _url("mongodb+srv", "app", "c0.mongodb.net/x")),
    ("url-password", _url("redis", "", "cache:6379/0")),
    ("url-password", _url("amqp", "guest", "mq//")),
    ("password", within("db_password = '", token("", ALNUM, 20), "'")),
    ("api-key", within("api_key: '", token("", HEX, 32), "'")),
    ("api-key", within("ibm_cloud_api_key = '", token("", URL_SAFE, 44), "'")),
    ("token", within("accessToken: '", token("", ALNUM, 40), "'")),
    ("secret-value", within("client_secret='", token("", ALNUM + "-_", 32), "'")),
    ("secret-value", within("cos_hmac_secret_access_key = '", token("", HEX, 48), "'")),
    ("bearer-token", within("Authorization: Bearer ", token("", ALNUM, 32))),
    ("basic-auth", basic),
    # New rows go here: the number of a row is the seed of its samples.
    (
        "azure-devops-pat",
        joined(token("", ALNUM, 76), "AZ" + "DO", token("", ALNUM, 4)),
    ),
    ("azure-devops-pat", within("AZURE_DEVOPS_PAT=", token("", LOWER + "234567", 52))),
    (
        "azure-devops-pat",
        within('"vstsToken": "', token("", LOWER + "234567", 52), '"'),
    ),
    ("heroku-key", token("HRKU-AA", URL_SAFE, 58)),
    ("heroku-key", within("HEROKU_API_KEY=", uuid)),
    ("heroku-key", within("heroku_api_token: ", uuid)),
    ("cloudflare-key", joined("v1.0-", token("", HEX, 24), "-", token("", HEX, 146))),
    ("fly-token", token("fm2_", BASE64, 160, "==")),
    ("fly-token", token("fo1_", URL_SAFE, 43)),
    ("doppler-token", token("dp.pt.", ALNUM, 43)),
    ("doppler-token", joined("dp.st.", "dev_main.", token("", ALNUM, 43))),
    ("planetscale-token", token("pscale_tkn_", URL_SAFE, 43)),
    ("planetscale-token", token("pscale_pw_", URL_SAFE, 43)),
    (
        "terraform-token",
        joined(token("", ALNUM, 14), ".atlasv1.", token("", URL_SAFE, 67)),
    ),
    ("bitbucket-token", token("ATBB", ALNUM, 32)),
    ("bitbucket-token", token("ATCTT3", URL_SAFE, 180)),
    ("nuget-key", token("oy2", LOWER + DIGITS, 43)),
    ("square-token", token("EAAA", URL_SAFE, 60)),
    ("facebook-token", token("EAA", ALNUM, 160)),
    ("aws-bedrock-key", token("ABSK", BASE64, 124, "==")),
    ("aws-bedrock-key", token("bedrock-api-key-", BASE64, 160)),
    (
        "firebase-key",
        joined("AAAA", token("", URL_SAFE, 7), ":APA91b", token("", URL_SAFE, 134)),
    ),
    (
        "twitter-token",
        joined(
            "A" * 22,
            token("", ALNUM, 40),
            "%2F",
            token("", ALNUM, 20),
            "%3D",
            token("", ALNUM, 50),
        ),
    ),
    *(("sonar-token", token(p, HEX, 40)) for p in ("squ_", "sqp_", "sqa_")),
    (
        "circleci-token",
        joined("CCIPAT_", token("", ALNUM, 22), "_", token("", HEX, 40)),
    ),
    ("pulumi-token", token("pul-", HEX, 40)),
    *(
        ("vendor-token", token(p, ALNUM, 64))
        for p in ("nvapi-", "tvly-dev-", "nfp_", "phx_", "EZAK", "ops_eyJ", "rdme_")
    ),
    ("vendor-token", joined("pat", token("", ALNUM, 14), ".", token("", HEX, 64))),
    *(
        (
            "vendor-token",
            joined(p, token("eyJ1Ijoi", ALNUM, 40), ".", token("", ALNUM, 22)),
        )
        for p in ("pk.", "sk.")
    ),
    *(
        ("vendor-token", token(p, HEX, 32))
        for p in ("0/", "1/1204567890123456:", "2/1204567890123456/1207654321098765:")
    ),
    ("clojars-token", token("CLOJARS_", LOWER + DIGITS, 60)),
    (
        "sentry-dsn",
        within("https://", token("", HEX, 32), "@o450.ingest.sentry.io/4501"),
    ),
    (
        "sentry-dsn",
        within(
            "https://",
            joined(token("", HEX, 32), ":", token("", HEX, 32)),
            "@sentry.internal.host/2",
        ),
    ),
    ("password", within("bindpw: ", token("Tr0ub4dor&", DIGITS, 2))),
    ("password-hash", within("$apr1$", token("", ALNUM, 31))),
)


def _lines(text: str, indent: str) -> str:
    return text.replace("\n", "\n" + indent)


def _escaped(text: str) -> str:
    return text.replace("\n", "\\n")


CONTEXTS: tuple[tuple[str, str, str, Callable[[str], str]], ...] = (
    ("bare", "", "\n", str),
    ("python", 'CLIENT = "', '"\n', _escaped),
    ("env", "SERVICE_VALUE=", "\nOTHER=1\n", _escaped),
    (
        "yaml",
        "service:\n  value: ",
        "\n  other: 1\n",
        lambda text: _lines(text, "    "),
    ),
    (
        "markdown",
        "Ask *ops* first. Use `",
        "`, then see [the guide](https://docs.host/x).\n",
        str,
    ),
)
"""Name, text before, text after, and a function that writes the line ends."""


def placed(sample: Sample, context: int) -> tuple[str, int, int]:
    """Put a sample into a context; return the text and the span of its secret."""
    _, before, after, write = CONTEXTS[context]
    inner, secret = write(sample.text), write(sample.secret)
    start = len(before) + inner.rindex(secret)
    return before + inner + after, start, start + len(secret)


def samples(kind_index: int, count: int) -> list[Sample]:
    """Make `count` samples of one row of `FORMATS`, the same on every run."""
    rng = random.Random(kind_index)
    return [FORMATS[kind_index][1](rng) for _ in range(count)]
