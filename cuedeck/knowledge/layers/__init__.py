"""Layers of cards, docs, sources, and of the files and folders of the cortex tree."""
