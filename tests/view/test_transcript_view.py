from typing import Any

import pytest
from builders import Json, assistant, call, records, result, session_facts, user

from reporter.models.facts import CallFact, FinishFact, SessionFacts, SignalMatch
from reporter.models.session import SessionRecording
from reporter.view.citations import CiteLink
from reporter.view.entries import CallRun, OutlineView
from reporter.view.play import IN_THE_PAGE, Bounds
from reporter.view.transcript import (
    CallEntry,
    Entry,
    NoteEntry,
    SpeechEntry,
    transcript_view,
)
from reporter.vocabulary import Signal

CITE = (CiteLink("the session report", "#finding.x"),)


def entries(
    *raw: Json, facts: SessionFacts | None = None, cites: Any = None, **more: Any
) -> list[Entry]:
    recording = SessionRecording("s1", records(*raw), **more)  # type: ignore[arg-type]  # an id of a test
    return list(transcript_view(facts or session_facts(), recording, cites or {}).entries)


def speech(*raw: Json, **more: Any) -> SpeechEntry:
    found = entries(*raw, **more)[0]
    assert isinstance(found, SpeechEntry)
    return found


def called(*raw: Json, **more: Any) -> CallEntry:
    return next(one for one in entries(*raw, **more) if isinstance(one, CallEntry))


def test_who_spoke_is_named() -> None:
    found = entries(
        user(),
        assistant(),
        {
            "type": "message",
            "role": "system",
            "author": "client",
            "turnIndex": 0,
            "content": "Be kind.",
        },
    )
    assert [(one.speaker, one.name) for one in found if isinstance(one, SpeechEntry)] == [
        ("persona", "Ana"),
        ("assistant", "Assistant"),
        ("system", "System"),
    ]


def test_turns_begin_at_the_persona_and_count_from_one() -> None:
    found = entries(user(turn=0), assistant(turn=0), user(turn=1), assistant(turn=1))
    said = [one for one in found if isinstance(one, SpeechEntry)]
    assert [one.turn for one in said] == ["Turn 1", "", "Turn 2", ""]
    assert [one.turn_anchors for one in said] == [
        ("session.s1.turn0",),
        (),
        ("session.s1.turn1",),
        (),
    ]
    assert [one.label for one in said] == ["m0", "m1", "m2", "m3"]


def test_plain_words_need_no_source_beside_them() -> None:
    found = speech(user("Just words.\nTwo lines."))
    assert found.body is not None
    assert found.body.markup == "Just words.<br>Two lines."
    assert found.source == ""


def test_formatted_words_keep_their_source_one_click_away() -> None:
    found = speech(assistant("**Done.**"))
    assert found.body is not None
    assert found.body.markup == "<strong>Done.</strong>"
    assert found.source == "**Done.**"


def test_words_that_live_by_their_indentation_stand_as_recorded() -> None:
    said = "**Done**\nspec:\n  a: 1\n  b:\n    c: 2"
    found = speech(assistant(said))
    assert found.body is None
    assert found.source == said


def test_a_cited_message_stands_as_recorded_to_the_letter() -> None:
    found = speech(assistant("**Done.**  \n\n x"), cites={"m:0": CITE})
    assert found.body is None
    assert found.source == "**Done.**  \n\n x"
    assert found.cites == CITE


def test_a_long_message_says_what_is_left_out() -> None:
    found = speech(user("w" * (IN_THE_PAGE.message + 5)))
    assert found.note == "5 characters left out; whole in seq 0"


def test_a_message_cut_when_recorded_says_so() -> None:
    assert speech(user("x", truncated=True)).note == "cut short when it was recorded"


def test_an_empty_message_is_said_to_be_empty_unless_a_call_follows() -> None:
    assert speech(assistant("")).note == "an empty message"
    assert [one.kind for one in entries(assistant(""), call(), result())] == ["call"]


def test_a_call_and_its_result_are_one_line_with_both_folded() -> None:
    found = called(
        user(), call("c1", "find_book", args={"title": "x"}), result("c1", {"items": [1, 2]})
    )
    assert (found.name, found.state, found.line) == ("find_book", "returned", "returned 1 field")
    assert found.short == 'title: "x"'
    assert not found.folded_arguments
    assert found.result is not None
    assert '"items"' in found.result.text


@pytest.mark.parametrize(
    ("value", "line", "shown"),
    [
        ([1, 2, 3], "returned 3 items", "[1, 2, 3]"),
        ("[1, 2]", "returned 2 items", "[1, 2]"),
        ("short answer", "returned short answer", "short answer"),
        ("w" * 100, "returned 100 characters", "w" * 100),
        ("null", "returned null", "null"),
        ("", "returned an empty text", ""),
        ([{"kind": "other", "note": "x", "more": 1}], "returned 1 item", None),
        (True, "returned true", "true"),
        (12.5, "returned 12.5", "12.5"),
        ({"content": [{"type": "text", "text": "Hello"}]}, "returned Hello", "Hello"),
        (
            {"content": [{"type": "text", "text": '{"a": 1}'}], "structuredContent": {"a": 1}},
            "returned 1 field",
            '{"a": 1}',
        ),
        (
            {"content": [{"type": "text", "text": "a"}], "structuredContent": {"b": 2}},
            "returned a",
            'a\n\nStructured content:\n{"b": 2}',
        ),
        (
            {
                "content": [{"type": "text", "text": '{"a": 1}'}, {"type": "text", "text": "b"}],
                "structuredContent": {"result": [{"a": 1}, "b"]},
            },
            "returned 2 items",
            '{"a": 1}\nb',
        ),
        ({"content": []}, "returned 0 parts", ""),
        ({"content": [{"type": "image"}]}, "returned 1 part", None),
        ([{"type": "text", "text": "Hello"}], "returned Hello", "Hello"),
        (
            {"content": [{"type": "image", "mimeType": "image/png", "data": "aGVsbG8h"}]},
            "returned [image: image/png, 6 bytes, not shown]",
            "[image: image/png, 6 bytes, not shown]",
        ),
        (
            {
                "content": [
                    {"type": "text", "text": '["a"]'},
                    {"type": "audio", "mimeType": "audio/wav", "data": "aGVsbG8="},
                    {"type": "resource_link", "name": "log", "uri": "file:///log"},
                    {"type": "resource", "resource": {"uri": "file:///x", "text": "words"}},
                    {"type": "resource", "resource": {"uri": "file:///y", "blob": "aGVsbG8="}},
                ],
                "isError": False,
            },
            "returned 5 parts: 1 text, 1 audio, 1 resource_link, 2 resource",
            (
                '["a"]\n[audio: audio/wav, 5 bytes, not shown]\n'
                "[link to a resource: log, file:///log]\n[resource file:///x]\nwords\n"
                "[resource file:///y: 5 bytes, not shown]"
            ),
        ),
        (
            {"code": "first line of many, which is rather long\nsecond line\n", "n": 1},
            "returned 2 fields",
            None,
        ),
    ],
)
def test_results_are_pretty_printed_and_summed_up(value: Any, line: str, shown: str | None) -> None:
    found = called(call(), result(value=value))
    assert found.line == line
    assert found.result is not None
    assert shown is None or found.result.text == shown


@pytest.mark.parametrize(
    ("value", "line"),
    [
        (None, "answered, with no content on record"),
        (
            [{"kind": "other", "note": "what the tool answered was not captured"}],
            "answered: what the tool answered was not captured",
        ),
    ],
)
def test_an_answer_that_was_not_captured_is_no_answer_of_nothing(value: Any, line: str) -> None:
    found = called(call(), result(value=value))
    assert (found.state, found.line, found.result) == ("returned", line, None)


def test_a_long_result_is_bounded_and_counted() -> None:
    found = called(call(), result(value="w" * (IN_THE_PAGE.value + 7)))
    assert found.result is not None
    assert found.result.note == "7 characters left out"
    assert found.result_note == "7 characters left out; whole in seq 1"


def test_secrets_in_arguments_are_masked_by_key_and_by_shape() -> None:
    found = called(call(args={"password": "hunter2", "note": "ghp_" + "a1" * 20}), result())
    assert "hunter2" not in found.arguments.text
    assert "ghp_" not in found.arguments.text


def test_a_missing_result_is_not_an_error() -> None:
    found = called(call())
    assert (found.state, found.line, found.result) == ("missing", "result not recorded", None)


@pytest.mark.parametrize(
    ("fact", "state", "line"),
    [
        ({"error": "isError", "error_text": "No such branch."}, "error", "error: No such branch."),
        ({"error": "isError", "error_text": "Error: user"}, "error", "Error: user"),
        ({"error": "protocol", "error_text": "-32602"}, "error", "protocol error: -32602"),
        ({"error": "isError"}, "error", "error: ok"),
        ({"policy_blocked": True}, "blocked", "stopped by a policy before it reached a server"),
        ({"answered_by": "client"}, "client", "answered by the client, never reached a server"),
    ],
)
def test_what_came_back_follows_the_facts(fact: dict[str, Any], state: str, line: str) -> None:
    facts = session_facts(tool_calls=(CallFact("c1", "find_book", 0, **fact),))
    found = called(call(), result(), facts=facts)
    assert (found.state, found.line) == (state, line)


def test_what_was_inferred_of_ids_is_said_in_the_provenance_alone() -> None:
    inferred = {"toolCallId": "the source gives the call no id", "toolName": "first word"}
    found = called(call(inferred=inferred), result(inferred=inferred))
    assert found.inferred == "toolName: first word"


def test_an_inferred_error_names_its_rule() -> None:
    facts = session_facts(
        tool_calls=(
            CallFact("c1", "x", 0, error="isError", error_inferred="text starts with Error"),
        )
    )
    found = called(call(), result(inferred={"isError": "the same"}), facts=facts)
    assert found.inferred == "error: text starts with Error"


def test_a_call_of_the_persona_is_said_to_be_hers() -> None:
    facts = session_facts(tool_calls=(CallFact("c1", "x", 0, caller="persona"),))
    assert called(call(caller="persona"), result(), facts=facts).by == "Ana called"


def test_calls_inside_messages_stand_behind_their_words_and_once() -> None:
    part = {"kind": "tool_call", "toolCallId": "c1", "toolName": "find_book", "args": {}}
    found = entries(
        assistant(content=[{"kind": "text", "text": "Looking."}, part]), call("c1"), result("c1")
    )
    assert [one.kind for one in found] == ["speech", "call"]


def test_a_tool_message_is_the_result_of_its_call() -> None:
    answer = {
        "type": "message",
        "role": "tool",
        "author": "tool",
        "turnIndex": 0,
        "toolCallId": "c1",
        "content": "Found it.",
    }
    found = entries(user(), call("c1"), answer)
    assert [one.kind for one in found] == ["speech", "call"]
    last = found[-1]
    assert isinstance(last, CallEntry)
    assert last.result is not None
    assert last.result.text == "Found it."


def test_a_reply_that_was_cut_off_is_said_on_its_turn() -> None:
    facts = session_facts(
        finish_reasons=(FinishFact(0, 0, "length"), FinishFact(0, 1, "stop")),
        signals=(SignalMatch(Signal.OUTPUT_TRUNCATED, 0),),
    )
    step = {"type": "step_finish", "turnIndex": 0, "finishReason": "length"}
    found = entries(
        user(),
        {**step, "stepNumber": 0},
        {**step, "stepNumber": 1, "finishReason": "stop"},
        facts=facts,
        cites={"signal:outputTruncated:0": CITE},
    )
    notes = [one for one in found if isinstance(one, NoteEntry)]
    assert [(one.text, one.cites) for one in notes] == [
        ("Finish reason length: the reply was cut off.", CITE)
    ]


def test_a_cited_signal_leads_to_its_call() -> None:
    facts = session_facts(
        tool_calls=(
            CallFact("c1", "fine", 0),
            CallFact("c2", "broken", 0, error="isError", error_text="No."),
        ),
        signals=(SignalMatch(Signal.TOOL_ERRORED, 0),),
    )
    found = entries(
        user(),
        call("c1", "fine"),
        call("c2", "broken"),
        facts=facts,
        cites={"signal:toolErrored:0": CITE},
    )
    assert [one.cites for one in found if isinstance(one, CallEntry)] == [(), CITE]


def test_a_cited_result_of_text_stands_to_the_letter() -> None:
    found = called(call(), result(value='{"a":1}'), cites={"t:c1": CITE})
    assert found.result is not None
    assert found.result.text == '{"a":1}'


def test_connection_phases_that_went_well_are_one_line() -> None:
    phase = {"type": "connection", "outcome": "ok", "serverName": "desk"}
    found = entries(*({**phase, "phase": name} for name in ("connect", "initialize", "tools_list")))
    assert [one.text for one in found if isinstance(one, NoteEntry)] == [
        "Connect, initialize, tools list at desk: ok."
    ]


def test_a_connection_that_only_follows_from_something_says_so() -> None:
    phase = {"type": "connection", "phase": "initialize", "outcome": "ok", "serverName": "desk"}
    found = entries({**phase, "inferred": {"outcome": "a header carries the session's id"}})
    assert [one.text for one in found if isinstance(one, NoteEntry)] == [
        "Initialize at desk: ok, inferred: a header carries the session's id."
    ]


@pytest.mark.parametrize(
    ("checked", "words"),
    [
        ({"egressVerified": True}, "our own network was checked and worked"),
        ({"egressVerified": False}, "our own network was checked and did not work"),
        ({}, "whether our own network worked was not recorded"),
    ],
)
def test_a_refused_connection_says_what_is_known_of_our_own_network(
    checked: Json, words: str
) -> None:
    found = entries(
        {
            "type": "connection",
            "phase": "initialize",
            "outcome": "failed",
            "serverName": "desk",
            "error": {"code": 503, "message": "Closed."},
            "attributable": "server",
            **checked,
        }
    )[0]
    assert isinstance(found, NoteEntry)
    assert (
        found.text == f"Initialize at desk failed (503): Closed. Attributed to the server; {words}."
    )
    assert found.tone == "fail"


def test_a_system_message_is_shown_once() -> None:
    system = {
        "type": "message",
        "role": "system",
        "author": "client",
        "turnIndex": 0,
        "content": "Be kind.",
    }
    shown: dict[str, str] = {}
    first = transcript_view(session_facts("s1"), SessionRecording("s1", records(system)), {}, shown)  # type: ignore[arg-type]  # an id of a test
    again = transcript_view(session_facts("s2"), SessionRecording("s2", records(system)), {}, shown)  # type: ignore[arg-type]  # the same
    assert [one.source for one in first.entries if isinstance(one, SpeechEntry)] == ["Be kind."]
    entry = again.entries[0]
    assert isinstance(entry, SpeechEntry)
    assert (entry.source, entry.folded) == (
        "",
        "System message, 8 characters, the same as in session s1",
    )


@pytest.mark.parametrize(
    ("recording", "note"),
    [
        (None, "No file of this session was recorded."),
        (SessionRecording("s1", present=False), "No file of this session was recorded."),  # type: ignore[arg-type]  # an id of a test
        (SessionRecording("s1"), "No message was recorded."),  # type: ignore[arg-type]  # the same
        (
            SessionRecording("s1", records(user()), damaged=True, unknown_types={"dance": 2}),  # type: ignore[arg-type]  # the same
            (
                "Part of this file could not be read; what could be read is below. "
                "2 records of a type unknown here: dance."
            ),
        ),
    ],
)
def test_what_could_not_be_read_is_said(recording: SessionRecording | None, note: str) -> None:
    assert transcript_view(session_facts(), recording, {}).note == note


def test_what_fits_on_a_line_stands_on_one_and_everything_else_a_line_an_item() -> None:
    value = {"book": {"title": "Emma", "branches": ["HAR", "RIV"]}, "others": ["w" * 50, "v" * 50]}
    found = called(call(), result(value=value))
    assert found.result is not None
    assert found.result.text == (
        '{\n  "book": {"title": "Emma", "branches": ["HAR", "RIV"]},\n'
        f'  "others": [\n    "{"w" * 50}",\n    "{"v" * 50}"\n  ]\n}}'
    )


def test_a_long_text_in_a_value_is_broken_at_its_line_ends() -> None:
    code = "def answer() -> int:\n    return 42\n" + "# and a comment that makes it long" * 2
    found = called(call(args={"code": code}), result())
    assert found.folded_arguments
    assert found.arguments.text.splitlines()[1:3] == [
        '  "code": "def answer() -> int:\\n',
        "        return 42\\n",
    ]


def test_a_file_in_base64_is_named_by_its_size() -> None:
    data = "QWxhZGRpbjpvcGVuIHNlc2FtZTE" * 40
    found = called(call(args={"file": f"data:image/png;base64,{data}", "raw": data}), result())
    assert '"[image/png, 810 bytes, not shown]"' in found.arguments.text
    assert '"[1,080 characters that look like base64, not shown]"' in found.arguments.text
    assert "w" * 500 in called(call(args={"word": "w" * 500}), result()).arguments.text


@pytest.mark.parametrize(
    ("args", "line", "folded"),
    [
        ({}, "", False),
        ({"title": "Emma", "copies": 2}, 'title: "Emma", copies: 2', False),
        ({"a b": None}, '"a b": null', False),
        (
            {"title": "Emma", "note": "find . | head " * 9, "x": 1},
            'title: "Emma", note: "' + "find . | head " * 4 + "find . | h…",
            True,
        ),
        ({"title": "w" * 70, "note": "w" * 200}, f'title: "{"w" * 70}", …', True),
        ({"note": "x " * 40 + "ghp_" + "a1" * 20}, 'note: "' + "x " * 40 + "[…", True),
        ({"list": list(range(90))}, "…", True),
        ({"password": "hunter2"}, 'password: "[redacted]"', False),
    ],
)
def test_arguments_stand_on_the_line_as_far_as_they_fit(
    args: Json, line: str, folded: bool
) -> None:
    found = called(call(args=args), result())
    assert (found.short, found.folded_arguments) == (line, folded)


def test_what_is_left_out_names_the_file_and_the_record_that_have_it() -> None:
    raw = [call(args={"x": "w" * 9_000}), result(value="v" * 9_000)]
    found = called(*raw, facts=session_facts(file="sessions/s1.jsonl"))
    assert found.arguments_note == ("5,013 characters left out; whole in sessions/s1.jsonl, seq 0")
    assert found.result_note == "5,000 characters left out; whole in sessions/s1.jsonl, seq 1"


def test_a_session_with_a_page_of_its_own_is_shown_further() -> None:
    recording = SessionRecording("s1", records(user("w" * 30_000)))  # type: ignore[arg-type]  # an id of a test
    view = transcript_view(session_facts(), recording, {}, bounds=Bounds(message=40_000))
    assert [one.note for one in view.entries if isinstance(one, SpeechEntry)] == [""]


def test_turns_say_when_they_began() -> None:
    found = entries(user(turn=0, at=1_000), user(turn=1, at=76_000), user(turn=2, at=3_900_000))
    assert [one.time for one in found if isinstance(one, SpeechEntry)] == ["", "1:15", "1:04:59"]
    assert [one.time for one in entries(user(), user(turn=1)) if isinstance(one, SpeechEntry)] == [
        "",
        "",
    ]


def a_long_session() -> tuple[list[Json], SessionFacts]:
    raw: list[Json] = []
    facts = []
    for turn in range(8):
        raw.append(user(f"Turn {turn}, please.", turn=turn))
        for number in range(9):
            name = f"c{turn}.{number}"
            raw += [call(name, "find_book" if number % 3 else "list_books", turn=turn)]
            raw += [result(name)]
            failed = number == 7 and turn in {2, 5}
            facts.append(CallFact(name, "find_book", turn, error="isError" if failed else None))
        raw.append(assistant(turn=turn))
    return raw, session_facts(tool_calls=tuple(facts))


def test_a_long_session_begins_with_its_outline() -> None:
    raw, facts = a_long_session()
    recording = SessionRecording("s1", records(*raw))  # type: ignore[arg-type]  # an id of a test
    view = transcript_view(facts, recording, {"m:3": CITE})
    assert isinstance(view.outline, OutlineView)
    assert view.outline.line == "8 turns, 72 calls"
    assert [(one.label, one.href) for one in view.outline.errors] == [
        ("c26", "#session.s1.call.c2~2e~7"),
        ("c53", "#session.s1.call.c5~2e~7"),
    ]
    assert [one.label for one in view.outline.cited] == ["m3"]
    turn = view.outline.turns[2]
    assert (turn.href, turn.label) == ("#session.s1.turn2", "Turn 3")
    assert (turn.words, turn.counts) == ("Turn 2, please.", "9 calls, 1 error")


def test_an_outline_is_bounded_and_counts_what_it_leaves_out() -> None:
    raw: list[Json] = []
    facts = []
    for turn in range(320):
        raw += [user(turn=turn), call(f"c{turn}", turn=turn), result(f"c{turn}")]
        facts.append(CallFact(f"c{turn}", "find_book", turn, error="isError"))
    recording = SessionRecording("s1", records(*raw))  # type: ignore[arg-type]  # an id of a test
    made = transcript_view(session_facts(tool_calls=tuple(facts)), recording, {}).outline
    assert made is not None
    assert (len(made.errors), made.more_errors) == (60, "and 260 more")
    assert (len(made.turns), made.more_turns) == (300, "and 20 more")
    assert made.more_cited == ""


def test_an_error_of_a_long_session_leads_to_the_ones_beside_it() -> None:
    raw, facts = a_long_session()
    recording = SessionRecording("s1", records(*raw))  # type: ignore[arg-type]  # an id of a test
    near = transcript_view(facts, recording, {}).near_errors
    first, last = near["session.s1.call.c2~2e~7"], near["session.s1.call.c5~2e~7"]
    assert first.before is None
    assert first.after is not None
    assert first.after.label == "c53"
    assert last.before is not None
    assert last.before.label == "c26"


def test_runs_of_calls_stand_behind_one_line_but_never_what_matters() -> None:
    raw, facts = a_long_session()
    recording = SessionRecording("s1", records(*raw))  # type: ignore[arg-type]  # an id of a test
    view = transcript_view(facts, recording, {"t:c0.8": CITE})
    runs = [one for one in view.blocks if isinstance(one, CallRun)]
    assert [len(one.calls) for one in runs] == [8, 9, 7, 9, 9, 7, 9, 9]
    assert runs[1].line == "9 calls: 9 find_book"
    alone = [one for one in view.blocks if isinstance(one, CallEntry)]
    assert [one.state for one in alone if one.state == "error"] == ["error", "error"]
    assert [one.label for one in alone if one.cites] == ["c9"]
    flat = [
        each for one in view.blocks for each in (one.calls if isinstance(one, CallRun) else (one,))
    ]
    assert tuple(flat) == view.entries


def test_a_run_of_calls_names_the_tools_most_used_and_counts_the_others() -> None:
    names = ["a"] * 4 + ["b"] * 3 + list("cdefg")
    raw = [one for at, name in enumerate(names) for one in (call(f"c{at}", name), result(f"c{at}"))]
    recording = SessionRecording("s1", records(*raw))  # type: ignore[arg-type]  # an id of a test
    run = transcript_view(session_facts(), recording, {}).blocks[0]
    assert isinstance(run, CallRun)
    assert run.line == "12 calls: 4 a, 3 b, 1 c, 1 d and 3 of 3 other tools"


def test_a_short_session_has_no_outline() -> None:
    recording = SessionRecording("s1", records(user(), assistant()))  # type: ignore[arg-type]  # an id of a test
    view = transcript_view(session_facts(), recording, {})
    assert view.outline is None
    assert view.near_errors == {}
