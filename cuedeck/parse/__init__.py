"""Text to values: cards, docs, source files and settings. Pure: no file, network, clock or environment."""
