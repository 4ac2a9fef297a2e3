"""What was said and learned: statements, records, experiences, cortex tree, layers, and
their recall and compaction.
"""
