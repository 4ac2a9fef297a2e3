"""`cuedeck hook`: what runs at every turn of an agent. Until there is something to do it imports no more than JSON."""
