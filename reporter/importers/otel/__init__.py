"""OpenTelemetry traces of agents: containers, dialects, and the sessions that spans come to."""
