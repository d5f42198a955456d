"""One session's evidence in, its six stage rows out: the analyzer, version 11."""
