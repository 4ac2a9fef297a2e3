"""Words, stems, stop words, sentences, dates, similarity and BM25, for all packages
that read or compare prose. Pure.
"""
