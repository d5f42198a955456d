"""A model's account of one session: taken only where its words and citations hold."""

from reporter.findings.grouping import Cell
from reporter.findings.report_rows import ACCOUNT_LIMIT, recorded_excerpt, session_report
from reporter.findings.text import cut_account, trim
from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingRow, ReportExcerpt
from reporter.models.phrases import Refusal, ReportFate
from reporter.phrases.cited import cited, kept_words
from reporter.phrases.exchange import Answer
from reporter.phrases.guard import SpokenNames, report_refusals
from reporter.phrases.read_reply import ReportReply, UnfitReply, report_of
from reporter.phrases.spoken import Recorded
from reporter.phrases.success_words import whole_success
from reporter.phrases.transcript import ReadTranscript
from reporter.vocabulary import DISPOSITION_TONE, PhraseRule, ReplyState, Tone


def checked_report(
    session: SessionFacts, answer: Answer, transcript: ReadTranscript, names: SpokenNames
) -> ReportFate:
    """Check a model's account of a session against the turns that it cites.

    Rule: findings.md sections 9.1 to 9.3.
    """
    if answer.state is not ReplyState.ANSWERED:
        return ReportFate(session.session_id, False, "", None, (), (), answer.state)
    reply = report_of(answer.text)
    if isinstance(reply, UnfitReply):
        return ReportFate(
            session.session_id,
            accepted=False,
            actual="",
            account=None,
            citations=(),
            refusals=(reply.refusal,),
        )
    refusals, citations = _support(reply, transcript)
    turns = {turn for entry in reply.support for turn in entry.turns}
    pieces = transcript.pieces_of([*turns])
    recorded = Recorded(
        tuple(text for piece in pieces for text in (*piece.texts, piece.head)),
        transcript.tallies(turns),
    )
    own_words = tuple(
        text for piece in transcript.pieces if piece.by == "persona" for text in piece.texts
    )
    refusals += report_refusals(reply.actual, reply.account, names, recorded, own_words)
    refusals += _success(session, reply)
    account = _account(session, reply)
    return ReportFate(
        session_id=session.session_id,
        accepted=not refusals,
        actual=kept_words(reply.actual) if refusals else reply.actual,
        account=account,
        citations=citations,
        refusals=tuple(dict.fromkeys(refusals)),
    )


def _success(session: SessionFacts, reply: ReportReply) -> list[Refusal]:
    """Refuse an account of a session that failed and that says that all of it came off."""
    said = whole_success(reply.actual)
    if said is None or DISPOSITION_TONE[session.disposition] is not Tone.FAIL:
        return []
    return [Refusal(PhraseRule.CLAIMS_SUCCESS, "actual", f"says: {said}")]


def report_decision(fate: ReportFate) -> list[str]:
    """Say in wire words what became of an account."""
    if fate.reply is not ReplyState.ANSWERED:
        return []
    rules = sorted({refusal.rule.value for refusal in fate.refusals})
    return ["accepted"] if fate.accepted else [f"refused: {', '.join(rules)}"]


def model_report_row(cell: Cell, session: SessionFacts, fate: ReportFate) -> FindingRow | None:
    """Return the row of an accepted account, or None where code has one of its own.

    Rule: findings.md sections 9.1 and 12, list 4.
    """
    if not fate.accepted or recorded_excerpt(session) is not None:
        return None
    excerpt = ReportExcerpt(
        actual=fate.actual, account=fate.account, citations=list(fate.citations)
    )
    return session_report(cell, session, excerpt, by_model=True)


def _support(
    reply: ReportReply, transcript: ReadTranscript
) -> tuple[list[Refusal], tuple[str, ...]]:
    refusals: list[Refusal] = []
    citations: list[str] = []
    if not reply.support:
        refusals.append(Refusal(PhraseRule.NO_SUPPORT, "", ""))
    for entry in reply.support:
        at = cited(transcript, entry.turns, entry.quote)
        refusals += at.refusals
        if at.holds:
            citations += at.found[0].citations
    return refusals, tuple(dict.fromkeys(citations))


def _account(session: SessionFacts, reply: ReportReply) -> str | None:
    """Return the persona's own words: as recorded, else as the model found them, or None.

    Rule: findings.md section 9.1, `account`.
    """
    if session.report is not None and trim(session.report.account):
        return cut_account(session.report.account, ACCOUNT_LIMIT)
    return reply.account
