"""Table of secret formats of known vendors.

A rule is tried only if the text contains one of its needles, which one pass over the
text finds for all rules. Patterns use possessive or bounded repeats and a left
edge outside of their own alphabet, so that no text makes them scan the same run more
than a few times.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from cuedeck.parse.secrets import assignments, contexts, passwords
from cuedeck.parse.secrets.plausibility import entropy, is_password, is_random, is_token

_LEAST_ENTROPY = 3.0
_DENSE_ENTROPY = 4.2
Check = Callable[[re.Match[str]], bool]


def value_group(match: re.Match[str]) -> int | str:
    """Return the group to mask: `secret` if the pattern has this group and it matched,
    else the whole match.
    """
    named = "secret" in match.re.groupindex and match["secret"] is not None
    return "secret" if named else 0


def _token(match: re.Match[str]) -> bool:
    body = match["body"] if "body" in match.re.groupindex else match[value_group(match)]
    return is_token(body)


def _password(match: re.Match[str]) -> bool:
    return is_password(match["secret"], match["user"])


def _random_user(match: re.Match[str]) -> bool:
    value = match["secret"]
    return is_random(value) and _is_mixed(value)


def _mixed(match: re.Match[str]) -> bool:
    return _is_mixed(match[0])


def _is_mixed(value: str) -> bool:
    return (
        sum(c.isdigit() for c in value) > 1
        and not value.islower()
        and not value.isupper()
    )


def _glued(match: re.Match[str]) -> bool:
    """Accept a token; directly after a letter or digit, as in `keyghp_…`, its body must
    look random.
    """
    if not _token(match):
        return False
    body = match["body"]
    # Like the words of a name, as in `risk-admin-…`.
    is_joined = "-" in body or "_" in body
    return at_edge(match) or (
        entropy(body) > _LEAST_ENTROPY and (not is_joined or _is_mixed(body))
    )


def _dense(match: re.Match[str]) -> bool:
    """Accept a body of high entropy: base64 data rarely matches, because zeros in it
    give runs of one letter.
    """
    return (
        is_token(match["body"])
        and entropy(match["body"]) > _DENSE_ENTROPY
        and _mixed(match)
    )


def _chosen_line(match: re.Match[str]) -> bool:
    if not is_password(match["secret"], match["user"]):
        return False
    return not match["secret"].isdigit()


def _uuid(match: re.Match[str]) -> bool:
    return len(set(match["secret"])) > 6


def _bearer(match: re.Match[str]) -> bool:
    # The body is percent-encoded base64; a run of zeros in base64 data contains no `%`.
    body = match["body"]
    return "%" in body and entropy(body) > _DENSE_ENTROPY


def _not_digest(match: re.Match[str]) -> bool:
    return re.fullmatch(r"[0-9a-f]*|[0-9A-F]*", match["secret"]) is None


def _wrapped_key(match: re.Match[str]) -> bool:
    from binascii import a2b_base64

    return b"PRIVATE KEY" in a2b_base64(match[0][:64])


class Rule(NamedTuple):
    """One secret format: the needles to search for, the pattern, and a check of each
    match.
    """

    kind: str
    needles: tuple[str, ...]
    """Every match contains at least one of these literals; the pattern is tried `back`
    characters before each occurrence. Without literals it is always tried.
    """
    pattern: str
    check: Check = _token
    back: int = 0
    """The number of characters of the match before the needle; -1 if it varies, then
    the whole text is searched.
    """
    fold: bool = False
    """Whether ASCII case is ignored; needles in ASCII must then be lower case."""
    prefixes: tuple[str, ...] = ()
    """Literals that begin every match and nothing else; empty if there are none."""
    part: str = ""
    """A pattern of a part of every match, which begins with a literal; a text without
    it has no match.
    """


# Left edges: not inside a word, except directly after an escape (`\n`, `%3D`) that ends
# in a letter or digit.
_EDGE = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f][0-9A-Fa-f]))"
_RUN_EDGE = r"(?:(?<![\w-])|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f][0-9A-Fa-f]))"
_END = r"(?![A-Za-z0-9])"
_LEAST_PREFIX = 4
"""Minimum length of a prefix that does not occur at the end of other words by chance.
"""


def at_edge(match: re.Match[str]) -> bool:
    """Return whether a match begins at a left word edge."""
    return re.compile(_EDGE).match(match.string, match.start()) is not None


def _flat(kind: str, prefixes: str, body: str, end: str = _END) -> Rule:
    """Return the rule of a token that consists of one of several literal prefixes and a
    body.

    Long prefixes match inside of words, too.
    """
    words = tuple(prefixes.split())
    joined = "|".join(re.escape(word) for word in words)
    is_long = min(map(len, words)) >= _LEAST_PREFIX
    pattern = rf"{'' if is_long else _EDGE}(?:{joined})(?P<body>{body}){end}"
    return Rule(
        kind,
        words,
        pattern,
        _glued if is_long else _token,
        prefixes=words if is_long else (),
    )


# The order matters only if two rules match the same span: the kind of the first one is
# used.
RULES: tuple[Rule, ...] = (
    _flat("aws-key", "AKIA ASIA ABIA ACCA", r"[0-9A-Z]{16}"),
    Rule("aws-key", ("A3T",), rf"{_EDGE}A3T[A-Z0-9][0-9A-Z]{{16}}{_END}"),
    Rule(
        "aws-secret",
        ("secret",),
        r"secret[_-]?(?:access[_-]?)?key\\?[\"']?\]?[ \t]{0,8}(?:=>|:=|[=:]|[ \t])[ \t]{0,8}\\?[\"']?"
        r"(?P<secret>[a-z0-9/+]{40})(?![a-z0-9/+=])",
        _not_digest,
        fold=True,
    ),
    Rule(
        "aws-secret",
        ("aws",),
        r"aws[^\n]{0,20}?(?:key|pwd|pw|pass|token)[^\n]{0,20}?[\"'](?P<secret>[a-z0-9/+]{40})[\"']",
        _not_digest,
        fold=True,
    ),
    _flat("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"\w{36,}+", ""),
    _flat("github-token", "github_pat_", r"\w{22,}+", ""),
    _flat(
        "gitlab-token",
        "glpat- gldt- glft- glsoat- glrt- glrtr- glptt- glimt- glcbt- glagent- gloas- glffct- glwt-",
        r"[\w-]{20,}+(?:(?:\.[0-9a-z]{2})?\.[0-9a-z]{9}(?!\w))?",
        "",
    ),
    _flat("gitlab-token", "GR1348941", r"[\w-]{20,}+", ""),
    _flat("anthropic-key", "sk-ant-", r"[\w-]{20,}+", ""),
    Rule(
        "openai-key",
        ("sk-",),
        rf"(?:{_EDGE}sk-(?:(?=[A-Za-z0-9]{{20}})|(?=(?:service|None|or-v1)-[\w-]{{20}})|(?=[\w-]{{0,200}}T3BlbkFJ))"
        r"|sk-(?=(?:proj|svcacct|admin)-[\w-]{20}))(?P<body>[\w-]{20,}+)",
        _glued,
    ),
    _flat("google-key", "AIza", r"[\w-]{35}"),
    _flat("google-oauth", "GOCSPX-", r"[\w-]{28}"),
    _flat("google-oauth", "ya29.", r"(?:[a-z]\.)?[\w-]{20,}+", ""),
    _flat("google-oauth", "1//0", r"[\w-]{30,}+", ""),
    _flat(
        "slack-token",
        "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs-",
        r"[A-Za-z0-9%/+-]{10,}+",
        "",
    ),
    _flat("slack-token", "xoxe.xoxb- xoxe.xoxp-", r"[A-Za-z0-9-]{20,}+", ""),
    _flat("slack-token", "xapp-", r"[A-Za-z0-9-]{20,}+", ""),
    Rule(
        "slack-webhook",
        ("hooks.slack.com/",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Z][\w/+-]{19,}+)",
        fold=True,
    ),
    _flat(
        "stripe-key", "sk_live_ rk_live_ sk_test_ rk_test_", r"[0-9A-Za-z]{10,}+", ""
    ),
    _flat("stripe-key", "whsec_", r"[0-9A-Za-z+/]{24,}+={0,2}", ""),
    _flat("sendgrid-key", "SG.", r"[\w-]{22}\.[\w-]{43}"),
    _flat("twilio-key", "SK", r"[0-9a-f]{32}"),
    _flat("twilio-account", "AC", r"[0-9a-f]{32}"),
    _flat("npm-token", "npm_", r"[A-Za-z0-9]{36,}+", ""),
    Rule(
        "npm-token",
        (":_",),
        r":_(?:authToken|auth|password)[ \t]{0,4}=[ \t]{0,4}[\"']?(?P<secret>[\w+/=-]{8,}+)",
    ),
    _flat("pypi-token", "pypi-AgE", r"[\w-]{50,}+", ""),
    _flat("huggingface-token", "hf_ api_org_", r"[A-Za-z0-9]{30,}+", ""),
    _flat("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{64}"),
    Rule("azure-key", ("AccountKey=",), r"AccountKey=(?P<secret>[A-Za-z0-9+/=]{88})"),
    Rule(
        "azure-key",
        ("SharedAccessKey=",),
        r"SharedAccessKey=(?P<secret>[A-Za-z0-9+/]{43}=)",
    ),
    Rule(
        "azure-key",
        ("Q~",),
        r"(?<![\w~.-])\w{3}[78]Q~[\w~.-]{31,34}(?![\w~-])",
        _mixed,
        back=4,
    ),
    Rule("azure-sas", ("sig=",), r"(?<=[?&;])sig=(?P<secret>[A-Za-z0-9%+/]{43,}+=?)"),
    Rule(
        "discord-webhook",
        ("/api/webhooks/",),
        r"/api/webhooks/[0-9]{15,20}/(?P<secret>[\w-]{60,}+)",
    ),
    Rule(
        "discord-token",
        (),
        r"[MNO](?<![A-Za-z0-9-].)[\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}(?![A-Za-z0-9-])",
        _mixed,
        back=-1,
        part=r"\.[\w-]{6}\.[\w-]{27}",
    ),
    Rule(
        "telegram-token",
        (":A",),
        r"[0-9](?<![0-9.].)[0-9]{7,9}:A[\w-]{34}(?![A-Za-z0-9-])",
        _mixed,
        back=-1,
    ),
    _flat("mailgun-key", "key-", r"[0-9a-f]{32}"),
    Rule(
        "mailchimp-key",
        ("-us",),
        rf"{_EDGE}[0-9a-f]{{32}}-us[0-9]{{1,2}}{_END}",
        back=32,
    ),
    Rule(
        "jwt",
        ("eyJ",),
        # The header is bounded if it starts inside of a run: only a header at the run's
        # start may scan the whole run.
        rf"(?:{_RUN_EDGE}eyJ[\w-]{{8,}}+|eyJ[\w-]{{8,400}}+)\.(?:ey[\w-]{{5,}}+\.[\w-]{{16,}}+"
        r"|[\w-]*+\.[\w-]{10,}+\.[\w-]{10,}+\.[\w-]{16,}+)",
        prefixes=("eyJ",),
    ),
    _flat("square-token", "sq0csp- sq0atp- sq0idp-", r"[\w-]{22,}+", ""),
    _flat("artifactory-token", "AKCp cmVmdGtuO", r"[A-Za-z0-9]{54,}+", ""),
    # Without a separator or quote before it, this would match in the base64 lines of a
    # certificate.
    Rule(
        "artifactory-token",
        ("AP",),
        r"(?<=[ =:\"'`>])AP[0-9A-F][A-Za-z0-9]{20,}+(?=[\s\"'`<]|$)",
        _mixed,
    ),
    _flat("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"[0-9a-fA-F]{32}"),
    _flat("databricks-token", "dapi", r"[0-9a-f]{32}(?:-[0-9])?"),
    _flat("linear-key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{32,}+", ""),
    _flat("notion-token", "ntn_", r"[A-Za-z0-9]{40,}+", ""),
    _flat("grafana-token", "glsa_ glc_", r"\w{40,}+", ""),
    _flat("sentry-token", "sntrys_ sntryu_", r"[\w+/=-]{60,}+", ""),
    _flat("new-relic-key", "NRAK-", r"[A-Z0-9]{27}"),
    _flat("vault-token", "hvs. hvb.", r"[\w-]{24,}+", ""),
    _flat("supabase-key", "sbp_ sb_secret_", r"[\w-]{30,}+", ""),
    _flat("groq-key", "gsk_", r"[A-Za-z0-9]{40,}+", ""),
    _flat("xai-key", "xai-", r"[A-Za-z0-9]{70,}+", ""),
    _flat("replicate-token", "r8_", r"[A-Za-z0-9]{37,}+", ""),
    _flat("perplexity-key", "pplx-", r"[A-Za-z0-9]{40,}+", ""),
    _flat("atlassian-token", "ATATT3", r"[\w=-]{60,}+", ""),
    _flat("docker-token", "dckr_pat_", r"[\w-]{27,}+", ""),
    _flat("figma-token", "figd_", r"[\w-]{36,}+", ""),
    _flat("postman-key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    _flat("age-key", "AGE-SECRET-KEY-1", r"[0-9A-Z]{58}"),
    _flat("rubygems-token", "rubygems_", r"[0-9a-f]{48}"),
    _flat("tailscale-key", "tskey-", r"[A-Za-z0-9]{2,12}-[\w-]{16,}+", ""),
    Rule(
        "azure-devops-pat",
        ("AZDO",),
        rf"(?P<body>[A-Za-z0-9]{{76}})AZDO[A-Za-z0-9]{{4}}{_END}",
        _glued,
        back=76,
    ),
    Rule(
        "azure-devops-pat",
        ("devops", "vsts"),
        r"(?:devops|vsts)(?:[a-z_-]{0,12}?(?:pat|token))?\\?[\"']?\]?[ \t]{0,8}(?:=>|:=|[=:])[ \t]{0,8}\\?[\"']?"
        r"(?P<secret>[a-z2-7]{52})(?![a-z0-9])",
        _not_digest,
        fold=True,
    ),
    _flat("vendor-token", "nvapi- CFPAT- fio-u- tvly- ops_eyJ", r"[\w-]{32,}+", ""),
    _flat(
        "vendor-token",
        "rdme_ duffel_live_ duffel_test_ phx_ nfp_ bkua_ e2b_ lsv2_pt_ lsv2_sk_ EZAK EZTK",
        r"[A-Za-z0-9]{32,}+",
        "",
    ),
    _flat("vendor-token", "vercel_blob_rw_", r"\w{32,}+", ""),
    _flat("vendor-token", "pk.eyJ sk.eyJ tk.eyJ", r"[\w-]{20,}+\.[\w-]{20,}+", ""),
    Rule(
        "vendor-token",
        ("0/", "1/", "2/"),
        r"(?<![\w/.-])(?:0/|[12]/[0-9]{10,20}(?:/[0-9]{10,20})?:)[0-9a-f]{32}(?![\w/.-])",
    ),
    _flat("vendor-token", "pat-na1- pat-na2- pat-eu1-", r"[0-9a-f-]{36}"),
    Rule(
        "vendor-token",
        ("pat",),
        rf"{_EDGE}pat(?P<body>[A-Za-z0-9]{{14}}\.[0-9a-f]{{64}}){_END}",
    ),
    Rule(
        "vendor-token",
        ("re_", "rnd_"),
        rf"{_EDGE}(?:re_(?P<body>[A-Za-z0-9]{{8}}_[A-Za-z0-9]{{20,40}}+)|rnd_[A-Za-z0-9]{{28,40}}+){_END}",
        _mixed,
    ),
    Rule(
        "vendor-token",
        ("LTAI", "AKID"),
        rf"{_EDGE}(?:LTAI|AKID)(?P<body>[A-Za-z0-9]{{20,36}}+){_END}",
        _mixed,
    ),
    _flat("heroku-key", "HRKU-", r"[\w-]{36,}+", ""),
    Rule(
        "heroku-key",
        ("heroku",),
        r"heroku[\w.-]{0,24}?(?:key|token|secret|password)\\?[\"']?\]?[ \t]{0,8}(?:=>|:=|[=:])[ \t]{0,8}\\?[\"']?"
        r"(?P<secret>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?![\w-])",
        _uuid,
        fold=True,
    ),
    _flat("cloudflare-key", "v1.0-", r"[0-9a-f]{24}-[0-9a-f]{146}"),
    _flat("fly-token", "fm2_ fm1r_ fm1a_", r"[A-Za-z0-9+/]{60,}+={0,3}", ""),
    _flat("fly-token", "fo1_", r"[\w-]{43}"),
    _flat(
        "doppler-token",
        "dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.",
        r"[A-Za-z0-9]{40,44}",
    ),
    _flat("doppler-token", "dp.st.", r"(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}"),
    _flat(
        "planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[\w=.-]{32,64}"
    ),
    Rule(
        "terraform-token",
        (".atlasv1.",),
        r"(?P<body>[A-Za-z0-9]{14})\.atlasv1\.[\w=-]{60,}+",
        back=14,
    ),
    _flat("bitbucket-token", "ATBB", r"[A-Za-z0-9]{32}"),
    _flat("bitbucket-token", "ATCTT3", r"[\w=-]{60,}+", ""),
    _flat("nuget-key", "oy2", r"[a-z0-9]{43}"),
    # These prefixes are short and made of base64 characters, so the edges and a
    # high-entropy body are required.
    Rule("square-token", ("EAAA",), rf"{_EDGE}EAAA(?P<body>[\w-]{{60}}){_END}", _dense),
    Rule(
        "facebook-token",
        ("EAA",),
        rf"{_EDGE}EAA(?P<body>[A-Za-z0-9]{{80,}}+)(?![+/=])",
        _dense,
    ),
    Rule(
        "aws-bedrock-key",
        ("ABSK",),
        rf"{_EDGE}ABSK(?P<body>[A-Za-z0-9+/]{{100,}}+)={{0,2}}",
        _dense,
    ),
    _flat("aws-bedrock-key", "bedrock-api-key-", r"[A-Za-z0-9+/]{60,}+={0,2}", ""),
    Rule(
        "firebase-key", (":APA91b",), r"(?P<body>[\w-]{11}):APA91b[\w-]{100,}+", back=11
    ),
    Rule(
        "twitter-token",
        ("AAAAAAAAAAAAAAAAAA",),
        rf"{_EDGE}A{{18,30}}+(?P<body>[A-Za-z0-9%]{{40,}}+)",
        _bearer,
    ),
    _flat("sonar-token", "squ_ sqp_ sqa_", r"[0-9a-f]{40}"),
    _flat("circleci-token", "CCIPAT_ CCIPRJ_", r"[A-Za-z0-9]{22}_[0-9a-f]{40}"),
    _flat("pulumi-token", "pul-", r"[0-9a-f]{40}"),
    _flat("clojars-token", "CLOJARS_", r"[0-9a-z]{60}"),
    Rule(
        "sentry-dsn",
        ("://",),
        r"(?<=[A-Za-z0-9])://(?P<secret>[0-9a-f]{32}(?::[0-9a-f]{32})?)@[\w.-]{1,128}(?::[0-9]{1,5})?/(?:[\w-]{1,64}/)?[0-9]",
        _uuid,
    ),
    Rule(
        "password",
        (":5432:", ":*:"),
        r"(?m)^[ \t]*(?:[\w.*-]|\\:){1,128}+:(?:[0-9]{2,5}|\*):(?:[^\s:\\]|\\.){1,64}+:"
        r"(?P<user>(?:[^\s:\\]|\\.){1,64}+):(?P<secret>(?:[^\s:\\]|\\.){4,128}+)[ \t]*$",
        _chosen_line,
        back=-1,
    ),
    Rule(
        "private-key",
        ("LS0tLS1CRUdJTi",),
        r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{64,}+={0,2}",
        _wrapped_key,
    ),
    Rule(
        "softlayer-key",
        ("softlayer.com/",),
        r"softlayer\.com/soap/v3(?:\.1)?/(?P<secret>[a-z0-9]{64})",
        fold=True,
    ),
    Rule(
        "cloudant-key",
        ("cloudant",),
        r"cloudant[_-]?(?:api[_-]?)?(?:key|pwd|pw|password|pass|token)[\"']?\]?[ \t]{0,4}(?:=>|:=|::|[=:])[ \t]{0,4}"
        r"[\"']?(?P<secret>[0-9a-f]{64}|[a-z]{24})(?!\w)",
        fold=True,
    ),
    Rule(
        "url-password",
        ("://",),
        r"(?<=[A-Za-z0-9])://(?P<user>[^\s/:@\"'`<>]{0,128}):"
        r"(?P<secret>[^\s/\"'`<>@]{1,256}+(?:@[^\s/\"'`<>@()\[\],;]{1,128}+){0,4})@(?=[\w\[$%{.-])",
        _password,
    ),
    Rule(
        "url-password",
        ("://",),
        r"(?<=[A-Za-z0-9])://(?P<secret>[\w.~+-]{16,256}+)@(?=[\w\[$%{-])",
        _random_user,
    ),
    *(
        Rule(row.kind, row.needles, row.pattern, row.check, fold=True)
        for row in (*assignments.ROWS, *passwords.ROWS, *contexts.ROWS)
    ),
)
