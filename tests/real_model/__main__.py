"""Runs the product with a real model, and prints what came of it."""

import sys
from pathlib import Path

from shared import ROOT

from real_model.direct import three_questions
from real_model.serving import serving

OUT = ROOT / "out" / "real-model"


def main() -> None:
    python = Path(sys.argv[1]).absolute()
    OUT.mkdir(parents=True, exist_ok=True)
    with serving(python, OUT / "server.log") as url:
        print("Three questions:")
        three_questions(url)


main()
