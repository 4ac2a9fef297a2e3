"""Compaction of records: choice of facts, transactional write, undo and summaries."""
