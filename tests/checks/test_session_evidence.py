"""A recorded session as evidence: what each channel holds, and how far it was captured."""

from typing import Any

from builders import Json, assistant, call, result, user
from session_cases import context, recording

from reporter.checks.evaluate import evaluate
from reporter.checks.evidence import Evidence
from reporter.checks.session_evidence import evidence_of_session
from reporter.identifiers import CatalogId
from reporter.models.plan import Catalog
from reporter.models.records import Tool


def evidence(*records: Json, on: Json | None = None, **more: Any) -> Evidence:
    return evidence_of_session(context(target=on), recording(*records, **more))


def listing(*names: str, **more: Any) -> Json:
    tools = [{"name": name, "description": "What the desk does for you."} for name in names]
    return {"type": "catalog", "tools": tools, "complete": True, **more}


def test_calls_are_kept_apart_and_the_personas_are_none_of_them() -> None:
    found = evidence(
        user(), call("c1"), call("c2"), call("c3", caller="persona"), result("c1"), result("c2")
    )
    assert [one.call_id for one in found.calls] == ["c1", "c2"]
    assert found.capture("toolResults") == "complete"


def test_what_a_policy_stopped_is_nowhere() -> None:
    found = evidence(user(), call("c1"), result("c1", isError=True, policyBlocked=True))
    assert (list(found.calls), list(found.errors), list(found.results)) == ([], [], [])


def test_what_a_client_answered_is_a_call_and_no_error_of_a_server() -> None:
    found = evidence(user(), call("c1"), result("c1", isError=True, answeredBy="client"))
    assert len(found.calls) == 1
    assert (list(found.errors), list(found.results)) == ([], [])
    # Its result is on record all the same, so nothing of the channel is missing.
    assert found.capture("toolResults") == "complete"


def test_an_error_without_a_result_is_on_record() -> None:
    only_error = {"type": "tool_result", "toolCallId": "c1", "error": "No such book."}
    found = evidence(user(), call("c1"), only_error)
    assert [(one.kind, one.message) for one in found.errors] == [("content-error", "No such book.")]
    assert found.capture("toolResults") == "complete"
    coded = {**only_error, "mcpErrorCode": -32602}
    assert evidence(user(), call("c1"), coded).errors[0].kind == "protocol-error"


def test_channels_are_as_whole_as_the_records_show() -> None:
    assert (
        evidence(user(), call("c1"), call("c2"), result("c1")).capture("toolResults") == "partial"
    )
    assert evidence(user(), call("c1")).capture("toolResults") == "absent"
    assert evidence(user(), assistant()).capture("toolResults") == "complete"
    timed = evidence(user(), call("c1"), result("c1", durationMs=4))
    assert timed.capture("toolCallTimings") == "complete"
    assert evidence(user(), call("c1"), result("c1")).capture("toolCallTimings") == "absent"
    assert timed.capture("toolInventory") == "absent"


def test_a_recorders_own_word_stands() -> None:
    said = {"type": "capture", "toolResults": "partial"}
    assert evidence(said, user(), call("c1"), result("c1")).capture("toolResults") == "partial"


def test_a_damaged_file_leaves_every_channel_partial() -> None:
    found = evidence(listing("find_book"), user(), call("c1"), result("c1"), damaged=True)
    assert set(found.captured.values()) == {"partial"}


def test_the_last_reply_is_never_an_earlier_one() -> None:
    assert evidence(user(), assistant("Yes."), assistant(" \ufeff ")).final_message is None
    parts = [{"kind": "text", "text": "a"}, {"kind": "text", "text": "b"}]
    assert evidence(user(), {**assistant(), "content": parts}).final_message == "ab"


def test_arguments_that_are_none_repeat_nothing() -> None:
    calls = [{**call(name), "argsInvalid": True, "args": {}} for name in ("c1", "c2")]
    found = evidence(user(), *calls)
    assert evaluate({"type": "noRepeatedIdenticalCall"}, found).state == "pass"


def test_a_list_of_one_view_says_nothing_of_the_other() -> None:
    both = evidence(listing("find_book"), user())
    assert [one.name for one in both.inventory] == ["find_book"]
    assert (both.capture("toolInventory"), both.capture("toolDeclarations")) == (
        "complete",
        "complete",
    )
    seen = evidence(listing("find_book", view="model"), user())
    assert (seen.capture("toolInventory"), seen.capture("toolDeclarations")) == (
        "complete",
        "absent",
    )
    raw = evidence(listing("a", "b", view="raw"), listing("a", view="model"), user())
    assert [one.name for one in raw.inventory] == ["a"]
    assert [one.name for one in raw.declarations or ()] == ["a", "b"]


def test_a_name_twice_in_one_list_is_declared_twice() -> None:
    found = evidence(listing("a", "a", serverId="desk"), user())
    assert evaluate({"type": "toolNamesUnique"}, found).state == "fail"
    assert [one.name for one in found.inventory] == ["a"]
    again = evidence(listing("a", serverId="desk"), listing("a", "b", serverId="desk"), user())
    assert evaluate({"type": "toolNamesUnique"}, again).state == "pass"


def test_a_server_that_was_not_listed_leaves_the_catalogue_open() -> None:
    two = {"serverIds": ["desk", "till"]}
    one = evidence(listing("a", serverId="desk"), user(), on=two)
    assert one.capture("toolInventory") == "absent"
    every = (listing("a", serverId="desk"), listing("b", serverId="till"), user())
    assert evidence(*every, on=two).capture("toolInventory") == "complete"


def test_names_are_those_that_the_model_saw() -> None:
    prefixed = {"toolNamePrefix": "desk_"}
    found = evidence(listing("find", "desk_hold"), user(), on=prefixed)
    assert [one.name for one in found.inventory] == ["desk_find", "desk_hold"]
    assert [one.name for one in found.declarations or ()] == ["find", "desk_hold"]


def test_what_a_source_does_not_keep_is_nothing_that_a_server_left_out() -> None:
    bare = Tool(name="find_book", description="Finds books by title or author.")
    kept = Catalog(frozenset({"find_book"}), True, (bare,), frozenset({"name", "description"}))
    whole = Catalog(frozenset({"find_book"}), True, (bare,))
    record = {"type": "catalog", "catalogId": "c", "complete": True}
    kinds = ("toolAnnotationsPresent", "toolOutputSchemasPresent", "toolDescriptionsPresent")
    found = {
        name: [
            evaluate({"type": kind}, evidence_of_session(where, recording(record, user()))).state
            for kind in kinds
        ]
        for name, where in (
            ("kept", context(catalogs={CatalogId("c"): kept})),
            ("whole", context(catalogs={CatalogId("c"): whole})),
        )
    }
    assert found == {"kept": ["error", "error", "pass"], "whole": ["fail", "fail", "pass"]}
