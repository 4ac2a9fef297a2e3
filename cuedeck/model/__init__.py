"""Values every floor may use: addresses, nodes, scenes, settings, errors and small ports. No I/O."""
