"""From refs to a graph: what a ref points at, what a card reaches, what runs in a circle. networkx lives here only."""
