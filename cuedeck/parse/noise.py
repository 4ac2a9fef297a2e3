"""Files that are never looked for as context: they change with everything and explain nothing."""

from __future__ import annotations

import re

from cuedeck.model.places import DOCS

_CODE = r"\.(?:pyi?|[cm]?[jt]sx?|vue|svelte|go|rs|java|kt|scala|swift|cs|rb|php|sh|[ch](?:c|h|pp|xx)?|mm?)$"
"""A module may be called `history.py` or `notice.go`; it explains something."""
_NOISE = re.compile(
    rf"""(?:^|/)(?:
        (?:vendor|vendored|third_party|node_modules|bower_components|dist|deno_dist|_vendor|build|generated
          |__snapshots__|locales?|__pycache__)/
        |(?:changes|changelog|history|news|release[-_ ]?notes|releases)(?!{_CODE})(?:\.[a-z]+)?$
        |(?:changelog|changes|news|release-notes)/
        |(?:licen[cs]es?|authors|contributors|copying|maintainers|codeowners|notice)(?![a-z]|[^/]*{_CODE})[^/]*$
        |(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|bun\.lockb?)$
        |requirements[^/]*\.txt$
    )
    |\.(?:lock|snap|map|svg|csv|tsv|po|pot|min\.js|min\.css|pb\.go)$
    |_pb2\.pyi?$
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DOCS = f"{DOCS}/"


def is_noise(path: str) -> bool:
    """Tell whether a path is that of a lock file, a change log, a licence, of generated, vendored or hidden text."""
    if path.startswith(_DOCS):
        path = path[len(_DOCS) :]
    return path.startswith(".") or "/." in path or _NOISE.search(path) is not None
