"""Tokens for people. @doc/security#TokenValidation"""

import hashlib
import hmac
import time

HOUR = 3600


class Login:
    """Give out tokens and look at them again."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def issue(self, name: str) -> str:
        stamp = f"{name}:{int(time.time())}"
        return f"{stamp}:{self._sign(stamp)}"

    def verify(self, token: str) -> bool:
        stamp, _, signature = token.rpartition(":")
        age = time.time() - int(stamp.rpartition(":")[2])
        return age < HOUR and hmac.compare_digest(signature, self._sign(stamp))

    def _sign(self, stamp: str) -> str:
        return hmac.new(self._key, stamp.encode(), hashlib.sha256).hexdigest()
