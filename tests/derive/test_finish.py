import pytest

from reporter.derive.finish import normalized_finish


@pytest.mark.parametrize(
    ("recorded", "expected"),
    [
        ("stop", "stop"),
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("length", "length"),
        ("max_tokens", "length"),
        ("model_length", "length"),
        ("content-filter", "content-filter"),
        ("content_filter", "content-filter"),
        ("tool-calls", "tool-calls"),
        ("tool_calls", "tool-calls"),
        ("tool_use", "tool-calls"),
        ("function_call", "tool-calls"),
        ("error", "error"),
        ("other", "other"),
        ("unknown", "unknown"),
        ("  Max_Tokens\n", "length"),
        ("PAUSE_TURN", "pause_turn"),
        ("", None),
        ("   ", None),
        (None, None),
        (3, None),
        (True, None),
        (["length"], None),
    ],
)
def test_finish_reasons_in_one_spelling(recorded: object, expected: str | None) -> None:
    assert normalized_finish(recorded) == expected
