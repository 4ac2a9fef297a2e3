"""Quality and speed of layers: evidence kept, ranks found, files built per second."""
