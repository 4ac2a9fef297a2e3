"""Accuracy and duration of the comparison of texts."""
