"""swarm-reporter: reads recorded swarm sessions and never says more than was recorded."""
