"""Dreaming: counts recall hits, promotes facts into MEMORY.md and writes the diary."""
