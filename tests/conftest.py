"""What all tests share: their folder on the path, and how laws are tried."""

from __future__ import annotations

import os

from hypothesis import settings

# No deadline: a test says nothing of time. HYPOTHESIS_PROFILE=thorough tries ten times as much.
settings.register_profile("suite", deadline=None, max_examples=40)
settings.register_profile("thorough", deadline=None, max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))
