"""Use cases of memory: records, the context given to a session, compaction and the
schedule of its jobs. `records` holds the pure rules, `store.memory` the files.
"""
