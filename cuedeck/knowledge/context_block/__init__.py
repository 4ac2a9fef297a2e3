"""The block of memory that a session receives, within its cap."""
