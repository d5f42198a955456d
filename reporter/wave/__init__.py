"""What is derived over many sessions beside findings."""
