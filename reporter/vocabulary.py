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
    """What the word says, for somebody who meets it for the first time."""

    def __new__(cls, value: str, label: str, meaning: str) -> Self:
        """Make a member from its wire spelling, its label and its meaning."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.label = label
        member.meaning = meaning
        return member


class Stage(Word):
    """One link of the user-value chain, in the order a request takes."""

    CONNECTION = (
        "connection",
        "Connection",
        "The client reaches the server and a session is opened.",
    )
    DISCOVERY = (
        "discovery",
        "Discovery",
        "The client learns which tools and resources the server offers.",
    )
    SELECTION = (
        "selection",
        "Selection",
        "The assistant picks the tool that the request calls for.",
    )
    CALL = ("call", "Tool call", "The picked tool is called with arguments it can work with.")
    RESPONSE = (
        "response",
        "Response",
        "The server sends back something the assistant can go on with.",
    )
    USER_VALUE = ("userValue", "User value", "The person gets what the request was about.")


class StageState(Word):
    """What was learned about one link."""

    PASSED = ("passed", "passed", "There is evidence for this link, and it held.")
    FAILED = ("failed", "failed", "There is evidence for this link, and it broke.")
    NOT_REACHED = (
        "notReached",
        "never ran (an earlier stage failed)",
        (
            "An earlier link broke, and nothing was recorded at this one. Neither a pass nor a "
            "failure of its own."
        ),
    )
    NOT_MEASURED = (
        "notMeasured",
        "not measured",
        "What was recorded does not settle this link. It is not a pass.",
    )
    NOT_APPLICABLE = (
        "notApplicable",
        "not applicable to this case",
        "The task asks nothing of this link, so there is nothing to judge.",
    )


class StageReasonGroup(Word):
    """The families of stage reasons."""

    UNMEASURABLE = (
        "unmeasurable",
        "Nothing could be measured",
        "Reasons why a link could not be judged at all.",
    )
    INAPPLICABLE = (
        "inapplicable",
        "The stage does not apply",
        "Reasons why there was nothing to judge at a link.",
    )
    POSITION = (
        "position",
        "Position",
        "Reasons that follow only from where the link stands in the chain.",
    )
    MEASURED_FAILURE = (
        "measuredFailure",
        "Measured failures",
        "Reasons seen in the evidence for a link that broke.",
    )
    MEASURED_PASS = (
        "measuredPass",
        "Measured passes",
        "Reasons seen in the evidence for a link that held.",
    )
    JUDGE = (
        "judge",
        "Advisory LLM judge",
        "Reasons that come from the opinion of a model that graded the session.",
    )


class StageReason(Word):
    """Why a link has its state; each label completes "because …"."""

    NO_SPAN_CHANNEL = (
        "noSpanChannel",
        "this run captures no evidence channel for that stage",
        "Sessions of this kind record nothing that could show how the link went.",
    )
    NO_EVIDENCE_CAPTURED = (
        "noEvidenceCaptured",
        "nothing eligible for that stage was captured",
        "The session was recorded, and nothing in it bears on this link.",
    )
    MATCH_VERDICT_UNAVAILABLE = (
        "matchVerdictUnavailable",
        (
            "extra tool calls were captured but the run did not report whether its match options "
            "tolerate them"
        ),
        "Tools were called, but it is not on record whether they were the right ones.",
    )
    TRACE_ABSENT = (
        "traceAbsent",
        "the iteration recorded no trace",
        "No course of events of the session is on record that could be read.",
    )
    EXECUTOR_EMITS_NO_SPANS = (
        "executorEmitsNoSpans",
        "the executor emitted no spans",
        "The program that ran the session does not record single calls.",
    )
    BLOCKED_BY_POLICY = (
        "blockedByPolicy",
        "a policy blocked the run before it could be measured",
        "A rule of the test environment stopped the session, not the server.",
    )
    EVALUATOR_ERROR = (
        "evaluatorError",
        "the evaluator itself failed, so the run says nothing about the server",
        "The grading broke; the server may be fine or not.",
    )
    PROVIDER_ERROR = (
        "providerError",
        "the model provider failed the call, so this stage was never measured",
        (
            "The model behind the assistant could not be reached or refused, so the link was never "
            "put to the test."
        ),
    )
    SETUP_ABORTED = (
        "setupAborted",
        "the environment was never prepared, so the test never began",
        "The surroundings of the test were not ready, so it did not begin.",
    )
    CONNECT_FAILED = (
        "connectFailed",
        "the configured server was reached and initialize failed there",
        "Connecting to the server or the opening handshake failed, and our own network worked.",
    )
    TOOLS_LIST_FAILED = (
        "toolsListFailed",
        "initialize succeeded and listing tools failed",
        "The handshake worked and the server could not list its tools.",
    )
    EGRESS_UNVERIFIED = (
        "egressUnverified",
        "the connection failed with no evidence that our own network egress works",
        "The connection failed, and the fault may lie on our side of the network as well.",
    )
    LIFECYCLE_STOPPED = (
        "lifecycleStopped",
        "the run was stopped mid-flight",
        "The session was ended from outside before this link could show itself.",
    )
    NOT_AUTHORED = (
        "notAuthored",
        "the case asserts nothing this stage could decide",
        "The task was written without anything that this link could be held against.",
    )
    EARLIER_STAGE_FAILED = (
        "earlierStageFailed",
        "an earlier stage failed",
        "A link before this one failed, and nothing on record decides this one.",
    )
    MISSING_TOOL_CALL = (
        "missingToolCall",
        "an expected tool call was never made",
        "The task needs a certain tool and the assistant did not call it.",
    )
    UNEXPECTED_TOOL_CALL = (
        "unexpectedToolCall",
        "a tool call was made that the case did not expect",
        "The assistant called a tool that has no part in the task.",
    )
    ARGUMENT_MISMATCH = (
        "argumentMismatch",
        "the call arguments did not match what the case expects",
        "The right tool was called with other values than the task needs.",
    )
    TOOL_ERROR = (
        "toolError",
        "the server reported a tool error",
        "A tool answered, and its answer was an error.",
    )
    PROTOCOL_ERROR = (
        "protocolError",
        "the call never produced a result",
        "The call failed on the way; no answer of the tool came back.",
    )
    RENDER_FAILED = (
        "renderFailed",
        "the widget did not render",
        "The server's user interface element could not be shown.",
    )
    PREDICATE_FAILED = (
        "predicateFailed",
        "an assertion on the result did not hold",
        "A check written for the task looked at what came back and did not hold.",
    )
    OBSERVED = (
        "observed",
        "the evidence was inspected and the stage held",
        "The record shows directly that the link worked.",
    )
    IMPLIED_BY_LATER_EVIDENCE = (
        "impliedByLaterEvidence",
        "a later stage's success implies it",
        "Something later could only happen because this link worked.",
    )
    JUDGE_OBSERVED = (
        "judgeObserved",
        "the LLM judge scored at or above the threshold",
        "The judge's score reached the mark for a pass.",
    )
    JUDGE_PARTIAL = (
        "judgePartial",
        "the LLM judge scored inside the partial band — at or above the floor, below the threshold",
        "The judge saw part of the request satisfied, which is not enough for a pass.",
    )
    JUDGE_FAILED = (
        "judgeFailed",
        "the LLM judge scored below the partial floor",
        "The judge saw too little of the request satisfied.",
    )
    JUDGE_PENDING = (
        "judgePending",
        "an LLM judge verdict is owed and has not arrived",
        "A judge was asked and has not answered yet.",
    )
    JUDGE_NOT_REQUESTED = (
        "judgeNotRequested",
        "no LLM judge verdict was ever owed",
        "No judge's word on this session is on record, and nothing shows that one is owed.",
    )


class FailureCategory(Word):
    """What kind of thing went wrong, and so who looks first."""

    SETUP = (
        "setup",
        "setup",
        "The surroundings of the test could not be prepared, so it never began.",
    )
    METADATA = (
        "metadata",
        "tool metadata",
        "A tool's name, description or schema led the assistant astray.",
    )
    SELECTION = ("selection", "tool selection", "The assistant picked an unsuitable tool or none.")
    ARGUMENTS = (
        "arguments",
        "call arguments",
        "The tool was well chosen and the values given to it were not.",
    )
    SERVER_DATA = (
        "serverData",
        "server data",
        "The server's answer was of no use to the assistant.",
    )
    USER_VALUE = (
        "userValue",
        "user value",
        "Every call worked, and the request was still not satisfied.",
    )
    EVALUATOR = (
        "evaluator",
        "evaluator",
        (
            "The grading itself broke, which tells nothing about the server. It is counted apart "
            "from everything else."
        ),
    )


class FallbackNextAction(Word):
    """What to do next where no failure category says it."""

    NO_CATEGORY = (
        "noCategory",
        "inspect the case trace; no failure category was recorded",
        "No kind of failure was recorded, so the session itself has to be read.",
    )
    VERDICT_CHAIN_DISAGREEMENT = (
        "verdictChainDisagreement",
        "the recorded verdict disagrees with the measured chain; inspect the case trace",
        "The session was graded as failed although every link that was measured held.",
    )
    STALE_ANALYZER_DISAGREEMENT = (
        "staleAnalyzerDisagreement",
        (
            "the recorded verdict disagrees with the measured chain; this run's chain was derived "
            "by an older analyzer that measures less than the current one — re-run the case before "
            "investigating further"
        ),
        "The same disagreement, in a chain that an older and coarser version worked out.",
    )


class Verdict(Word):
    """The decision on a session, a case or a run."""

    PASSED = ("passed", "passed", "It was decided, and the decision is yes.")
    FAILED = ("failed", "failed", "It was decided, and the decision is no.")
    INCONCLUSIVE = (
        "inconclusive",
        "inconclusive",
        "It was looked at, and too little could be measured to say yes or no.",
    )
    NOT_ESTABLISHED = (
        "notEstablished",
        "no verdict established",
        (
            "Nothing was decided; the reason beside it says why. It is not a step back from an "
            "earlier pass."
        ),
    )


class VerdictSource(Word):
    """Which grading decided a run."""

    POLICY_V2 = ("policyV2", "verdict policy v2", "Each case is held to a bar of its own.")
    LEGACY = (
        "legacy",
        "legacy percent-threshold run",
        "All trials together are held to one percentage.",
    )
    NONE = ("none", "no verdict source", "The run has no decision, so nothing decided it.")


class MeasurementUnit(Word):
    """What a run counts."""

    CASE_VARIANT = (
        "caseVariant",
        "case variants",
        "One case under one model counts once, however often it was tried.",
    )
    TRIAL = ("trial", "trials", "Each single try counts.")


class UndecidedReason(Word):
    """Why a run has no decision."""

    RUN_NOT_TERMINAL = (
        "runNotTerminal",
        "the run has not finished yet",
        "Sessions of the run were still to come when it was recorded.",
    )
    RUN_STATUS_NOT_A_VERDICT = (
        "runStatusNotAVerdict",
        (
            "the run stopped before it finished, so its recorded counts describe a sample rather "
            "than the run"
        ),
        "The run was cut short; what it counted until then stands for a part of it only.",
    )
    RUN_RESULT_NOT_A_VERDICT = (
        "runResultNotAVerdict",
        "the run finished without recording a verdict",
        "The run came to its end and nothing says whether it passed.",
    )
    VERDICT_SUMMARY_UNAVAILABLE = (
        "verdictSummaryUnavailable",
        "the run was decided by per-case grading and its decision could not be read",
        "A decision was made case by case and its record is missing or damaged.",
    )


class ValidityFinding(Word):
    """What the validity phase or the task verdict found."""

    CONFIGURED_TRIALS_NOT_ATTEMPTED = (
        "configuredTrialsNotAttempted",
        "some configured trial never ran, so the run does not cover what it was asked to",
        "Planned trials are missing, and the suite asks for all of them.",
    )
    NO_GRADEABLE_TRIALS = (
        "noGradeableTrials",
        "nothing in the run produced a gradeable verdict",
        "There is not one trial that could be graded.",
    )
    ELIGIBLE_TRIALS_BELOW_MINIMUM = (
        "eligibleTrialsBelowMinimum",
        "fewer gradeable trials than the suite's validity floor requires",
        "Some trials could be graded, fewer than the suite wants before it decides.",
    )
    COMPLETION_RATE_BELOW_MINIMUM = (
        "completionRateBelowMinimum",
        "too few attempted trials completed to meet the suite's completion floor",
        "Too many of the trials that began did not come to their end.",
    )
    COMPLETION_RATE_NOT_MEASURED = (
        "completionRateNotMeasured",
        "nothing was attempted, so the completion floor cannot be satisfied",
        "No trial began, so there is no share of completed ones.",
    )
    EVALUATOR_ERROR_RATE_ABOVE_MAXIMUM = (
        "evaluatorErrorRateAboveMaximum",
        "the evaluator failed too often for this run to describe the server",
        "Grading broke so often that the outcome would speak about the grader.",
    )
    EVALUATOR_ERROR_RATE_NOT_MEASURED = (
        "evaluatorErrorRateNotMeasured",
        "nothing was attempted, so the evaluator-error ceiling cannot be satisfied",
        "No trial began, so there is no share of broken gradings.",
    )
    CASE_HAS_NO_ELIGIBLE_TRIALS = (
        "caseHasNoEligibleTrials",
        "a case graded nothing at all",
        "One case has no trial that could be graded.",
    )
    CASE_PASS_RATE_MET_THRESHOLD = (
        "casePassRateMetThreshold",
        "the case met its pass threshold",
        "Enough of the case's graded trials passed.",
    )
    CASE_PASS_RATE_BELOW_THRESHOLD = (
        "casePassRateBelowThreshold",
        "a case did not meet its pass threshold",
        "Too few of a case's graded trials passed.",
    )
    ALL_MEASURED_CASES_MET_THRESHOLD = (
        "allMeasuredCasesMetThreshold",
        "every measured case met its threshold",
        "No case that was measured fell short.",
    )


class TrialExclusionReason(Word):
    """Why one trial left a pass-rate denominator."""

    NOT_TERMINAL = (
        "notTerminal",
        "not finished",
        "It was waiting or running when the count was taken, or nothing was ever heard of it.",
    )
    SKIPPED = ("skipped", "skipped", "It was passed over on purpose and never begun.")
    SETUP_FAILED = (
        "setupFailed",
        "setup failed",
        "What it needed around it could not be prepared.",
    )
    CANCELLED = ("cancelled", "cancelled", "It was taken back while it ran and counts nowhere.")
    TIMED_OUT = ("timedOut", "timed out", "Its time ran out before there was an outcome.")
    EXECUTION_FAILED = (
        "executionFailed",
        "execution failed",
        "It ran and broke down, which left nothing to grade.",
    )
    EVALUATOR_ERROR = (
        "evaluatorError",
        "grading broke",
        "It came to its end, and the grader did not.",
    )


class IterationStatus(Word):
    """The execution status of one iteration."""

    PENDING = ("pending", "waiting", "It has not begun.")
    RUNNING = ("running", "running", "It has begun and not ended.")
    COMPLETED = (
        "completed",
        "completed",
        "It came to its end; whether it passed is another question.",
    )
    FAILED = ("failed", "failed", "It broke while it ran.")
    CANCELLED = ("cancelled", "cancelled", "It was taken back.")
    TIMED_OUT = ("timed_out", "timed out", "It was ended because its time was up.")
    SETUP_FAILED = (
        "setup_failed",
        "setup failed",
        "What it needed around it could not be prepared.",
    )
    SKIPPED = ("skipped", "skipped", "It was passed over on purpose.")


class FrictionSignal(Word):
    """A pattern of tool calls within one session."""

    IDENTIFIER_SURFACED_UNUSED = (
        "identifierSurfacedUnused",
        "Identifiers surfaced, none used later",
        "An answer held ids, and none of the calls after it made use of one.",
    )
    SEARCH_REPEATED_AFTER_IDENTIFIER = (
        "searchRepeatedAfterIdentifier",
        "Same tool searched again after identifiers",
        (
            "A tool that had already given ids was called again with another question in which "
            "none of them stood."
        ),
    )
    IDENTICAL_RETRY = (
        "identicalRetry",
        "Repeated with identical arguments",
        "One tool was called twice in a row with the same arguments.",
    )
    CHANGED_RETRY = (
        "changedRetry",
        "Same tool called again with changed arguments",
        "One tool was called twice in a row, the second time with other arguments.",
    )
    PAGINATION_CONTINUATION = (
        "paginationContinuation",
        "Pagination continued",
        "One tool was called twice in a row, and only the page asked for was another.",
    )


class FrictionOrdering(Word):
    """How the calls of a session can be placed in time."""

    MESSAGE_ORDER = (
        "messageOrder",
        "by message",
        "The calls are ordered by where they stand in the conversation.",
    )
    TIMED = ("timed", "by time", "The calls are ordered by their recorded times.")
    UNKNOWN = ("unknown", "unknown", "Nothing says which call came first.")


class FrictionState(Word):
    """Whether friction was measured."""

    MEASURED = (
        "measured",
        "measured",
        "The calls could be looked at; finding no pattern means that there was none of these.",
    )
    NOT_MEASURED = (
        "notMeasured",
        "not measured",
        "The calls could not be looked at, so no pattern is known and none is ruled out.",
    )


class FrictionNotMeasuredReason(Word):
    """Why friction was not measured."""

    NO_TOOL_CALLS = (
        "noToolCalls",
        "no tool calls to look at",
        "No tool was called, so there is nothing that could form a pattern.",
    )
    RESULTS_UNAVAILABLE = (
        "resultsUnavailable",
        "tool results were not retained",
        "Answers of tools are missing, so it is open what a later call could have used.",
    )
    ORDERING_UNKNOWN = (
        "orderingUnknown",
        "the calls cannot be placed in a causal order",
        "It cannot be told which calls came after which.",
    )
    EVIDENCE_INCOMPLETE = (
        "evidenceIncomplete",
        "the evidence for this iteration has a known hole",
        (
            "Part of the record is known to be missing or unreadable. Nothing is shown, since "
            "leaving out one call would misnumber the others."
        ),
    )
    TRUNCATED = (
        "truncated",
        "too many tool calls to measure",
        "The session made more calls than are compared.",
    )


class SuspectedCondition(Word):
    """What may lie behind a friction pattern; suspected, never established."""

    UNCLEAR = (
        "unclear",
        "could not attribute",
        "Nothing definite could be suspected; that does not mean that all is well.",
    )
    ID_BURIED_IN_PAYLOAD = (
        "idBuriedInPayload",
        "identifier buried in payload",
        "The id for the next step may be hidden deep inside the answer.",
    )
    ID_NAME_COLLISION = (
        "idNameCollision",
        "identifier name collision",
        "Two different ids may go by one field name and be taken for each other.",
    )
    MISSING_QUERY_ECHO = (
        "missingQueryEcho",
        "response does not echo the query",
        "The answer may not tell which question it belongs to.",
    )
    SILENT_TRUNCATION = (
        "silentTruncation",
        "response truncated without saying so",
        "The answer may have been shortened without a word about it.",
    )
    AMBIGUOUS_ERROR_SEMANTICS = (
        "ambiguousErrorSemantics",
        "error text does not say whether to retry",
        "The error may leave open whether trying again makes sense.",
    )
    MISSING_UNITS = (
        "missingUnits",
        "value has no stated unit",
        "A number may stand there without saying what it counts.",
    )
    RESPONSE_WAS_CLEAR = (
        "responseWasClear",
        "the response was clear",
        "The answer was looked at and does not explain the pattern.",
    )
    DESCRIPTION_MISLEADING = (
        "descriptionMisleading",
        "tool description points the wrong way",
        "The tool's description may promise something the tool does not do.",
    )


class SuspectedConditionConfidence(Word):
    """How sure a suspicion is."""

    LOW = ("low", "low", "A guess; it is kept as no attribution.")
    MEDIUM = ("medium", "medium", "Plausible, with room for doubt.")
    HIGH = ("high", "high", "The evidence points there plainly; it stays a suspicion.")


class SuspectedConditionStatus(Word):
    """What became of asking for a suspicion."""

    SCORED = ("scored", "asked", "A model was asked and answered.")
    SKIPPED = ("skipped", "not asked", "No model was asked; the reason stands beside it.")
    ERROR = ("error", "asking broke", "A model was asked and gave no usable answer.")


class SuspectedConditionSkipReason(Word):
    """Why no suspicion was asked for."""

    SPEND_BLOCKED = (
        "spendBlocked",
        "spending limit",
        "Asking would have gone over the spending limit.",
    )
    TRACE_INCOMPLETE = (
        "traceIncomplete",
        "record incomplete",
        "Too much of the session's record is missing to ask about it.",
    )
    NO_EVIDENCE = (
        "noEvidence",
        "nothing to show",
        "There was no evidence that could be put to a model.",
    )
    CAP = ("cap", "enough asked", "As many questions as allowed had already been asked.")


class ExclusionClass(Word):
    """The classes of what a funnel leaves out."""

    LIFECYCLE = (
        "lifecycle",
        "lifecycle",
        (
            "The trial gave nothing that compares: it did not begin, did not end, broke, or its "
            "grading did."
        ),
    )
    INTEGRITY = (
        "integrity",
        "integrity",
        (
            "The trial's measurements are missing or were refused. Even one of these points at a "
            "defect in how it was recorded."
        ),
    )
    VERSION = (
        "version",
        "version",
        "The trial was measured by a newer version than is understood here; it is not bent to fit.",
    )
    NOT_APPLICABLE = ("notApplicable", "not applicable", "The task asks nothing of this link.")
    REACH_UNKNOWN = (
        "reachUnknown",
        "reach unknown",
        "It is open whether the session came as far as this link. That is not a drop-off.",
    )
    NOT_MEASURED = (
        "notMeasured",
        "not measured",
        "The session came as far as this link, and nothing there settles how it went.",
    )


class CoverageDetailKey(Word):
    """What exactly a funnel left out."""

    NOT_TERMINAL = (
        "notTerminal",
        "no end on record",
        "Nothing on record says that the session ended, or that it began at all.",
    )
    SKIPPED = ("skipped", "skipped", "The session was passed over on purpose.")
    CANCELLED = ("cancelled", "withdrawn", "The session was taken back or cut off from outside.")
    SETUP_FAILED = (
        "setupFailed",
        "refused or failed before the first message",
        "A limit turned the session away, or an error ended it before anything was said.",
    )
    TIMED_OUT = ("timedOut", "timed out", "The session's time ran out.")
    EXECUTION_FAILED = (
        "executionFailed",
        "execution failed",
        "The session broke down while it ran.",
    )
    EVALUATOR_ERROR = (
        "evaluatorError",
        "inconclusive",
        "The session ended, and its grading came to neither yes nor no.",
    )
    CHAIN_MISSING = (
        "chainMissing",
        "no chain",
        "No chain was recorded or derived for the session.",
    )
    CHAIN_UNVERIFIED = (
        "chainUnverified",
        "chain not verified",
        "The session has a chain that did not stand up to checking.",
    )
    CHAIN_VERSION_AHEAD = (
        "chainVersionAhead",
        "chain too new",
        "The chain was worked out by a newer version than is understood here.",
    )
    MEASUREMENTS_MISSING = (
        "measurementsMissing",
        "no measurements",
        "The chain is there and the measurements that belong to it are not.",
    )
    MEASUREMENTS_INVALID = (
        "measurementsInvalid",
        "measurements refused",
        "The measurements did not stand up to checking.",
    )
    MEASUREMENTS_VERSION_AHEAD = (
        "measurementsVersionAhead",
        "measurements too new",
        "The measurements have a newer form than is understood here.",
    )
    ANALYZER_MISMATCH = (
        "analyzerMismatch",
        "versions disagree",
        "Chain and measurements were worked out by different versions.",
    )


class StageReachState(Word):
    """Whether a trial got to a stage."""

    REACHED = ("reached", "reached", "The session came as far as this link.")
    NOT_REACHED = ("notReached", "not reached", "The session ended before this link.")
    UNKNOWN = (
        "unknown",
        "reach unknown",
        "It is not on record whether the session came as far as this link.",
    )
    NOT_APPLICABLE = ("notApplicable", "not applicable", "The task asks nothing of this link.")


class MaterializationState(Word):
    """Whether a stored row may still change."""

    PROVISIONAL = (
        "provisional",
        "provisional",
        "Grades are still expected, so the counts may move.",
    )
    FINAL = ("final", "final", "Nothing is expected any more; the counts stay as they are.")


class AnalyticsDimension(Word):
    """What a funnel can be sliced by."""

    OVERALL = ("overall", "overall", "All sessions together.")
    INTENT = ("intent", "by intent", "Sessions that were after the same kind of thing.")
    MODEL = ("model", "by model", "Sessions with the same model.")
    HOST = ("host", "by host", "Sessions in the same client program.")


class SetupPhase(Word):
    """The stages that happen once per run."""

    CONNECTION = (
        "connection",
        "connecting",
        "Opening the session with the server, once for the whole run.",
    )
    DISCOVERY = (
        "discovery",
        "listing tools",
        "Learning what the server offers, once for the whole run.",
    )


class ParityBlocker(Word):
    """Why two funnels cannot be compared, in declaration order."""

    MISSING_RUN_GROUP = (
        "missingRunGroup",
        "run group missing",
        "It is not recorded which group of runs one of the two belongs to.",
    )
    DIFFERENT_RUN_GROUP = (
        "differentRunGroup",
        "different run groups",
        "The two belong to different groups of runs.",
    )
    MISSING_CONFIG_IDENTITY = (
        "missingConfigIdentity",
        "configuration unknown",
        "It is not recorded under which configuration one of the two ran.",
    )
    DIFFERENT_CONFIG_IDENTITY = (
        "differentConfigIdentity",
        "different configurations",
        "The two ran under different configurations.",
    )
    MISSING_CASE_SET_IDENTITY = (
        "missingCaseSetIdentity",
        "set of cases unknown",
        "It is not recorded which set of cases one of the two used.",
    )
    DIFFERENT_CASE_SET_IDENTITY = (
        "differentCaseSetIdentity",
        "different sets of cases",
        "The two used different sets of cases.",
    )
    DIFFERENT_ANALYZER_VERSION = (
        "differentAnalyzerVersion",
        "different chain versions",
        "The chains of the two were worked out by different versions.",
    )
    DIFFERENT_MEASUREMENTS_VERSION = (
        "differentMeasurementsVersion",
        "different measurement versions",
        "The measurements of the two have different forms.",
    )
    DIFFERENT_MEASUREMENT_UNIT = (
        "differentMeasurementUnit",
        "different units",
        "The two do not count the same thing.",
    )
    MIXED_SOURCE_VERSIONS = (
        "mixedSourceVersions",
        "mixed versions",
        (
            "One of the two mixes sessions worked out by different versions, so it compares with "
            "nothing."
        ),
    )
    PROVISIONAL = (
        "provisional",
        "provisional",
        "One of the two is not final, so its counts may move.",
    )


class Tone(Word):
    """The four tones; always shown as word, shape and colour."""

    FAIL = ("fail", "failed", "Something did not work.")
    WARN = ("warn", "with friction", "It worked, and not smoothly.")
    OK = ("ok", "worked", "It worked.")
    MUTED = ("muted", "not known", "It is not known whether it worked.")


class Disposition(Word):
    """How a session, a goal or a persona came out."""

    NOT_RUN = (
        "notRun",
        "Not run",
        "Nothing is on record of its having begun, so it says nothing about the server.",
    )
    BLOCKED_CONNECTING = (
        "blockedConnecting",
        "Stuck",
        "The person never got a working connection to the server.",
    )
    LOST_FINDING_TOOL = (
        "lostFindingTool",
        "Lost",
        "The tool that the goal needs was not found, or another one was picked.",
    )
    BLOCKED_CALLING_TOOL = (
        "blockedCallingTool",
        "Annoyed",
        "A tool was picked, and calling it did not work.",
    )
    BLOCKED_BY_RESPONSE = (
        "blockedByResponse",
        "Frustrated",
        "The call got through, and what came back was a dead end.",
    )
    GOAL_MISSED = (
        "goalMissed",
        "Stalled",
        (
            "The goal was not met, and no single broken link is known to have been the one that "
            "stopped it."
        ),
    )
    GOAL_MET_WITH_FRICTION = (
        "goalMetWithFriction",
        "Uneasy",
        "The goal was met, with something going wrong on the way.",
    )
    GOAL_MET = ("goalMet", "Relieved", "The goal was met, and no friction was seen on the way.")
    NOT_MEASURED = (
        "notMeasured",
        "Unscored",
        "There was a session, and no grade says whether the goal was met. Neither good nor bad.",
    )


class SummaryKind(Word):
    """How the whole wave came out."""

    NOT_LAUNCHED = (
        "notLaunched",
        "Not launched",
        "Not one session got going, so nothing is known about the server.",
    )
    BROKEN = ("broken", "Goals blocked", "At least one goal was not met in at least one session.")
    FRICTION = (
        "friction",
        "Goals met with friction",
        "No goal that was measured was missed, and at least one was met with friction.",
    )
    LANDED = (
        "landed",
        "Goals met",
        "Every goal that could be measured was met. Goals that were not measured are not in this.",
    )
    UNGRADED = (
        "ungraded",
        "Not graded",
        "There were sessions, and no grade decides, so it is open how the goals went.",
    )
    UNREAD = (
        "unread",
        "Not fully read",
        (
            "Fewer than half of the sessions that started were read, which is too little to say "
            "how the goals went."
        ),
    )


class CoverageNote(Word):
    """A caveat on counts, never a finding."""

    SESSION_SCAN_CAPPED = (
        "sessionScanCapped",
        "Session scan limit reached",
        "More sessions were planned than were to be read; facts of the others were not sought.",
    )
    BUDGET_EXHAUSTED = (
        "budgetExhausted",
        "Analysis budget exhausted",
        "The budget for having a model read sessions ran out before all of them were read.",
    )
    TRANSCRIPT_MISSING = (
        "transcriptMissing",
        "Transcript unavailable",
        "Messages of a session are missing or damaged, so its signals are not known.",
    )
    CONTEXT_TOO_LARGE = (
        "contextTooLarge",
        "Transcript exceeds analysis limits",
        "A session was too long to be given to a model, so it was not read.",
    )
    EXTRACTION_REJECTED = (
        "extractionRejected",
        "Analysis could not be verified",
        "What a model said about a session did not stand up to checking and was thrown away.",
    )
    CHAIN_UNMEASURED = (
        "chainUnmeasured",
        "Journey stages not measured",
        "For some session that was read, no link of its chain could be judged either way.",
    )
    JUDGE_NOT_RUN = (
        "judgeNotRun",
        "Judge did not run",
        (
            "Some session that started was neither passed nor failed, and no judge's score is "
            "there to decide it."
        ),
    )
    SESSIONS_WITHDRAWN = (
        "sessionsWithdrawn",
        "Some sessions were withdrawn",
        "Sessions were taken back or cut off from outside; they say nothing about the server.",
    )
    SESSIONS_RATE_LIMITED = (
        "sessionsRateLimited",
        "Some sessions were rate limited",
        "A limit turned sessions away or ended them.",
    )
    PARTIAL_READ = (
        "partialRead",
        "Only part of this wave was read",
        (
            "Some of the sessions that started were read and some were not; signals speak only for "
            "those that were."
        ),
    )
    TOOL_CATALOG_MISSING = (
        "toolCatalogMissing",
        "Tool catalog unavailable",
        (
            "It is not fully recorded which tools were on offer, so a call to a tool that does not "
            "exist may go unseen."
        ),
    )
    MECHANISMS_REJECTED = (
        "mechanismsRejected",
        "A possible cause was rejected",
        (
            "A model proposed an explanation that broke a rule, or that the transcripts did not "
            "bear out. It is not published."
        ),
    )
    ANALYSIS_UNAVAILABLE = (
        "analysisUnavailable",
        "Causes could not be analysed",
        (
            "There were failures to explain, and for some or all of them no checked explanation "
            "could be had."
        ),
    )


class Basis(Word):
    """What a finding rests on."""

    VERIFIED_MECHANISM = (
        "verifiedMechanism",
        "Verified explanation",
        "A model proposed the explanation, and it held against the turns that it names.",
    )
    SESSION_REPORT = (
        "sessionReport",
        "Session report",
        "What one session was said to be like: somebody's account of it, and no count.",
    )
    POPULATION_FACT = (
        "populationFact",
        "Population fact",
        "Counted from the recording by code, without any model.",
    )


class ScopeLevel(Word):
    """How far a finding may speak."""

    SESSION = ("session", "one session", "It speaks about this session and no other.")
    GOAL = ("goal", "one goal", "It speaks about one persona's tries at one goal on one target.")
    PERSONA = (
        "persona",
        "one persona",
        "It speaks about everything a persona tried, and about none of the goals in particular.",
    )
    TARGET = ("target", "one target", "It speaks about one environment or host, whoever used it.")
    WAVE = ("wave", "the wave", "It speaks about everything that was launched together.")


class Lifecycle(Word):
    """What became of an attempt."""

    PENDING = ("pending", "not started yet", "It was planned, and nothing shows that it began.")
    RUNNING = ("running", "still running", "It had begun, and the recording stops before its end.")
    WITHDRAWN = (
        "withdrawn",
        "withdrawn",
        (
            "Somebody or something outside ended or cancelled it, so the server cannot be judged "
            "by it."
        ),
    )
    LIMITED = (
        "limited",
        "rate limited",
        "A rate or spending limit refused it before anything was said.",
    )
    RAN = (
        "ran",
        "ran to its end",
        "It came to its end as a run. That does not mean that the goal was met.",
    )
    BROKE = (
        "broke",
        "broke off",
        "An error ended it, or somebody stopped it. What was recorded before that is used.",
    )


class SessionVerdictReason(Word):
    """Why a session has its verdict, in the order of the decision table."""

    ATTEMPT_PENDING = (
        "attemptPending",
        "the attempt has not begun",
        "It has not begun, so nobody can grade it.",
    )
    ATTEMPT_RUNNING = (
        "attemptRunning",
        "the attempt is still running",
        "It has not ended, and grades before the end do not count.",
    )
    WITHDRAWN = (
        "withdrawn",
        "the attempt was withdrawn",
        "It was cancelled or cut off, and grades recorded for it are left aside.",
    )
    SPEND_CAP_REACHED = (
        "spendCapReached",
        "a spending cap was reached",
        "A limit on spending refused it before anything was said.",
    )
    NOT_RUN = (
        "notRun",
        "the attempt was rate limited",
        "A rate limit refused it before anything was said.",
    )
    GATING_CRITERION_FAILED = (
        "gatingCriterionFailed",
        "a required check failed",
        "At least one check that the session has to meet was not met.",
    )
    JUDGE_FAILED = (
        "judgeFailed",
        "the judge found the goal not met",
        "The judge has the say here, and its answer was no.",
    )
    GRADING_UNAVAILABLE = (
        "gradingUnavailable",
        "grading could not be done",
        "A grade was to be given and there will be none, or no message is there to be graded.",
    )
    EXECUTION_FAILED = (
        "executionFailed",
        "the attempt broke before its first message",
        "It ended with an error before anything was said.",
    )
    CRITERIA_GRADING_ERRORED = (
        "criteriaGradingErrored",
        "grading the checks broke",
        "There are checks that the session has to meet, and scoring them failed altogether.",
    )
    GATING_CRITERION_UNMEASURED = (
        "gatingCriterionUnmeasured",
        "a required check could not be scored",
        "Scoring is over, and a check that the session has to meet is without a score.",
    )
    JUDGE_ERRORED = (
        "judgeErrored",
        "the judge broke",
        "The judge has the say here, and it failed to give an answer.",
    )
    CRITERIA_PENDING = (
        "criteriaPending",
        "check results are still owed",
        "Scores of checks are still expected.",
    )
    GRADING_NOT_CLAIMED = (
        "gradingNotClaimed",
        "no grader took the session up",
        "A grade is needed, and no sign of anybody working on it is recorded.",
    )
    JUDGE_PENDING = (
        "judgePending",
        "the judge's word is still owed",
        "The judge's answer is still expected.",
    )
    ALL_GRADERS_PASSED = (
        "allGradersPassed",
        "required checks held and the judge agreed",
        "Checks and judge both had to say yes, and both did.",
    )
    JUDGE_PASSED = (
        "judgePassed",
        "the judge found the goal met",
        "There was no check to meet, and the judge said yes.",
    )
    ALL_GATING_CRITERIA_PASSED = (
        "allGatingCriteriaPassed",
        "every required check held",
        "Each check that the session has to meet was met; the judge does not decide here.",
    )
    UNGRADED = (
        "ungraded",
        "nothing graded this session",
        "No check to meet is on record, and no word of a judge.",
    )


class GraderReadiness(Word):
    """How far one grader of a session got."""

    NOT_CONFIGURED = (
        "notConfigured",
        "not configured",
        "No grader of this kind has spoken, and none is awaited.",
    )
    SILENT = ("silent", "not deciding", "Whatever the judge says, the required checks decide.")
    NOT_CLAIMED = (
        "notClaimed",
        "not begun",
        "There are checks, and no record shows that their scoring was begun.",
    )
    PENDING = ("pending", "not in yet", "The grade is being worked on.")
    ERRORED = ("errored", "broke", "The grader failed, or left out something it had to score.")
    SCORED = ("scored", "graded", "All that had to be scored has a score.")


class ReadState(Word):
    """What became of a started session's transcript; first match wins."""

    SCAN_CAPPED = (
        "scanCapped",
        "beyond the scan limit",
        "It comes after the number of sessions that were to be read.",
    )
    TRANSCRIPT_MISSING = (
        "transcriptMissing",
        "transcript missing or damaged",
        "Something was said in it that can no longer be loaded in full.",
    )
    CONTEXT_TOO_LARGE = (
        "contextTooLarge",
        "too long for the model",
        "It is longer than what may be given to a model. Occurs only where a model is used.",
    )
    BUDGET_EXHAUSTED = (
        "budgetExhausted",
        "no budget left",
        "The budget was spent before its turn came. Occurs only where a model is used.",
    )
    EXTRACTION_REJECTED = (
        "extractionRejected",
        "the model's reading was refused",
        "A model's account of it did not stand up to checking. Occurs only where a model is used.",
    )
    READ = ("read", "read", "All of it was loaded and looked through for signals.")


class FrictionReason(Word):
    """Why a met goal was not met smoothly."""

    STAGE_FAILED = (
        "stageFailed",
        "a link failed on the way",
        "At some link before the last one something failed, even if the assistant got past it.",
    )
    OUTPUT_TRUNCATED = (
        "outputTruncated",
        "a reply was cut off",
        "A reply of the assistant ended at its length limit.",
    )
    HALLUCINATED_TOOL = (
        "hallucinatedTool",
        "a tool that does not exist was called",
        "The assistant called a tool that is not among those on offer.",
    )
    TOOL_ERRORED = (
        "toolErrored",
        "a tool errored",
        "At least one tool call ended in an error.",
    )
    TURN_CAP_REACHED = (
        "turnCapReached",
        "every allowed turn was used",
        "The conversation went on until no further turn was allowed.",
    )
    ADVISORY_FAILED = (
        "advisoryFailed",
        "an advisory check did not hold",
        "A check that is for information only was not met.",
    )
    EXECUTION_INTERRUPTED = (
        "executionInterrupted",
        "the execution broke off",
        "An error ended the session, or somebody stopped it, before it came to its own end.",
    )
    MARGINAL_SCORE = (
        "marginalScore",
        "the judge's score was barely enough",
        "The judge's score lay within 0.05 of the mark. Not looked at unless asked for.",
    )


class WiderFact(Word):
    """A fact stated of a persona, a target or the wave."""

    NOT_STARTED = (
        "notStarted",
        "did not start",
        (
            "How many planned sessions never got going. It is about launching them, not about the "
            "server."
        ),
    )
    NOT_MET = (
        "notMet",
        "did not meet the goal",
        "How many of the sessions that started did not meet their goal.",
    )


class AnsweredBy(Word):
    """Who answered a tool call; absent reads as the server."""

    SERVER = ("server", "the server", "The answer came from the server under test.")
    CLIENT = ("client", "the client", "The client program answered by itself, without the server.")


class Signal(Word):
    """A recorded fact of one session, in keying priority."""

    OUTPUT_TRUNCATED = (
        "outputTruncated",
        "Reply cut off",
        "A reply of the assistant ran into its length limit, and the rest of it was lost.",
    )
    HALLUCINATED_TOOL = (
        "hallucinatedTool",
        "Called a tool that does not exist",
        "The assistant called a tool by a name that nobody offers.",
    )
    TOOL_ERRORED = (
        "toolErrored",
        "A tool errored",
        "At least one tool call ended in an error.",
    )
    NO_TOOL_CALLED = (
        "noToolCalled",
        "No tool used",
        "The session came to its end without a single tool call.",
    )
    TURN_CAP_REACHED = (
        "turnCapReached",
        "Hit the turn limit",
        "The session used as many turns as it was given.",
    )


class ChainStageBasis(Word):
    """What the stage shown by a row rests on."""

    DERIVED = ("derived", "measured", "The sessions' own chains broke or held at this link.")
    REPORTED = (
        "reported",
        "reported",
        "Somebody or something points at this link; the chains themselves do not show it.",
    )
    UNMEASURED = ("unmeasured", "not measured", "It is not known which link this belongs to.")


class VerificationCounter(Word):
    """What became of a model's proposals."""

    PROPOSED = ("proposed", "proposed", "How many explanations a model came up with.")
    CONFIRMED = (
        "confirmed",
        "confirmed",
        "How many of them the cited turns bore out; more than are published, at times.",
    )
    REJECTED = (
        "rejected",
        "rejected",
        (
            "How many a rule refused, or the turns they cite contradicted. An explanation nobody "
            "looked at is not in this."
        ),
    )
    UNVERIFIED = (
        "unverified",
        "not verified",
        "How many could not be checked one way or the other.",
    )
    OMITTED = (
        "omitted",
        "left out",
        "How many were not published for want of room; they are counted in the other numbers too.",
    )


class ProposalState(Word):
    """What became of one proposal of a model."""

    CONFIRMED = (
        "confirmed",
        "confirmed",
        "At least one session that it cites bears it out; only those sessions are counted.",
    )
    REJECTED = (
        "rejected",
        "rejected",
        "A rule refused it before a second look, or the turns that it cites contradict it.",
    )
    UNVERIFIED = (
        "unverified",
        "not verified",
        "Nobody could say whether the turns that it cites bear it out.",
    )


class SupportAnswer(Word):
    """What a second look at the cited turns of one session came to."""

    SUPPORTS = ("supports", "supports", "The cited turns bear the proposal out.")
    CONTRADICTS = ("contradicts", "contradicts", "The cited turns say otherwise.")
    CANNOT_TELL = ("cannotTell", "cannot tell", "The cited turns settle it neither way.")


class ReplyState(Word):
    """What became of one request to a model."""

    ANSWERED = ("answered", "answered", "The model answered.")
    FAILED = ("failed", "call failed", "The call failed, and no retry helped.")
    TIMED_OUT = ("timedOut", "timed out", "No answer came in time.")
    CUT_OFF = ("cutOff", "answer cut off", "The model's limit on its answer cut it off.")
    REFUSED = ("refused", "model refused", "The model, or its provider, would not answer.")
    OVER_BUDGET = ("overBudget", "not sent", "The budget had no room for the request.")
    INTERRUPTED = ("interrupted", "not sent", "The run was interrupted before the request.")
    MISSING = ("missing", "no kept reply", "The file of replies holds none for this request.")
    NOTHING_LEFT = (
        "nothingLeft",
        "nothing left to ask",
        "No session was left that could be shown: their accounts did not pass the checks.",
    )


class PhraseRule(Word):
    """Why words that a model proposed were refused."""

    REPLY_NOT_JSON = (
        "replyNotJson",
        "reply is not JSON",
        "The reply does not hold one JSON value.",
    )
    SHAPE = ("shape", "shape does not fit", "A field is missing, surplus or of another type.")
    UNKNOWN_STAGE = ("unknownStage", "unknown link", "The named link is not one of the six.")
    TOO_MANY_PROPOSALS = (
        "tooManyProposals",
        "one too many",
        "The reply holds more proposals than were asked for; the first ones count.",
    )
    EMPTY = ("empty", "empty", "A phrase that must stand there is empty or says nothing.")
    NOT_TRIMMED = ("notTrimmed", "not trimmed", "White space stands at an end of the phrase.")
    NOT_ONE_LINE = (
        "notOneLine",
        "not one plain line",
        "The phrase holds a line break, or a character that controls and is not shown.",
    )
    MARKUP = ("markup", "markup", "The phrase holds signs that mark text up.")
    ADDRESS = ("address", "address", "The phrase holds an address of the web or of a mailbox.")
    CREDENTIAL = ("credential", "credential", "Part of the phrase is shaped like a credential.")
    TOO_LONG = ("tooLong", "too long", "The phrase is longer than its place allows.")
    TOO_MANY_WORDS = ("tooManyWords", "too many words", "The phrase has more words than allowed.")
    TOO_MANY_SENTENCES = (
        "tooManySentences",
        "too many sentences",
        "The phrase has more sentences than allowed.",
    )
    DIGIT = ("digit", "digit", "An outcome holds a digit; counts are code's.")
    SESSION_COUNT = (
        "sessionCount",
        "counts sessions",
        "The phrase says in how many sessions or to how many people; counts are code's.",
    )
    PERSONA_NAMED = ("personaNamed", "names a persona", "The phrase names a persona of the wave.")
    GOAL_NAMED = ("goalNamed", "names a goal", "The phrase names a goal of the wave.")
    TARGET_NAMED = (
        "targetNamed",
        "names a target",
        "The phrase names a target that the cited turns do not name.",
    )
    NOT_AN_OUTCOME = (
        "notAnOutcome",
        "not an outcome",
        "The phrase asks or advises, and does not say what became of the attempt.",
    )
    FIX_WITHOUT_MECHANISM = (
        "fixWithoutMechanism",
        "fix without a cause",
        "A fix stands without the cause that it would mend.",
    )
    NOT_IMPERATIVE = (
        "notImperative",
        "not an instruction",
        "A fix does not begin with what the server's author is to do.",
    )
    NOT_CONTROLLABLE = (
        "notControllable",
        "not the author's to change",
        "A fix speaks of nothing that the author of a server controls.",
    )
    NO_SUPPORT = ("noSupport", "cites nothing", "No session is cited.")
    UNKNOWN_SESSION = (
        "unknownSession",
        "unknown session",
        "A cited session is not one of those that the model was given.",
    )
    NOT_READ = ("notRead", "session not read", "A cited session was not read.")
    TURN_MISSING = ("turnMissing", "no such turn", "A cited turn is not in the session.")
    QUOTE_TOO_SHORT = ("quoteTooShort", "quote too short", "A quotation is too short to find.")
    QUOTE_NOT_FOUND = (
        "quoteNotFound",
        "quote not found",
        "A quotation does not stand in the turns that are cited for it.",
    )
    PERSONA_QUOTES_ONLY = (
        "personaQuotesOnly",
        "rests on the persona alone",
        "Every quotation is from what the persona wrote, none from what the server did.",
    )
    REPEATED = ("repeated", "said twice", "An earlier proposal of the reply says the same.")
    NUMBER_NOT_RECORDED = (
        "numberNotRecorded",
        "number not on record",
        "The phrase holds a number that the cited turns do not hold.",
    )
    TOOL_NOT_CITED = (
        "toolNotCited",
        "tool not in the cited turns",
        "The phrase names a tool, or another name of code, that the cited turns do not hold.",
    )
    NAME_NOT_CITED = (
        "nameNotCited",
        "name not in the cited turns",
        "The phrase holds a name that the cited turns do not hold.",
    )
    SCOPE_OVERREACH = (
        "scopeOverreach",
        "says more than was seen",
        "The phrase speaks of all, every, always or never, and the cited sessions are not all.",
    )
    CAUSE_NOT_MEASURED = (
        "causeNotMeasured",
        "cause not measured",
        "The phrase says that one thing caused another, and the link was not measured there.",
    )
    TRANSCRIPT_INSTRUCTION = (
        "transcriptInstruction",
        "instruction from a transcript",
        "The phrase hands on an instruction that stands in a transcript, or speaks to its reader.",
    )
    NOT_SHOWN = (
        "notShown",
        "speaks of what was not shown",
        "The phrase says what a description, a schema or documentation holds; no cited turn does.",
    )
    CLAIMS_SUCCESS = (
        "claimsSuccess",
        "claims a success",
        "The phrase says that it worked, and the sessions' outcomes say otherwise.",
    )
    BLAMES_PERSON = (
        "blamesPerson",
        "blames the person",
        "The phrase makes a person the one who failed.",
    )
    NOT_ENGLISH = (
        "notEnglish",
        "not in English",
        "The phrase is not in English, the only language whose claims are checked here.",
    )
    NOT_GROUNDED = (
        "notGrounded",
        "shares no word with the cited turns",
        "No telling word of the phrase stands in the turns that are cited for it.",
    )
    CONTRADICTED = (
        "contradicted",
        "contradicted",
        "A second look at the cited turns found that they say otherwise.",
    )
    WIDER_THAN_CONFIRMED = (
        "widerThanConfirmed",
        "wider than what was confirmed",
        "The phrase speaks of all sessions, and not all of them bore it out.",
    )
    NOT_SETTLED = (
        "notSettled",
        "not settled",
        "Every second look came back without an answer either way.",
    )
    NOT_ASKED = (
        "notAsked",
        "not looked at again",
        "No second look took place: the call failed, or the budget ended.",
    )
    NEAR_DUPLICATE = (
        "nearDuplicate",
        "nearly the same as another",
        "Another confirmed cause says nearly the same and rests on as much.",
    )
    NO_ROOM = ("noRoom", "no room", "More causes were confirmed than a report publishes.")
    NOT_PERSONA_WORDS = (
        "notPersonaWords",
        "not the persona's words",
        "An account does not stand, to the letter, in what the persona wrote.",
    )


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

STAGE_QUESTION: Final[Mapping[Stage, str]] = MappingProxyType(
    {
        Stage.CONNECTION: "Did the client get through to the server and open a session?",
        Stage.DISCOVERY: "Did the client get a list of tools and resources it can use?",
        Stage.SELECTION: "Did the assistant pick the tool that the request needs?",
        Stage.CALL: "Did the call carry arguments that work?",
        Stage.RESPONSE: "Did an answer come back that the assistant can go on with?",
        Stage.USER_VALUE: "Did the person get what they asked for?",
    }
)
"""What is asked of each link."""

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

MEASURED_STATES: Final = frozenset({StageState.PASSED, StageState.FAILED})
"""The states that rest on evidence about the link itself."""

PASS_STATES: Final = frozenset({StageState.PASSED})
"""The only states that may look like a pass."""

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

FRICTION_BENIGN: Final[Mapping[FrictionSignal, str]] = MappingProxyType(
    {
        FrictionSignal.IDENTIFIER_SURFACED_UNUSED: (
            "The answer may have been enough by itself, so that no id had to be looked up."
        ),
        FrictionSignal.SEARCH_REPEATED_AFTER_IDENTIFIER: (
            "The assistant may have narrowed its question down rather than asked it again."
        ),
        FrictionSignal.IDENTICAL_RETRY: (
            "The first call may have met a passing fault, and trying again is the right answer."
        ),
        FrictionSignal.CHANGED_RETRY: "The work may simply go on, one call after the other.",
        FrictionSignal.PAGINATION_CONTINUATION: "There may have been further pages to read.",
    }
)
"""The harmless reading of each friction pattern, always shown beside it."""

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

MEASUREMENT_UNIT_USED_BY: Final[Mapping[MeasurementUnit, str]] = MappingProxyType(
    {
        MeasurementUnit.CASE_VARIANT: "per-case grading",
        MeasurementUnit.TRIAL: "suite-wide accuracy threshold",
    }
)
"""The grading that counts in each unit."""

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

VALIDITY_FINDING_SCOPE: Final[Mapping[ValidityFinding, tuple[str, ...]]] = MappingProxyType(
    {
        ValidityFinding.CASE_PASS_RATE_MET_THRESHOLD: ("case",),
        ValidityFinding.CASE_PASS_RATE_BELOW_THRESHOLD: ("case", "run"),
        ValidityFinding.ALL_MEASURED_CASES_MET_THRESHOLD: ("run",),
    }
)
"""Where each finding of the task phase may stand."""

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
