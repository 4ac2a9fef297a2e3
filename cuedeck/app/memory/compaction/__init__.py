"""Compaction of a memory: statistics, transactional write, undo and summaries."""
