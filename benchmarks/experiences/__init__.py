"""How well texts are told apart and brought together, and how long it takes."""
