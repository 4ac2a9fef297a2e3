"""Language server: refs, cost and gaps of cards in editors, over stdin and stdout."""
