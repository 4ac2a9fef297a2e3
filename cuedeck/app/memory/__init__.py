"""Memory: records, the context given to a session, compaction and the schedule of its
jobs.
"""
