"""Where the results of calls go, and that their characters keep their field."""

from __future__ import annotations

from datetime import datetime

from cutaway.chat.read import read_request
from cutaway.chat.session import prepare
from support.prepared import shipped

TIME = datetime(2026, 11, 29)


def test_a_result_inside_the_message_of_its_call_is_still_its_own_field() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    parts = [{"type": "text", "text": "deep"}]
    for content, written in [
        (parts, "deep"),
        (parts, "type"),
        ("14", "14"),
        ('{"temp": -5.5}', "-5.5"),
        ("grey", "grey"),
        ('["x"]', "x"),
    ]:
        messages = [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "a", "content": content},
        ]
        found = prepare(read_request({"messages": messages}), shipped("google-gemma-4-31B-it-interleaved"), now=TIME)
        (span,) = [span for span in found.prompt.spans if span.text == written]
        assert (span.origin.source or "").startswith("messages[2].content")
        assert [one.code for one in found.warnings] == ["results-nested"]
