"""Facts that were remembered in repositories, and questions about them."""
