"""Words that carry the frame of a sentence, as data: one table for each language."""
