"""The whole report as values: every string and number that a page, paper or log prints."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from reporter.models.wave import DerivedWave, Transcripts
from reporter.view.causes import CausesView, cause_numbers, causes_view
from reporter.view.checks import ChecksView, checks_view
from reporter.view.citations import CitedPlaces, cited_places
from reporter.view.decision import DecisionView, decision_view
from reporter.view.embed import Asked, page_plan
from reporter.view.funnel import FunnelView, funnel_view
from reporter.view.goals import GoalsView, goals_view
from reporter.view.head import HeadView, date_words, head_view
from reporter.view.integrity import IntegrityView, integrity_view
from reporter.view.links import SessionLinks
from reporter.view.matrix import MatrixView, matrix_view
from reporter.view.names import session_names
from reporter.view.outline import Outline, outline
from reporter.view.places import INDEX, Places, page_files
from reporter.view.proposals import led_to
from reporter.view.provenance import ProvenanceView, provenance_view
from reporter.view.recorded import RecordedView, recorded_view
from reporter.view.sessions import SessionsView, sessions_view
from reporter.view.summary import SummaryView, summary_view
from reporter.view.targets import TargetsView, targets_view
from reporter.view.verification import VerificationView, verification_view
from reporter.view.weight import is_long
from reporter.view.words import WordsView, words_view


@dataclass(frozen=True, slots=True)
class SectionLink:
    """An entry of the contents."""

    anchor: str
    title: str


@dataclass(frozen=True, slots=True)
class ReportView:
    """Everything a template may print; nothing in it is computed by a template."""

    title: str
    """Title of the document: wave, kind, date."""
    language: str
    """Language of the report's own words, as in `lang`."""
    generated_at: datetime
    head: HeadView
    summary: SummaryView
    matrix: MatrixView
    causes: CausesView
    goals: GoalsView
    recorded: RecordedView
    targets: TargetsView
    sessions: SessionsView
    verification: VerificationView
    integrity: IntegrityView
    words: WordsView
    provenance: ProvenanceView
    outline: Outline
    """What the views were made from; for building transcripts, never for templates."""
    cites: CitedPlaces
    """Cited places by session and pointer; for building transcripts."""
    names: Mapping[str, str]
    """How each session is called; for building transcripts."""
    places: Places
    """Where each session is shown; for building transcripts."""
    led_to: Mapping[str, frozenset[str]]
    """Ids of places inside sessions that the ledger leads to; for building transcripts."""
    late: bool
    """True: the page is long, so that what is beyond its first part waits to be built."""
    decision: DecisionView | None = None
    """None: no decision was published."""
    funnel: FunnelView | None = None
    """None: there is no recording, or no session of it is counted."""
    checks: ChecksView | None = None
    """None: the document came without a recording, so no check is known."""

    @property
    def sections(self) -> tuple[SectionLink, ...]:
        """The sections in order, without head and summary; those without data are left out."""
        titles = (
            ("matrix", "Personas × goals", True),  # noqa: RUF001  the sign is meant
            ("causes", "Causes", True),
            ("goals", "Goals", True),
            ("recorded", "Recorded facts", True),
            ("funnel", "Where value stopped", self.funnel),
            ("targets", "Targets", True),
            ("checks", "Checks", self.checks),
            ("sessions", "Sessions", True),
            ("verification", "Checked and rejected", True),
            ("integrity", "Integrity", True),
            ("words", "Words", True),
            ("provenance", "Provenance", True),
        )
        return tuple(SectionLink(anchor, title) for anchor, title, there in titles if there)


def build_report(
    wave: DerivedWave,
    *,
    generated_at: datetime,
    layout: Asked = "single",
    transcript_chars: int | None = None,
    transcripts: Transcripts | None = None,
) -> ReportView:
    """Build the view of a whole report.

    Args:
        wave: The derived wave.
        generated_at: The time the caller gives, in UTC.
        layout: One page, a page for each session, or whichever suits its size.
        transcript_chars: Recorded characters of transcripts that one page may carry; None
            decides by the number of sessions.
        transcripts: Reads a session again, for the words at the places that causes cite.

    Rule: report.md section 3.
    """
    laid = outline(wave)
    names = session_names(fact.session_id for fact in wave.facts)
    numbers = cause_numbers(wave.findings)
    cited = {
        citation.partition("/")[0]
        for row in wave.findings.rows
        for citation in row.finding.citations
    }
    plan = page_plan(wave.facts, cited, layout, transcript_chars)
    is_site = plan.layout == "site"
    shown = Places(
        embedded=frozenset(plan.session_ids),
        files=page_files(fact.session_id for fact in wave.facts) if is_site else {},
    )
    late = is_long(wave.facts, len(laid.runs), plan)
    home = f"../{INDEX}" if is_site else ""
    cites = cited_places(wave.findings.rows, numbers, home=home)
    links = SessionLinks(laid.facts, shown, names)
    head = head_view(laid)
    summary = summary_view(laid, shown, names, numbers)
    causes = causes_view(laid, shown, names, numbers, transcripts)
    return ReportView(
        title=f"{head.name}: {summary.kind.word.lower()}. Swarm report, {date_words(generated_at)}",
        language="en",
        generated_at=generated_at,
        head=head,
        summary=summary,
        matrix=matrix_view(laid),
        causes=causes,
        goals=goals_view(laid, shown, names, numbers, late=late),
        recorded=recorded_view(laid, shown, names),
        targets=targets_view(laid),
        sessions=sessions_view(laid, plan, shown, names, late=late),
        verification=verification_view(laid, links, numbers),
        integrity=integrity_view(laid),
        words=words_view(laid),
        provenance=provenance_view(laid, generated_at, links),
        outline=laid,
        cites=cites,
        names=names,
        places=shown,
        led_to=led_to(wave.phrases, links),
        decision=decision_view(wave.published),
        funnel=funnel_view(laid),
        checks=checks_view(laid),
        late=late,
    )
