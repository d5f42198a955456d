"""The typed values that the stages hand to each other."""
