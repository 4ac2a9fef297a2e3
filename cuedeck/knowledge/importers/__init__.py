"""Import of memories that other programs stored."""
