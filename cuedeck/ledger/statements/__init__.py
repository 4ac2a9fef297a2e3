"""Files of the statements of conversations."""
