"""Import of memories that other programs stored, and of other copies of a tree."""
