"""The file system: reads and atomic writes without following links, locks, the scan of
the workspace, change events, and other programs. `store.git` reads the repository.
"""
