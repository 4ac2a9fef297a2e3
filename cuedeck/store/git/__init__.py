"""The git history that ends at HEAD: which files each commit touched, and which lines
it added.
"""
