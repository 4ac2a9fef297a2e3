"""Derived files in `.cuedeck/cache/`, apart from the index: all of them may be deleted
at any time.
"""
