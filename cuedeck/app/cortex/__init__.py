"""Use cases of the cortex tree: messages of a session, commit, archive and deletion."""

from __future__ import annotations
