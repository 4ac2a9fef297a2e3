"""What can keep a connected host from working, one module a concern."""
