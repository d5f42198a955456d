"""Every closed word list of the wire and of this product, in contract order."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Self

VOCABULARY_VERSION: Final = 1
"""Version of the word lists as a whole."""


class Word(StrEnum):
    """A word of a closed list: its wire spelling, its label and what it means to a reader."""

    label: str
    """The words shown to a reader."""
    meaning: str
    """One sentence for somebody who meets the word for the first time; may be empty."""

    def __new__(cls, value: str, label: str = "", meaning: str = "") -> Self:
        """Make a member from its wire spelling, its label and its meaning."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.label = label or value
        member.meaning = meaning
        return member


class Stage(Word):
    """One link of the user-value chain, in the order a request takes."""

    CONNECTION = ("connection", "Connection")
    DISCOVERY = ("discovery", "Discovery")
    SELECTION = ("selection", "Selection")
    CALL = ("call", "Tool call")
    RESPONSE = ("response", "Response")
    USER_VALUE = ("userValue", "User value")


class StageState(Word):
    """What was learned about one link."""

    PASSED = ("passed", "passed")
    FAILED = ("failed", "failed")
    NOT_REACHED = ("notReached", "never ran (an earlier stage failed)")
    NOT_MEASURED = ("notMeasured", "not measured")
    NOT_APPLICABLE = ("notApplicable", "not applicable to this case")


class StageReasonGroup(Word):
    """The families of stage reasons."""

    UNMEASURABLE = ("unmeasurable", "Nothing could be measured")
    INAPPLICABLE = ("inapplicable", "The stage does not apply")
    POSITION = ("position", "Position")
    MEASURED_FAILURE = ("measuredFailure", "Measured failures")
    MEASURED_PASS = ("measuredPass", "Measured passes")
    JUDGE = ("judge", "Advisory LLM judge")


class StageReason(Word):
    """Why a link has its state; each label completes "because …"."""

    NO_SPAN_CHANNEL = ("noSpanChannel", "this run captures no evidence channel for that stage")
    NO_EVIDENCE_CAPTURED = ("noEvidenceCaptured", "nothing eligible for that stage was captured")
    MATCH_VERDICT_UNAVAILABLE = (
        "matchVerdictUnavailable",
        "extra tool calls were captured but the run did not report whether its match options tolerate them",
    )
    TRACE_ABSENT = ("traceAbsent", "the iteration recorded no trace")
    EXECUTOR_EMITS_NO_SPANS = ("executorEmitsNoSpans", "the executor emitted no spans")
    BLOCKED_BY_POLICY = ("blockedByPolicy", "a policy blocked the run before it could be measured")
    EVALUATOR_ERROR = (
        "evaluatorError",
        "the evaluator itself failed, so the run says nothing about the server",
    )
    PROVIDER_ERROR = (
        "providerError",
        "the model provider failed the call, so this stage was never measured",
    )
    SETUP_ABORTED = ("setupAborted", "the environment was never prepared, so the test never began")
    CONNECT_FAILED = (
        "connectFailed",
        "the configured server was reached and initialize failed there",
    )
    TOOLS_LIST_FAILED = ("toolsListFailed", "initialize succeeded and listing tools failed")
    EGRESS_UNVERIFIED = (
        "egressUnverified",
        "the connection failed with no evidence that our own network egress works",
    )
    LIFECYCLE_STOPPED = ("lifecycleStopped", "the run was stopped mid-flight")
    NOT_AUTHORED = ("notAuthored", "the case asserts nothing this stage could decide")
    EARLIER_STAGE_FAILED = ("earlierStageFailed", "an earlier stage failed")
    MISSING_TOOL_CALL = ("missingToolCall", "an expected tool call was never made")
    UNEXPECTED_TOOL_CALL = (
        "unexpectedToolCall",
        "a tool call was made that the case did not expect",
    )
    ARGUMENT_MISMATCH = (
        "argumentMismatch",
        "the call arguments did not match what the case expects",
    )
    TOOL_ERROR = ("toolError", "the server reported a tool error")
    PROTOCOL_ERROR = ("protocolError", "the call never produced a result")
    RENDER_FAILED = ("renderFailed", "the widget did not render")
    PREDICATE_FAILED = ("predicateFailed", "an assertion on the result did not hold")
    OBSERVED = ("observed", "the evidence was inspected and the stage held")
    IMPLIED_BY_LATER_EVIDENCE = ("impliedByLaterEvidence", "a later stage's success implies it")
    JUDGE_OBSERVED = ("judgeObserved", "the LLM judge scored at or above the threshold")
    JUDGE_PARTIAL = (
        "judgePartial",
        "the LLM judge scored inside the partial band — at or above the floor, below the threshold",
    )
    JUDGE_FAILED = ("judgeFailed", "the LLM judge scored below the partial floor")
    JUDGE_PENDING = ("judgePending", "an LLM judge verdict is owed and has not arrived")
    JUDGE_NOT_REQUESTED = ("judgeNotRequested", "no LLM judge verdict was ever owed")


class FailureCategory(Word):
    """What kind of thing went wrong, and so who looks first."""

    SETUP = ("setup", "setup")
    METADATA = ("metadata", "tool metadata")
    SELECTION = ("selection", "tool selection")
    ARGUMENTS = ("arguments", "call arguments")
    SERVER_DATA = ("serverData", "server data")
    USER_VALUE = ("userValue", "user value")
    EVALUATOR = ("evaluator", "evaluator")


class FallbackNextAction(Word):
    """What to do next where no failure category says it."""

    NO_CATEGORY = ("noCategory", "inspect the case trace; no failure category was recorded")
    VERDICT_CHAIN_DISAGREEMENT = (
        "verdictChainDisagreement",
        "the recorded verdict disagrees with the measured chain; inspect the case trace",
    )
    STALE_ANALYZER_DISAGREEMENT = (
        "staleAnalyzerDisagreement",
        "the recorded verdict disagrees with the measured chain; this run's chain was derived by an older analyzer that measures less than the current one — re-run the case before investigating further",
    )


class Verdict(Word):
    """The decision on a session, a case or a run."""

    PASSED = ("passed", "passed")
    FAILED = ("failed", "failed")
    INCONCLUSIVE = ("inconclusive", "inconclusive")
    NOT_ESTABLISHED = ("notEstablished", "no verdict established")


class VerdictSource(Word):
    """Which grading decided a run."""

    POLICY_V2 = ("policyV2", "verdict policy v2")
    LEGACY = ("legacy", "legacy percent-threshold run")
    NONE = ("none", "no verdict source")


class MeasurementUnit(Word):
    """What a run counts."""

    CASE_VARIANT = ("caseVariant", "case variants")
    TRIAL = ("trial", "trials")


class UndecidedReason(Word):
    """Why a run has no decision."""

    RUN_NOT_TERMINAL = ("runNotTerminal", "the run has not finished yet")
    RUN_STATUS_NOT_AVERDICT = (
        "runStatusNotAVerdict",
        "the run stopped before it finished, so its recorded counts describe a sample rather than the run",
    )
    RUN_RESULT_NOT_AVERDICT = (
        "runResultNotAVerdict",
        "the run finished without recording a verdict",
    )
    VERDICT_SUMMARY_UNAVAILABLE = (
        "verdictSummaryUnavailable",
        "the run was decided by per-case grading and its decision could not be read",
    )


class ValidityFinding(Word):
    """What the validity phase or the task verdict found."""

    CONFIGURED_TRIALS_NOT_ATTEMPTED = (
        "configuredTrialsNotAttempted",
        "some configured trial never ran, so the run does not cover what it was asked to",
    )
    NO_GRADEABLE_TRIALS = ("noGradeableTrials", "nothing in the run produced a gradeable verdict")
    ELIGIBLE_TRIALS_BELOW_MINIMUM = (
        "eligibleTrialsBelowMinimum",
        "fewer gradeable trials than the suite's validity floor requires",
    )
    COMPLETION_RATE_BELOW_MINIMUM = (
        "completionRateBelowMinimum",
        "too few attempted trials completed to meet the suite's completion floor",
    )
    COMPLETION_RATE_NOT_MEASURED = (
        "completionRateNotMeasured",
        "nothing was attempted, so the completion floor cannot be satisfied",
    )
    EVALUATOR_ERROR_RATE_ABOVE_MAXIMUM = (
        "evaluatorErrorRateAboveMaximum",
        "the evaluator failed too often for this run to describe the server",
    )
    EVALUATOR_ERROR_RATE_NOT_MEASURED = (
        "evaluatorErrorRateNotMeasured",
        "nothing was attempted, so the evaluator-error ceiling cannot be satisfied",
    )
    CASE_HAS_NO_ELIGIBLE_TRIALS = ("caseHasNoEligibleTrials", "a case graded nothing at all")
    CASE_PASS_RATE_MET_THRESHOLD = ("casePassRateMetThreshold", "the case met its pass threshold")
    CASE_PASS_RATE_BELOW_THRESHOLD = (
        "casePassRateBelowThreshold",
        "a case did not meet its pass threshold",
    )
    ALL_MEASURED_CASES_MET_THRESHOLD = (
        "allMeasuredCasesMetThreshold",
        "every measured case met its threshold",
    )


class TrialExclusionReason(Word):
    """Why one trial left a pass-rate denominator."""

    NOT_TERMINAL = ("notTerminal", "")
    SKIPPED = ("skipped", "")
    SETUP_FAILED = ("setupFailed", "")
    CANCELLED = ("cancelled", "")
    TIMED_OUT = ("timedOut", "")
    EXECUTION_FAILED = ("executionFailed", "")
    EVALUATOR_ERROR = ("evaluatorError", "")


class IterationStatus(Word):
    """The execution status of one iteration."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    TIMED_OUT = "timed_out"
    SETUP_FAILED = "setup_failed"
    SKIPPED = "skipped"


class FrictionSignal(Word):
    """A pattern of tool calls within one session."""

    IDENTIFIER_SURFACED_UNUSED = (
        "identifierSurfacedUnused",
        "Identifiers surfaced, none used later",
    )
    SEARCH_REPEATED_AFTER_IDENTIFIER = (
        "searchRepeatedAfterIdentifier",
        "Same tool searched again after identifiers",
    )
    IDENTICAL_RETRY = ("identicalRetry", "Repeated with identical arguments")
    CHANGED_RETRY = ("changedRetry", "Same tool called again with changed arguments")
    PAGINATION_CONTINUATION = ("paginationContinuation", "Pagination continued")


class FrictionOrdering(Word):
    """How the calls of a session can be placed in time."""

    MESSAGE_ORDER = "messageOrder"
    TIMED = "timed"
    UNKNOWN = "unknown"


class FrictionState(Word):
    """Whether friction was measured."""

    MEASURED = "measured"
    NOT_MEASURED = "notMeasured"


class FrictionNotMeasuredReason(Word):
    """Why friction was not measured."""

    NO_TOOL_CALLS = ("noToolCalls", "no tool calls to look at")
    RESULTS_UNAVAILABLE = ("resultsUnavailable", "tool results were not retained")
    ORDERING_UNKNOWN = ("orderingUnknown", "the calls cannot be placed in a causal order")
    EVIDENCE_INCOMPLETE = ("evidenceIncomplete", "the evidence for this iteration has a known hole")
    TRUNCATED = ("truncated", "too many tool calls to measure")


class SuspectedCondition(Word):
    """What may lie behind a friction pattern; suspected, never established."""

    UNCLEAR = ("unclear", "could not attribute")
    ID_BURIED_IN_PAYLOAD = ("idBuriedInPayload", "identifier buried in payload")
    ID_NAME_COLLISION = ("idNameCollision", "identifier name collision")
    MISSING_QUERY_ECHO = ("missingQueryEcho", "response does not echo the query")
    SILENT_TRUNCATION = ("silentTruncation", "response truncated without saying so")
    AMBIGUOUS_ERROR_SEMANTICS = (
        "ambiguousErrorSemantics",
        "error text does not say whether to retry",
    )
    MISSING_UNITS = ("missingUnits", "value has no stated unit")
    RESPONSE_WAS_CLEAR = ("responseWasClear", "the response was clear")
    DESCRIPTION_MISLEADING = ("descriptionMisleading", "tool description points the wrong way")


class SuspectedConditionConfidence(Word):
    """How sure a suspicion is."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class SuspectedConditionStatus(Word):
    """What became of asking for a suspicion."""

    SCORED = "scored"
    SKIPPED = "skipped"
    ERROR = "error"


class SuspectedConditionSkipReason(Word):
    """Why no suspicion was asked for."""

    SPEND_BLOCKED = "spendBlocked"
    TRACE_INCOMPLETE = "traceIncomplete"
    NO_EVIDENCE = "noEvidence"
    CAP = "cap"


class ExclusionClass(Word):
    """The classes of what a funnel leaves out."""

    LIFECYCLE = ("lifecycle", "")
    INTEGRITY = ("integrity", "")
    VERSION = ("version", "")
    NOT_APPLICABLE = ("notApplicable", "")
    REACH_UNKNOWN = ("reachUnknown", "")
    NOT_MEASURED = ("notMeasured", "")


class CoverageDetailKey(Word):
    """What exactly a funnel left out."""

    NOT_TERMINAL = "notTerminal"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"
    SETUP_FAILED = "setupFailed"
    TIMED_OUT = "timedOut"
    EXECUTION_FAILED = "executionFailed"
    EVALUATOR_ERROR = "evaluatorError"
    CHAIN_MISSING = "chainMissing"
    CHAIN_UNVERIFIED = "chainUnverified"
    CHAIN_VERSION_AHEAD = "chainVersionAhead"
    MEASUREMENTS_MISSING = "measurementsMissing"
    MEASUREMENTS_INVALID = "measurementsInvalid"
    MEASUREMENTS_VERSION_AHEAD = "measurementsVersionAhead"
    ANALYZER_MISMATCH = "analyzerMismatch"


class StageReachState(Word):
    """Whether a trial got to a stage."""

    REACHED = "reached"
    NOT_REACHED = "notReached"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "notApplicable"


class MaterializationState(Word):
    """Whether a stored row may still change."""

    PROVISIONAL = "provisional"
    FINAL = "final"


class AnalyticsDimension(Word):
    """What a funnel can be sliced by."""

    OVERALL = "overall"
    INTENT = "intent"
    MODEL = "model"
    HOST = "host"


class SetupPhase(Word):
    """The stages that happen once per run."""

    CONNECTION = "connection"
    DISCOVERY = "discovery"


class ParityBlocker(Word):
    """Why two funnels cannot be compared, in declaration order."""

    MISSING_RUN_GROUP = ("missingRunGroup", "")
    DIFFERENT_RUN_GROUP = ("differentRunGroup", "")
    MISSING_CONFIG_IDENTITY = ("missingConfigIdentity", "")
    DIFFERENT_CONFIG_IDENTITY = ("differentConfigIdentity", "")
    MISSING_CASE_SET_IDENTITY = ("missingCaseSetIdentity", "")
    DIFFERENT_CASE_SET_IDENTITY = ("differentCaseSetIdentity", "")
    DIFFERENT_ANALYZER_VERSION = ("differentAnalyzerVersion", "")
    DIFFERENT_MEASUREMENTS_VERSION = ("differentMeasurementsVersion", "")
    DIFFERENT_MEASUREMENT_UNIT = ("differentMeasurementUnit", "")
    MIXED_SOURCE_VERSIONS = ("mixedSourceVersions", "")
    PROVISIONAL = ("provisional", "")


class Tone(Word):
    """The four tones; always shown as word, shape and colour."""

    FAIL = "fail"
    WARN = "warn"
    OK = "ok"
    MUTED = "muted"


class Disposition(Word):
    """How a session, a goal or a persona came out."""

    NOT_RUN = ("notRun", "Not run")
    BLOCKED_CONNECTING = ("blockedConnecting", "Stuck")
    LOST_FINDING_TOOL = ("lostFindingTool", "Lost")
    BLOCKED_CALLING_TOOL = ("blockedCallingTool", "Annoyed")
    BLOCKED_BY_RESPONSE = ("blockedByResponse", "Frustrated")
    GOAL_MISSED = ("goalMissed", "Stalled")
    GOAL_MET_WITH_FRICTION = ("goalMetWithFriction", "Uneasy")
    GOAL_MET = ("goalMet", "Relieved")
    NOT_MEASURED = ("notMeasured", "Unscored")


class SummaryKind(Word):
    """How the whole wave came out."""

    NOT_LAUNCHED = ("notLaunched", "Not launched")
    BROKEN = ("broken", "Goals blocked")
    FRICTION = ("friction", "Goals met with friction")
    LANDED = ("landed", "Goals met")
    UNGRADED = ("ungraded", "Not graded")
    UNREAD = ("unread", "Not fully read")


class CoverageNote(Word):
    """A caveat on counts, never a finding."""

    SESSION_SCAN_CAPPED = ("sessionScanCapped", "Session scan limit reached")
    BUDGET_EXHAUSTED = ("budgetExhausted", "Analysis budget exhausted")
    TRANSCRIPT_MISSING = ("transcriptMissing", "Transcript unavailable")
    CONTEXT_TOO_LARGE = ("contextTooLarge", "Transcript exceeds analysis limits")
    EXTRACTION_REJECTED = ("extractionRejected", "Analysis could not be verified")
    CHAIN_UNMEASURED = ("chainUnmeasured", "Journey stages not measured")
    JUDGE_NOT_RUN = ("judgeNotRun", "Judge did not run")
    SESSIONS_WITHDRAWN = ("sessionsWithdrawn", "Some sessions were withdrawn")
    SESSIONS_RATE_LIMITED = ("sessionsRateLimited", "Some sessions were rate limited")
    PARTIAL_READ = ("partialRead", "Only part of this wave was read")
    TOOL_CATALOG_MISSING = ("toolCatalogMissing", "Tool catalog unavailable")
    MECHANISMS_REJECTED = ("mechanismsRejected", "A possible cause was rejected")
    ANALYSIS_UNAVAILABLE = ("analysisUnavailable", "Causes could not be analysed")


class Basis(Word):
    """What a finding rests on."""

    VERIFIED_MECHANISM = ("verifiedMechanism", "Verified explanation")
    SESSION_REPORT = ("sessionReport", "Session report")
    POPULATION_FACT = ("populationFact", "Population fact")


class ScopeLevel(Word):
    """How far a finding may speak."""

    SESSION = ("session", "")
    GOAL = ("goal", "")
    PERSONA = ("persona", "")
    TARGET = ("target", "")
    WAVE = ("wave", "")


class Lifecycle(Word):
    """What became of an attempt."""

    PENDING = ("pending", "not started yet")
    RUNNING = ("running", "still running")
    WITHDRAWN = ("withdrawn", "withdrawn")
    LIMITED = ("limited", "rate limited")
    RAN = ("ran", "ran to its end")
    BROKE = ("broke", "broke off")


class SessionVerdictReason(Word):
    """Why a session has its verdict, in the order of the decision table."""

    ATTEMPT_PENDING = ("attemptPending", "the attempt has not begun")
    ATTEMPT_RUNNING = ("attemptRunning", "the attempt is still running")
    WITHDRAWN = ("withdrawn", "the attempt was withdrawn")
    SPEND_CAP_REACHED = ("spendCapReached", "a spending cap was reached")
    NOT_RUN = ("notRun", "the attempt was rate limited")
    GATING_CRITERION_FAILED = ("gatingCriterionFailed", "a required check failed")
    JUDGE_FAILED = ("judgeFailed", "the judge found the goal not met")
    GRADING_UNAVAILABLE = ("gradingUnavailable", "grading could not be done")
    EXECUTION_FAILED = ("executionFailed", "the attempt broke before its first message")
    CRITERIA_GRADING_ERRORED = ("criteriaGradingErrored", "grading the checks broke")
    GATING_CRITERION_UNMEASURED = (
        "gatingCriterionUnmeasured",
        "a required check could not be scored",
    )
    JUDGE_ERRORED = ("judgeErrored", "the judge broke")
    CRITERIA_PENDING = ("criteriaPending", "check results are still owed")
    GRADING_NOT_CLAIMED = ("gradingNotClaimed", "no grader took the session up")
    JUDGE_PENDING = ("judgePending", "the judge's word is still owed")
    ALL_GRADERS_PASSED = ("allGradersPassed", "required checks held and the judge agreed")
    JUDGE_PASSED = ("judgePassed", "the judge found the goal met")
    ALL_GATING_CRITERIA_PASSED = ("allGatingCriteriaPassed", "every required check held")
    UNGRADED = ("ungraded", "nothing graded this session")


class GraderReadiness(Word):
    """How far one grader of a session got."""

    NOT_CONFIGURED = ("notConfigured", "not configured")
    SILENT = ("silent", "not deciding")
    NOT_CLAIMED = ("notClaimed", "not begun")
    PENDING = ("pending", "not in yet")
    ERRORED = ("errored", "broke")
    SCORED = ("scored", "graded")


class ReadState(Word):
    """What became of a started session's transcript; first match wins."""

    SCAN_CAPPED = ("scanCapped", "beyond the scan limit")
    TRANSCRIPT_MISSING = ("transcriptMissing", "transcript missing or damaged")
    CONTEXT_TOO_LARGE = ("contextTooLarge", "too long for the model")
    BUDGET_EXHAUSTED = ("budgetExhausted", "no budget left")
    EXTRACTION_REJECTED = ("extractionRejected", "the model's reading was refused")
    READ = ("read", "read")


class FrictionReason(Word):
    """Why a met goal was not met smoothly."""

    STAGE_FAILED = ("stageFailed", "a link failed on the way")
    OUTPUT_TRUNCATED = ("outputTruncated", "a reply was cut off")
    HALLUCINATED_TOOL = ("hallucinatedTool", "a tool that does not exist was called")
    TOOL_ERRORED = ("toolErrored", "a tool errored")
    TURN_CAP_REACHED = ("turnCapReached", "every allowed turn was used")
    ADVISORY_FAILED = ("advisoryFailed", "an advisory check did not hold")
    EXECUTION_INTERRUPTED = ("executionInterrupted", "the execution broke off")
    MARGINAL_SCORE = ("marginalScore", "the judge's score was barely enough")


class WiderFact(Word):
    """A fact stated of a persona, a target or the wave."""

    NOT_STARTED = ("notStarted", "did not start")
    NOT_MET = ("notMet", "did not meet the goal")


class AnsweredBy(Word):
    """Who answered a tool call; absent reads as the server."""

    SERVER = "server"
    CLIENT = "client"


class Signal(Word):
    """A recorded fact of one session, in keying priority."""

    OUTPUT_TRUNCATED = ("outputTruncated", "Reply cut off")
    HALLUCINATED_TOOL = ("hallucinatedTool", "Called a tool that does not exist")
    TOOL_ERRORED = ("toolErrored", "A tool errored")
    NO_TOOL_CALLED = ("noToolCalled", "No tool used")
    TURN_CAP_REACHED = ("turnCapReached", "Hit the turn limit")


class ChainStageBasis(Word):
    """What the stage shown by a row rests on."""

    DERIVED = ("derived", "")
    REPORTED = ("reported", "")
    UNMEASURED = ("unmeasured", "")


class VerificationCounter(Word):
    """What became of a model's proposals."""

    PROPOSED = ("proposed", "")
    CONFIRMED = ("confirmed", "")
    REJECTED = ("rejected", "")
    UNVERIFIED = ("unverified", "")
    OMITTED = ("omitted", "")


FRICTION_PAGINATION_KEYS: Final = (
    "cursor",
    "nextCursor",
    "page",
    "pageToken",
    "offset",
    "after",
    "before",
    "start",
    "limit",
)
"""Argument names that only turn a page."""

STAGE_GOOD: Final[Mapping[Stage, str]] = MappingProxyType(
    {
        Stage.CONNECTION: "Session connected",
        Stage.DISCOVERY: "Tools and resources discovered",
        Stage.SELECTION: "Right tool selected",
        Stage.CALL: "Valid call made",
        Stage.RESPONSE: "Usable response returned",
        Stage.USER_VALUE: "Request satisfied",
    }
)
"""What is said of a link that worked."""

STAGE_REASON_GROUP: Final[Mapping[StageReason, StageReasonGroup]] = MappingProxyType(
    {
        StageReason.NO_SPAN_CHANNEL: StageReasonGroup.UNMEASURABLE,
        StageReason.NO_EVIDENCE_CAPTURED: StageReasonGroup.UNMEASURABLE,
        StageReason.MATCH_VERDICT_UNAVAILABLE: StageReasonGroup.UNMEASURABLE,
        StageReason.TRACE_ABSENT: StageReasonGroup.UNMEASURABLE,
        StageReason.EXECUTOR_EMITS_NO_SPANS: StageReasonGroup.UNMEASURABLE,
        StageReason.BLOCKED_BY_POLICY: StageReasonGroup.UNMEASURABLE,
        StageReason.EVALUATOR_ERROR: StageReasonGroup.UNMEASURABLE,
        StageReason.PROVIDER_ERROR: StageReasonGroup.UNMEASURABLE,
        StageReason.SETUP_ABORTED: StageReasonGroup.UNMEASURABLE,
        StageReason.CONNECT_FAILED: StageReasonGroup.UNMEASURABLE,
        StageReason.TOOLS_LIST_FAILED: StageReasonGroup.UNMEASURABLE,
        StageReason.EGRESS_UNVERIFIED: StageReasonGroup.UNMEASURABLE,
        StageReason.LIFECYCLE_STOPPED: StageReasonGroup.UNMEASURABLE,
        StageReason.NOT_AUTHORED: StageReasonGroup.INAPPLICABLE,
        StageReason.EARLIER_STAGE_FAILED: StageReasonGroup.POSITION,
        StageReason.MISSING_TOOL_CALL: StageReasonGroup.MEASURED_FAILURE,
        StageReason.UNEXPECTED_TOOL_CALL: StageReasonGroup.MEASURED_FAILURE,
        StageReason.ARGUMENT_MISMATCH: StageReasonGroup.MEASURED_FAILURE,
        StageReason.TOOL_ERROR: StageReasonGroup.MEASURED_FAILURE,
        StageReason.PROTOCOL_ERROR: StageReasonGroup.MEASURED_FAILURE,
        StageReason.RENDER_FAILED: StageReasonGroup.MEASURED_FAILURE,
        StageReason.PREDICATE_FAILED: StageReasonGroup.MEASURED_FAILURE,
        StageReason.OBSERVED: StageReasonGroup.MEASURED_PASS,
        StageReason.IMPLIED_BY_LATER_EVIDENCE: StageReasonGroup.MEASURED_PASS,
        StageReason.JUDGE_OBSERVED: StageReasonGroup.JUDGE,
        StageReason.JUDGE_PARTIAL: StageReasonGroup.JUDGE,
        StageReason.JUDGE_FAILED: StageReasonGroup.JUDGE,
        StageReason.JUDGE_PENDING: StageReasonGroup.JUDGE,
        StageReason.JUDGE_NOT_REQUESTED: StageReasonGroup.JUDGE,
    }
)
"""The family of each stage reason."""

DISPOSITION_TONE: Final[Mapping[Disposition, Tone]] = MappingProxyType(
    {
        Disposition.NOT_RUN: Tone.MUTED,
        Disposition.BLOCKED_CONNECTING: Tone.FAIL,
        Disposition.LOST_FINDING_TOOL: Tone.FAIL,
        Disposition.BLOCKED_CALLING_TOOL: Tone.FAIL,
        Disposition.BLOCKED_BY_RESPONSE: Tone.FAIL,
        Disposition.GOAL_MISSED: Tone.FAIL,
        Disposition.GOAL_MET_WITH_FRICTION: Tone.WARN,
        Disposition.GOAL_MET: Tone.OK,
        Disposition.NOT_MEASURED: Tone.MUTED,
    }
)
"""The one source of every tone."""

SESSION_VERDICT: Final[Mapping[SessionVerdictReason, Verdict]] = MappingProxyType(
    {
        SessionVerdictReason.ATTEMPT_PENDING: Verdict.NOT_ESTABLISHED,
        SessionVerdictReason.ATTEMPT_RUNNING: Verdict.NOT_ESTABLISHED,
        SessionVerdictReason.WITHDRAWN: Verdict.NOT_ESTABLISHED,
        SessionVerdictReason.SPEND_CAP_REACHED: Verdict.NOT_ESTABLISHED,
        SessionVerdictReason.NOT_RUN: Verdict.NOT_ESTABLISHED,
        SessionVerdictReason.GATING_CRITERION_FAILED: Verdict.FAILED,
        SessionVerdictReason.JUDGE_FAILED: Verdict.FAILED,
        SessionVerdictReason.GRADING_UNAVAILABLE: Verdict.INCONCLUSIVE,
        SessionVerdictReason.EXECUTION_FAILED: Verdict.NOT_ESTABLISHED,
        SessionVerdictReason.CRITERIA_GRADING_ERRORED: Verdict.INCONCLUSIVE,
        SessionVerdictReason.GATING_CRITERION_UNMEASURED: Verdict.INCONCLUSIVE,
        SessionVerdictReason.JUDGE_ERRORED: Verdict.INCONCLUSIVE,
        SessionVerdictReason.CRITERIA_PENDING: Verdict.NOT_ESTABLISHED,
        SessionVerdictReason.GRADING_NOT_CLAIMED: Verdict.NOT_ESTABLISHED,
        SessionVerdictReason.JUDGE_PENDING: Verdict.NOT_ESTABLISHED,
        SessionVerdictReason.ALL_GRADERS_PASSED: Verdict.PASSED,
        SessionVerdictReason.JUDGE_PASSED: Verdict.PASSED,
        SessionVerdictReason.ALL_GATING_CRITERIA_PASSED: Verdict.PASSED,
        SessionVerdictReason.UNGRADED: Verdict.NOT_ESTABLISHED,
    }
)
"""The verdict that each reason stands for."""

NEXT_OWNER: Final[Mapping[FailureCategory, str]] = MappingProxyType(
    {
        FailureCategory.SETUP: "check the server connection and environment configuration",
        FailureCategory.METADATA: "review the tool metadata and descriptions in the server catalog",
        FailureCategory.SELECTION: "review tool selection and the tool catalog",
        FailureCategory.ARGUMENTS: "review the authored arguments against the tool input schema",
        FailureCategory.SERVER_DATA: "inspect the tool response returned by the server",
        FailureCategory.USER_VALUE: "review whether the response answered the user's goal",
        FailureCategory.EVALUATOR: "check the evaluator configuration; the case was not graded",
    }
)
"""Where to look first, by failure category."""

FRICTION_FAMILY: Final[Mapping[FrictionSignal, str]] = MappingProxyType(
    {
        FrictionSignal.IDENTIFIER_SURFACED_UNUSED: "identifier",
        FrictionSignal.SEARCH_REPEATED_AFTER_IDENTIFIER: "identifier",
        FrictionSignal.IDENTICAL_RETRY: "adjacency",
        FrictionSignal.CHANGED_RETRY: "adjacency",
        FrictionSignal.PAGINATION_CONTINUATION: "adjacency",
    }
)
"""The family of each friction pattern."""

EXCLUSION_SCOPE: Final[Mapping[ExclusionClass, str]] = MappingProxyType(
    {
        ExclusionClass.LIFECYCLE: "trial",
        ExclusionClass.INTEGRITY: "trial",
        ExclusionClass.VERSION: "trial",
        ExclusionClass.NOT_APPLICABLE: "stage",
        ExclusionClass.REACH_UNKNOWN: "stage",
        ExclusionClass.NOT_MEASURED: "stage",
    }
)
"""What each exclusion class takes out."""

COVERAGE_DETAIL_CLASS: Final[Mapping[CoverageDetailKey, ExclusionClass]] = MappingProxyType(
    {
        CoverageDetailKey.NOT_TERMINAL: ExclusionClass.LIFECYCLE,
        CoverageDetailKey.SKIPPED: ExclusionClass.LIFECYCLE,
        CoverageDetailKey.CANCELLED: ExclusionClass.LIFECYCLE,
        CoverageDetailKey.SETUP_FAILED: ExclusionClass.LIFECYCLE,
        CoverageDetailKey.TIMED_OUT: ExclusionClass.LIFECYCLE,
        CoverageDetailKey.EXECUTION_FAILED: ExclusionClass.LIFECYCLE,
        CoverageDetailKey.EVALUATOR_ERROR: ExclusionClass.LIFECYCLE,
        CoverageDetailKey.CHAIN_MISSING: ExclusionClass.INTEGRITY,
        CoverageDetailKey.CHAIN_UNVERIFIED: ExclusionClass.INTEGRITY,
        CoverageDetailKey.CHAIN_VERSION_AHEAD: ExclusionClass.VERSION,
        CoverageDetailKey.MEASUREMENTS_MISSING: ExclusionClass.INTEGRITY,
        CoverageDetailKey.MEASUREMENTS_INVALID: ExclusionClass.INTEGRITY,
        CoverageDetailKey.MEASUREMENTS_VERSION_AHEAD: ExclusionClass.VERSION,
        CoverageDetailKey.ANALYZER_MISMATCH: ExclusionClass.INTEGRITY,
    }
)
"""The class of each exclusion."""

MEASUREMENT_UNIT_ONE: Final[Mapping[MeasurementUnit, str]] = MappingProxyType(
    {
        MeasurementUnit.CASE_VARIANT: "case variant",
        MeasurementUnit.TRIAL: "trial",
    }
)
"""The singular of each unit."""

VALIDITY_FINDING_PHASE: Final[Mapping[ValidityFinding, str]] = MappingProxyType(
    {
        ValidityFinding.CONFIGURED_TRIALS_NOT_ATTEMPTED: "validity",
        ValidityFinding.NO_GRADEABLE_TRIALS: "validity",
        ValidityFinding.ELIGIBLE_TRIALS_BELOW_MINIMUM: "validity",
        ValidityFinding.COMPLETION_RATE_BELOW_MINIMUM: "validity",
        ValidityFinding.COMPLETION_RATE_NOT_MEASURED: "validity",
        ValidityFinding.EVALUATOR_ERROR_RATE_ABOVE_MAXIMUM: "validity",
        ValidityFinding.EVALUATOR_ERROR_RATE_NOT_MEASURED: "validity",
        ValidityFinding.CASE_HAS_NO_ELIGIBLE_TRIALS: "validity",
        ValidityFinding.CASE_PASS_RATE_MET_THRESHOLD: "task",
        ValidityFinding.CASE_PASS_RATE_BELOW_THRESHOLD: "task",
        ValidityFinding.ALL_MEASURED_CASES_MET_THRESHOLD: "task",
    }
)
"""The phase each finding belongs to."""

GRADER_STATES: Final[Mapping[GraderReadiness, tuple[str, ...]]] = MappingProxyType(
    {
        GraderReadiness.NOT_CONFIGURED: (
            "criteria",
            "judge",
        ),
        GraderReadiness.SILENT: ("judge",),
        GraderReadiness.NOT_CLAIMED: ("criteria",),
        GraderReadiness.PENDING: (
            "criteria",
            "judge",
        ),
        GraderReadiness.ERRORED: (
            "criteria",
            "judge",
        ),
        GraderReadiness.SCORED: (
            "criteria",
            "judge",
        ),
    }
)
"""Which graders can be in each state."""

WIDER_FACT_SCOPES: Final[Mapping[WiderFact, tuple[ScopeLevel, ...]]] = MappingProxyType(
    {
        WiderFact.NOT_STARTED: (
            ScopeLevel.TARGET,
            ScopeLevel.WAVE,
        ),
        WiderFact.NOT_MET: (
            ScopeLevel.PERSONA,
            ScopeLevel.TARGET,
        ),
    }
)
"""Where each fact may stand."""

REASONS_WITH_EXPLANATION: Final = frozenset(
    {
        StageReason.SETUP_ABORTED,
        StageReason.CONNECT_FAILED,
        StageReason.TOOLS_LIST_FAILED,
        StageReason.EGRESS_UNVERIFIED,
    }
)
"""Stage reasons that may carry the producer's one-line explanation."""


def tone_of(disposition: Disposition) -> Tone:
    """Return the tone of a disposition: the only way to a tone.

    Rule: findings.md section 2, `tone of disposition`.
    """
    return DISPOSITION_TONE[disposition]
