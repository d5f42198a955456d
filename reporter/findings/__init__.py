"""Facts in, findings out: folds, populations, rows, scope, the wire document."""
