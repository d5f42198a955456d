"""The fixed words of code's own slots."""
