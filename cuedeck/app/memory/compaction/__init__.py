"""Parts of a compaction: its figures, how it is written and undone, and who puts facts into words."""
