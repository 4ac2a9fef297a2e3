"""Records of memory: add, list, edit, forget, and the schedule of maintenance."""
