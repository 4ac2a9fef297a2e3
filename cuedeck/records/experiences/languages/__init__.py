"""What is known of languages: the words that say nothing, those that turn a meaning, and how words bend."""
