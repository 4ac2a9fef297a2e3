"""SHA-256 without OpenSSL, which `hashlib` loads and which takes a command longer than
its hashes.

For large files `hashlib` is faster.
"""

from __future__ import annotations

import sys

from cuedeck.model.light_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        if sys.version_info >= (3, 12):
            from _sha2 import sha256
        else:
            from _sha256 import sha256
    except ImportError:  # an interpreter that was built without it
        from hashlib import sha256

__all__ = ["sha256"]
