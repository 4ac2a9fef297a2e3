"""Parsers of cards, docs, source files and settings. Pure: no access to files, network,
clock or environment.
"""
