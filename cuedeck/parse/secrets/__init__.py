"""Find secrets in text, so that every output can mask them in place.

Why an own table and not detect-secrets 1.5 (Apache-2.0): importing its plugins costs well over 100 ms, many
times what finding takes, and pulls in `requests` for live verification, which this product must never do. It
reports values without their place and reads line by line, so of a private key it knows the header only. It has
no format for Anthropic, Google, Hugging Face, DigitalOcean or fine-grained GitHub tokens. The table here covers
every format its regex detectors know, and the tests hold it to that with the library as a test-only dependency.
Left out on purpose: its public-IP detector (an address is no secret), and its keyword and entropy detectors (too
many false hits); the module `generic` takes their place with strict conditions.

What is a hit by intent: keys from a vendor's documentation (they have the format), and any password in a URL or a
basic authorization that is not plainly a stand-in. `allow` is there for those.
"""

from __future__ import annotations

from cuedeck.model.file import Secret
from cuedeck.parse.secrets.find_secrets import find_secrets

__all__ = ["Secret", "find_secrets"]
