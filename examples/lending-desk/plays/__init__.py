"""The scripted sessions, one module a persona."""

from plays.bettina import BETTINA
from plays.seun import SEUN
from plays.tomasz import TOMASZ

__all__ = ["SCENES"]

SCENES = BETTINA | SEUN | TOMASZ
"""One scene a planned session, by session id."""
