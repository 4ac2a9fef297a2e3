"""Compaction: old records become facts, facts of one topic become one record, what does not fit moves on."""
