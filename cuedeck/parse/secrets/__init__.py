"""Secret detection in text, so that every output can mask secrets in place.

The rules are a table of their own, because detect-secrets 1.5 has no format of many
vendors, reports values without positions, searches line by line, and imports a client
for live verification. Its public-IP detector is omitted on purpose (an address is not a
secret). Its keyword and entropy detectors have too many false positives; the module
`assignments` replaces them with strict conditions.

Intended matches: example keys from a vendor's documentation (they have the real
format), and any password in a URL or basic authorization that is not clearly a
placeholder. Use `allow` for exceptions.
"""

from __future__ import annotations

from cuedeck.model.secret import Secret
from cuedeck.parse.secrets.find_secrets import SearchedText, SecretSearch, find_secrets

__all__ = ["SearchedText", "Secret", "SecretSearch", "find_secrets"]
