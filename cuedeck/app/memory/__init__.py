"""Memory: records, what a session is given of them, compaction, and when each is due."""
