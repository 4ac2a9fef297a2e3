"""Frozen values, settings, errors and port protocols that every layer may import. No
I/O.
"""
