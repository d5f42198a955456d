"""Names of scripts that run from the right never draw a number of ours into themselves."""

import html
import re

from finding_waves import facts_of, signals
from report_waves import page_of, report_of, wave_of

from reporter.models.facts import SessionFacts
from reporter.vocabulary import Disposition, Signal

PERSONA = "דנה כהן"
GOAL = "הזמנת ספר"


def facts() -> list[SessionFacts]:
    return [
        facts_of(
            f"s{number}",
            Disposition.GOAL_MISSED,
            run_id=f"r{number}",
            persona_name=PERSONA,
            goal_id=f"g{number}",
            goal_title=f"{GOAL} {number}",
            **signals(Signal.TOOL_ERRORED),
        )
        for number in range(2)
    ]


def test_no_name_from_the_right_stands_bare_beside_other_words() -> None:
    page = page_of(wave_of(facts()))
    body = re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.DOTALL)
    # The same quotation marks stand in elements of their own, which are apart by themselves.
    for text in re.findall(r">([^<>]+)<", body):
        whole = html.unescape(text).strip()
        for name in (PERSONA, GOAL):
            if whole == name:
                continue
            for found in re.finditer(name, whole):
                opened = whole.rfind("\u2068", 0, found.start())
                closed = whole.rfind("\u2069", 0, found.start())
                assert opened > closed, whole


def test_filters_and_addresses_hold_the_name_alone() -> None:
    choices = report_of(wave_of(facts())).sessions.filters
    assert [one.label for one in choices.goal] == [f"{GOAL} 0", f"{GOAL} 1"]
