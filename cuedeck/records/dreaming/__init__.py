"""Dreaming: rules that choose the facts to promote from the counts of recall hits."""
