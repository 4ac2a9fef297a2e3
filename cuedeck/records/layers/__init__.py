"""Layers: an abstract (L0) and an overview (L1) of a text or a folder, computed without
a model from the bytes alone.
"""
