"""Runs the product with a real model, and prints what came of it."""

import sys
from pathlib import Path

from shared import ROOT

from real_model.direct import three_questions
from real_model.reports import EXAMPLE, few_trajectories, report, the_same_again
from real_model.serving import serving

OUT = ROOT / "out" / "real-model"
SMALL = ("--sample", "2", "--session-chars", "3000")
"""Each thousand characters is seconds of one core, and each answer minutes."""


def main() -> None:
    python = Path(sys.argv[1]).absolute()
    OUT.mkdir(parents=True, exist_ok=True)
    asked: list[tuple[Path, Path, list[str]]] = [
        # Accounts of a weak model are refused, and leave no session to ask about: once with
        # them, once without.
        (EXAMPLE, OUT / "lending-desk", ["--no-session-reports", *SMALL]),
    ]
    if (few := few_trajectories(OUT)) is not None:
        asked.append((few, OUT / "tau-bench", ["--budget-tokens", "40000", *SMALL]))
    with serving(python, OUT / "server.log") as url:
        print("Three questions:", flush=True)
        three_questions(url)
        for source, folder, options in asked:
            print(f"{folder.name}:", flush=True)
            report(source, folder, url, *options)
    for source, folder, _ in asked:
        print(f"{folder.name}, the server gone:", flush=True)
        the_same_again(source, folder)


main()
