"""Rules of compaction: old records of MEMORY.md become facts, merged by category; the
excess moves to LONGMEMORY.md. `app.memory.compaction` applies a plan to the files.
"""
