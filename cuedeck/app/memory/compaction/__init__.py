"""Use case of compaction: statistics, transactional write, undo and summaries.
`records.compaction` decides which records become facts.
"""
