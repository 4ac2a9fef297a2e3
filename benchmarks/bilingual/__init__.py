"""Recall over a log in English and Spanish, with questions in both languages."""
