"""Deciding a run case by case, and explaining a run that was decided either way."""
