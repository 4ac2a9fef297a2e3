"""Recall: query language, ranking and diversity of the search over all memory."""
