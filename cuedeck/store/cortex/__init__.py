"""The cortex tree on disk: files, folders, layers and metadata."""

from __future__ import annotations
