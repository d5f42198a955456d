"""The stage funnel of one run: how many trials came how far, and what was left out."""
