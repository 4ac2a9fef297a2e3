"""Made-up secrets of every format, built from prefix and seeded randomness so that no
literal looks real.
"""

from __future__ import annotations

import base64
import random
import re
import string
from collections.abc import Callable, Iterator
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


def template(text: str) -> Make:
    """Make texts of a template: `{a20}` is 20 random characters of the alphabet `a`,
    and `<…>` encloses the secret if it is not the whole text.

    A run ends in a letter or digit, since its last character decides where a sentence
    goes on.
    """

    def make(rng: random.Random) -> Sample:
        def run(found: re.Match[str]) -> str:
            alphabet = ALPHABETS[found[1]]
            plain = "".join(filter(str.isalnum, alphabet))
            return pick(rng, alphabet, int(found[2]) - 1) + pick(rng, plain, 1)

        written = re.sub(r"\{(\w)(\d+)\}", run, text)
        inside = re.search("<(.*)>", written)
        value = re.sub("[<>]", "", written)
        return Sample(value, inside[1] if inside else value)

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


ALPHABETS = {
    "a": ALNUM, "b": BASE64, "d": DIGITS, "h": HEX, "l": LOWER, "L": LOWER + UPPER, "n": LOWER + DIGITS,
    "N": UPPER + DIGITS, "p": ALNUM + "-_.~!$&*+=", "t": LOWER + "234567", "u": URL_SAFE,
}  # fmt: skip
TEMPLATES = """
aws-key ¦ AKIA{N16} ¦ ASIA{N16} ¦ ABIA{N16} ¦ ACCA{N16} ¦ A3TX{N16}
aws-secret ¦ aws_secret_access_key = '<{b40}>' ¦ aws_secret_access_key=<{b40}> ¦ SecretAccessKey: <{b40}>
github-token ¦ ghp_{a36} ¦ gho_{a36} ¦ ghu_{a36} ¦ ghs_{a36} ¦ ghr_{a36} ¦ github_pat_{a22}_{a59}
gitlab-token ¦ glpat-{u20} ¦ gldt-{u20} ¦ glrt-{u20} ¦ glsoat-{u20} ¦ glft-{u20} ¦ glptt-{h40} ¦ glcbt-64_{u20}
gitlab-token ¦ glimt-{n25} ¦ glagent-{u50} ¦ gloas-{h64} ¦ GR1348941{u20} ¦ glpat-{u27}.01.{n9}
openai-key ¦ sk-{a20}T3BlbkFJ{a20} ¦ sk-team-{a20}T3BlbkFJ{a20} ¦ sk-{a48} ¦ sk-proj-{u124} ¦ sk-svcacct-{u60}
anthropic-key ¦ sk-ant-api03-{u93}AA
google-key ¦ AIza{u35}
google-oauth ¦ GOCSPX-{u28} ¦ ya29.{u120} ¦ 1//0{u60}
slack-token ¦ xoxa-{d12}-{d12}-{a24} ¦ xoxb-{d12}-{d12}-{a24} ¦ xoxp-{d12}-{d12}-{a24} ¦ xoxr-{d12}-{d12}-{a24}
slack-token ¦ xoxs-{d12}-{d12}-{a24} ¦ xapp-1-A{N10}-{d13}-{h64}
slack-webhook ¦ https://hooks.slack.com/services/<T{N10}/B{N10}/{a24}>
stripe-key ¦ sk_live_{a24} ¦ rk_live_{a24} ¦ sk_test_{a24} ¦ rk_test_{a24} ¦ whsec_{a32}
sendgrid-key ¦ SG.{u22}.{u43}
twilio-key ¦ SK{h32}
twilio-account ¦ AC{h32}
npm-token ¦ npm_{a36} ¦ //registry.npmjs.org/:_authToken=<npm_{a36}>
pypi-token ¦ pypi-AgEIcHlwaS5vcmc{u150} ¦ pypi-AgENdGVzdC5weXBpLm9yZw{u150}
huggingface-token ¦ hf_{L34}
digitalocean-token ¦ dop_v1_{h64} ¦ doo_v1_{h64}
azure-key ¦ AccountName=acc;AccountKey=<{b86}==>;EndpointSuffix=core.host
azure-key ¦ Endpoint=sb://bus/;SharedAccessKey=<{b43}=> ¦ {a3}8Q~{u34}
azure-sas ¦ https://acc.blob.host/c?sv=1&sig=<{a46}>&se=2
discord-token ¦ MT{a24}.G{a5}.{u27}
discord-webhook ¦ https://discord.com/api/webhooks/123456789012345678/<{u68}>
telegram-token ¦ 7{d9}:AA{u33}
mailgun-key ¦ key-{h32}
mailchimp-key ¦ {h32}-us17
square-token ¦ sq0csp-{u43}
artifactory-token ¦ AKCp{a69} ¦ repo: <AP5{a40}>
shopify-token ¦ shpat_{h32}
databricks-token ¦ dapi{h32}
linear-key ¦ lin_api_{a40}
notion-token ¦ ntn_{a46}
grafana-token ¦ glsa_{a32}_{h8}
sentry-token ¦ sntryu_{h64}
new-relic-key ¦ NRAK-{N27}
vault-token ¦ hvs.{u90}
supabase-key ¦ sbp_{h40}
groq-key ¦ gsk_{a52}
xai-key ¦ xai-{a80}
replicate-token ¦ r8_{a37}
perplexity-key ¦ pplx-{a48}
atlassian-token ¦ ATATT3{u180}
docker-token ¦ dckr_pat_{u27}
figma-token ¦ figd_{u40}
postman-key ¦ PMAK-{h24}-{h34}
age-key ¦ AGE-SECRET-KEY-1{N58}
rubygems-token ¦ rubygems_{h48}
tailscale-key ¦ tskey-auth-{a12}-{a32}
softlayer-key ¦ https://api.softlayer.com/soap/v3/<{n64}>
cloudant-key ¦ cloudant_api_key = '<{l24}>' ¦ cloudant_password = '<{h64}>'
url-password ¦ https://deploy:<{p16}>@git.internal.host/repo.git ¦ postgres://app:<{p16}>@db:5432/prod
url-password ¦ postgresql+asyncpg://app:<{p16}>@db:5432/prod ¦ mysql://root:<{p16}>@10.0.0.7/shop
url-password ¦ mongodb+srv://app:<{p16}>@c0.mongodb.net/x ¦ redis://:<{p16}>@cache:6379/0
url-password ¦ amqp://guest:<{p16}>@mq//
password ¦ db_password = '<{a20}>'
api-key ¦ api_key: '<{h32}>' ¦ ibm_cloud_api_key = '<{u44}>'
token ¦ accessToken: '<{a40}>'
secret-value ¦ client_secret='<{u32}>' ¦ cos_hmac_secret_access_key = '<{h48}>'
bearer-token ¦ Authorization: Bearer <{a32}>
azure-devops-pat ¦ {a76}AZDO{a4} ¦ AZURE_DEVOPS_PAT=<{t52}> ¦ "vstsToken": "<{t52}>"
heroku-key ¦ HRKU-AA{u58} ¦ HEROKU_API_KEY=<{h8}-{h4}-{h4}-{h4}-{h12}>
heroku-key ¦ heroku_api_token: <{h8}-{h4}-{h4}-{h4}-{h12}>
cloudflare-key ¦ v1.0-{h24}-{h146}
fly-token ¦ fm2_{b160}== ¦ fo1_{u43}
doppler-token ¦ dp.pt.{a43} ¦ dp.st.dev_main.{a43}
planetscale-token ¦ pscale_tkn_{u43} ¦ pscale_pw_{u43}
terraform-token ¦ {a14}.atlasv1.{u67}
bitbucket-token ¦ ATBB{a32} ¦ ATCTT3{u180}
nuget-key ¦ oy2{n43}
square-token ¦ EAAA{u60}
facebook-token ¦ EAA{a160}
aws-bedrock-key ¦ ABSK{b124}== ¦ bedrock-api-key-{b160}
firebase-key ¦ AAAA{u7}:APA91b{u134}
twitter-token ¦ AAAAAAAAAAAAAAAAAAAAAA{a40}%2F{a20}%3D{a50}
sonar-token ¦ squ_{h40} ¦ sqp_{h40} ¦ sqa_{h40}
circleci-token ¦ CCIPAT_{a22}_{h40}
pulumi-token ¦ pul-{h40}
vendor-token ¦ nvapi-{a64} ¦ tvly-dev-{a64} ¦ nfp_{a64} ¦ phx_{a64} ¦ EZAK{a64} ¦ ops_eyJ{a64} ¦ rdme_{a64}
vendor-token ¦ pat{a14}.{h64} ¦ pk.eyJ1Ijoi{a40}.{a22} ¦ sk.eyJ1Ijoi{a40}.{a22} ¦ 0/{h32}
vendor-token ¦ 1/1204567890123456:{h32} ¦ 2/1204567890123456/1207654321098765:{h32}
clojars-token ¦ CLOJARS_{n60}
sentry-dsn ¦ https://<{h32}>@o450.ingest.sentry.io/4501 ¦ https://<{h32}:{h32}>@sentry.internal.host/2
password ¦ bindpw: <Tr0ub4dor&{d2}>
password-hash ¦ $apr1$<{a31}>
"""
_ENCRYPTED = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0A1B2C3D"


def _formats() -> Iterator[tuple[str, Make]]:
    for line in TEMPLATES.strip().split("\n"):
        kind, *texts = line.split(" ¦ ")
        for text in texts:
            yield kind, template(text)
    for label, lines in (
        ("PRIVATE", 6), ("RSA PRIVATE", 24), ("EC PRIVATE", 2), ("DSA PRIVATE", 8), ("OPENSSH PRIVATE", 6),
        ("ENCRYPTED PRIVATE", 20),
    ):  # fmt: skip
        yield "private-key", block(label, lines)
    yield "private-key", block("RSA PRIVATE", 20, header=_ENCRYPTED)
    yield "private-key", block("RSA PRIVATE", 9, end=False)
    yield "private-key", putty
    yield "jwt", jwt
    yield "basic-auth", basic


FORMATS = tuple(_formats())


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
