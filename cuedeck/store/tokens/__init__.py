"""Exact token counts without a network: the vocabulary, the tokenizer and the cached
counter.
"""
