"""Use cases of the scene: build, write, fit, compare and explain it, and suggest
refs.
"""
