"""Files of experiences."""
