"""The fixtures these tests share."""

from sandbox import sandbox

__all__ = ["sandbox"]
