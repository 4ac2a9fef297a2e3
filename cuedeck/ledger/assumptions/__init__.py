"""Files and statuses of assumptions."""
