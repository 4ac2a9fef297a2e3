"""Secret detection in text, so that every output can mask secrets in place.

Reasons for a separate rule table instead of detect-secrets 1.5 (Apache-2.0): importing
its plugins costs well over 100 ms, many times the cost of a search, and imports
`requests` for live verification, which this product must never do. It reports values
without positions and scans line by line, so it finds only the header of a private key.
It has no format for Anthropic, Google, Hugging Face, DigitalOcean or fine-grained
GitHub tokens. The table here covers every format of its regex detectors; the tests
check this with the library as a test-only dependency. Its public-IP detector is omitted
on purpose (an address is not a secret). Its keyword and entropy detectors have too many
false positives; the module `assignments` replaces them with strict conditions.

Intended matches: example keys from a vendor's documentation (they have the real
format), and any password in a URL or basic authorization that is not clearly a
placeholder. Use `allow` for exceptions.
"""

from __future__ import annotations

from cuedeck.model.secret import Secret
from cuedeck.parse.secrets.find_secrets import SearchedText, SecretSearch, find_secrets

__all__ = ["SearchedText", "Secret", "SecretSearch", "find_secrets"]
