"""Compaction of MEMORY.md: old records become facts, merged by topic; what exceeds the limit moves to LONGMEMORY.md."""
