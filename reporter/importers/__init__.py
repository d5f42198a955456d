"""Foreign recordings in, native records out; one module a format."""
