"""Compaction of MEMORY.md: old records become facts, merged by category; the excess
moves to LONGMEMORY.md.
"""
