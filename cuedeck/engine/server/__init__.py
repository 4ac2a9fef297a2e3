"""Live workspace of an MCP server: a worker thread with an index that follows file
events and keeps SCENE.md up to date. `engine.watch` does the same for `cuedeck watch`.
"""
