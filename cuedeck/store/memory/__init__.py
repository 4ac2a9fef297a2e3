"""The files of a memory: MEMORY.md, daily logs, archive, long memory. `app.memory`
holds the use cases.
"""
