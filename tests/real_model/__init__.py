"""A small real model behind the product, run by `make test-model`."""
