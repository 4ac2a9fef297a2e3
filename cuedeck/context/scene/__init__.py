"""Scenes: build, write, fit, compare and explain them, and suggest refs."""
