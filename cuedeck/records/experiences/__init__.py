"""Experiences: texts compared, kept apart, ranked and given up. Values in, values out."""
