"""One session in, its facts out: pure functions, one subject a module."""
