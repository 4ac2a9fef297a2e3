"""Decisions: make, list, replace, confirm and export them. The log is their only home."""
