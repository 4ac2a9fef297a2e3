"""Find secrets in text, so that every output can mask them in place.

Why an own table and not detect-secrets 1.5 (Apache-2.0): importing its plugins costs about 120 ms, several
times what a whole save may take, and pulls in `requests` for live verification that this product must never
do. Its patterns stop at the header of a private key, take all of a `name:password` URL or quoted assignment
by line, know none of the newer formats (Anthropic, Google, Hugging Face, DigitalOcean, fine-grained GitHub
tokens) and have no way to say which characters to mask. The table here covers every format its regex
detectors know, and the tests hold it to that with the library as a test-only dependency. Left out on purpose:
its public-IP detector (an address is no secret), and its keyword and entropy detectors (too many false hits);
`generic` takes their place with strict conditions.
"""

from __future__ import annotations

from cuedeck.model.node import Secret
from cuedeck.parse.secrets.find import find_secrets
from cuedeck.parse.secrets.rules import RULES_VERSION

__all__ = ["RULES_VERSION", "Secret", "find_secrets"]
