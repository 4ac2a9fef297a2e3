"""Contexts of a secret in a text: the text before it, the text after it, and its
notation.

python tests/unit/parse/secret_wrappings.py  counts the hidden formats
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote

from secret_samples import FORMATS, Sample, samples

from cuedeck.parse.secrets import find_secrets

KINDS = [
    "aws-key", "aws-secret", "github-token", "gitlab-token", "openai-key", "anthropic-key", "google-key",
    "google-oauth", "slack-token", "slack-webhook", "stripe-key", "sendgrid-key", "twilio-key", "npm-token",
    "pypi-token", "huggingface-token", "digitalocean-token", "azure-key", "discord-token", "telegram-token", "jwt",
    "url-password", "databricks-token", "shopify-token", "docker-token", "linear-key", "password",
]  # fmt: skip
"""The first sample of each of these kinds is tried."""


class Wrapped(NamedTuple):
    """A text and the span of a secret in it."""

    text: str
    start: int
    end: int


def _whole(secret: str) -> str:
    return secret


def _split(joint: str) -> Callable[[str], str]:
    def write(secret: str) -> str:
        middle = len(secret) // 2
        return secret[:middle] + joint + secret[middle:]

    return write


def _json_in_json(secret: str) -> str:
    return json.dumps(json.dumps(secret)[1:-1])[1:-1]


def _encoded(secret: str) -> str:
    return quote(secret, safe="")


def _every_byte(secret: str) -> str:
    return "".join(f"%{ord(c):02X}" for c in secret)


def _base64(secret: str) -> str:
    return base64.b64encode(secret.encode()).decode()


WRAPPINGS: dict[str, tuple[str, str, Callable[[str], str]]] = {
    "bare": ("", "\n", _whole),
    "env": ("SERVICE_VALUE=", "\n", _whole),
    "json": ('{"value": "', '", "next": 1}\n', _whole),
    "yaml": ("service:\n  value: ", "\n  other: 1\n", _whole),
    "toml": ('value = "', '"\n', _whole),
    "comment": ("# was ", "\n", _whole),
    "call": ("connect('", "', timeout=3)\n", _whole),
    "table": ("| name | ", " | live |\n", _whole),
    "added": ("+", "\n", _whole),
    "removed": ("-  ", "\n", _whole),
    "element": ("<value>", "</value>\n", _whole),
    "attribute": ('<add value="', '"/>\n', _whole),
    "option": ("run --value=", " --fast\n", _whole),
    "backticks": ("Use `", "` there.\n", _whole),
    "json in json": ('{\\"value\\": \\"', '\\"}\n', _json_in_json),
    "header": ("X-Service: ", "\r\n", _whole),
    "query": ("https://api.host/v1?a=1&v=", "&b=2\n", _encoded),
    "percent": ("v=", "\n", _every_byte),
    "colour before": ("\x1b[31m", "\x1b[0m\n", _whole),
    "colour after a word": ("value\x1b[1;32m", "\x1b[0m\n", _whole),
    "colour inside": ("", "\n", _split("\x1b[0m\x1b[1m")),
    "written colour": ('print("\\033[31m', '\\033[0m")\n', _whole),
    "title": ("\x1b]0;shell\x07", "\n", _whole),
    "glued": ("key", "\n", _whole),
    "between underscores": ("x_", "_y\n", _whole),
    "no width inside": ("", "\n", _split("\u200b")),
    "no width before": ("value\u2060", "\n", _whole),
    "shell": ("export VALUE=", "\n", _split("\\\n")),
    "python": ('value = (\n    "', '"\n)\n', _split('"\n    "')),
    "python backslash": ('value = "', '"\n', _split('" \\\n    "')),
    "strings in a line": ('value = "', '"\n', _split('" "')),
    "plus in a line": ("const value = '", "'\n", _split("' + '")),
    "plus": ('var value = "', '";\n', _split('" +\n    "')),
    "folded": ("value: >-\n  ", "\nother: 1\n", _split("\n  ")),
    "base64": ("value: ", "\n", _base64),
}
"""Per name: the text before, the text after, and a function that writes the secret."""


def formats() -> dict[str, Sample]:
    """Return a sample by kind."""
    rows = [kind for kind, _ in FORMATS]
    return {kind: samples(rows.index(kind), 1)[0] for kind in KINDS}


def wrap(sample: Sample, wrapping: str) -> Wrapped:
    """Return a sample as a wrapping writes it. The text before its secret is written
    unchanged.
    """
    before, after, write = WRAPPINGS[wrapping]
    lead, _, rest = sample.text.rpartition(sample.secret)
    start = len(before) + len(lead)
    written = write(sample.secret)
    return Wrapped(before + lead + written + rest + after, start, start + len(written))


def is_hidden(wrapped: Wrapped) -> bool:
    """Return whether finds cover all of the secret but the signs at its ends."""
    found = find_secrets(wrapped.text)
    shown = [
        at
        for at in range(wrapped.start, wrapped.end)
        if not any(s.start <= at < s.end for s in found)
    ]
    return not any(wrapped.text[at].isalnum() for at in shown)


def hidden(wrapping: str) -> list[str]:
    """Return the kinds that stay hidden in a wrapping."""
    return [
        kind for kind, sample in formats().items() if is_hidden(wrap(sample, wrapping))
    ]


if __name__ == "__main__":
    total = 0
    for name in WRAPPINGS:
        kept = hidden(name)
        total += len(kept)
        print(
            f"{len(kept):3} of {len(KINDS)}  {name:22} shown: {', '.join(k for k in KINDS if k not in kept)}"
        )
    print(f"{total} of {len(KINDS) * len(WRAPPINGS)}")
