"""Rules of experiences: comparison of texts, duplicates, distillation of records,
ranking and eviction.
"""
