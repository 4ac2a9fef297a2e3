"""Live workspace of a server: a worker thread with an index that follows file events
and keeps SCENE.md up to date.
"""
