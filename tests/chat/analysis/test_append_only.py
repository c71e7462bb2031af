"""Whether what a template wrote for a turn stays when the conversation goes on."""

from __future__ import annotations

from cutaway.chat.analysis.append_only import first_rewrite
from cutaway.chat.message import Message, Request


def growing(request: Request) -> str:
    return "".join(f"[{message.role}]{message.text}" for message in request.messages)


def forgetting(request: Request) -> str:
    """Drops the text of all replies but the last message's."""
    last = len(request.messages) - 1
    return "".join(
        f"[{m.role}]{m.text if m.role != 'assistant' or at == last else ''}" for at, m in enumerate(request.messages)
    )


ASKED = Request(messages=(Message("user", "Hi"),))


def test_a_text_that_only_grows_has_no_rewrite() -> None:
    assert first_rewrite(growing, ASKED) is None
    assert first_rewrite(growing, Request(messages=(*ASKED.messages, Message("assistant", "Yes")))) is None


def test_a_template_that_drops_from_history_is_found_at_its_character() -> None:
    assert first_rewrite(forgetting, ASKED) == len("[user]Hi[assistant]")
