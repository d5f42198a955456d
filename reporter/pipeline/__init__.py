"""Where the stages meet: a path in, a derived wave out, files written."""
