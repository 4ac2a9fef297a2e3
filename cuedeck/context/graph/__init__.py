"""Use case: drawings of the reference graph (`cuedeck graph`). The package
`cuedeck.graph` holds the pure graph algorithms and the drawing formats.
"""
