"""View models in, bytes out."""
