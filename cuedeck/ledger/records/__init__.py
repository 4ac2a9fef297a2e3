"""Files of records: MEMORY.md, daily logs, archive, long memory."""
