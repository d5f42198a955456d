"""What was checked and rejected, counted and never summed with what was left out."""

from dataclasses import replace

from finding_waves import build, facts_of
from report_waves import page_of, parsed, published, report_of

from reporter.models.finding import Verification
from reporter.models.wave import DerivedWave


def counted(**parts: int) -> Verification:
    return Verification(
        **{"proposed": 0, "confirmed": 0, "rejected": 0, "unverified": 0, "omitted": 0, **parts}
    )


def asked(verification: Verification | None) -> DerivedWave:
    """A document for which a model was asked."""
    findings = build([facts_of()], verification=verification)
    return published(replace(findings, reasoning_model="m"))


def test_every_state_has_its_count_and_what_it_says() -> None:
    verification = counted(proposed=4, confirmed=2, rejected=1, unverified=1, omitted=1)
    wave = asked(verification)
    view = report_of(wave).verification
    assert [(line.label, line.count.text) for line in view.lines] == [
        ("Confirmed", "2 of 4 proposals"),
        ("Rejected", "1 of 4 proposals"),
        ("Not verified", "1 of 4 proposals"),
    ]
    assert "1 confirmed explanation not published" in view.omitted
    section = parsed(page_of(wave)).by_id("verification").text
    for word in ("Confirmed", "Rejected", "Not verified", "2 of 4", "does not keep their words"):
        assert word in section


def test_without_a_model_nothing_was_proposed() -> None:
    view = report_of(published(build([facts_of()]))).verification
    assert view.lines == ()
    assert view.lead.startswith("No model was used")


def test_a_model_that_proposed_nothing_is_not_a_model_that_was_refused() -> None:
    view = report_of(asked(counted())).verification
    assert view.lines == ()
    assert "proposed none" in view.lead


def test_a_document_that_counts_nothing_says_that_it_is_not_known() -> None:
    view = report_of(asked(None)).verification
    assert view.lines == ()
    assert "not known" in view.lead


def test_counts_that_do_not_add_up_still_draw() -> None:
    broken = counted(proposed=1, confirmed=3)
    view = report_of(asked(broken)).verification
    assert view.lines[0].count.text == "3 of 1 proposal"
