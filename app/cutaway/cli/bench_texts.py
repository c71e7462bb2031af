"""Texts, replies and turns of any length, for measuring what is done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cutaway.workbench.turn import Turn

_SENTENCE = "the cache keeps what was read before and only the words that are new have to be fed again"
WORDS = tuple(_SENTENCE.split())


def prose(words: int, seed: int) -> str:
    return " ".join(WORDS[(seed * 7 + index * 5) % len(WORDS)] for index in range(words))


def markdown_text(tokens: float) -> str:
    """A reply with paragraphs, lists and code, about so many words long."""
    parts: list[str] = []
    count = 0
    while count < tokens:
        seed = len(parts)
        parts.append(prose(60, seed))
        parts.append("\n".join(f"- {prose(8, seed + line)}" for line in range(4)))
        parts.append("```python\ndef f(x):\n    return x + 1  # " + prose(6, seed) + "\n```")
        count += 60 + 4 * 10 + 20
    return "\n\n".join(parts)


def made_turn(tokens: int) -> Turn:
    """A finished turn with a prompt of so many tokens, as the layers below make it."""
    from cutaway.chat.message import Message, Request
    from cutaway.chat.prompt import Origin, Prompt, Span
    from cutaway.engine.scripted import ScriptedVocabulary
    from cutaway.engine.tokens import tokenise
    from cutaway.workbench.turn import Turn

    messages: list[Message] = []
    spans: list[Span] = []
    at = 0
    while at < tokens:
        role = ("user", "assistant")[len(messages) % 2]
        content = prose(400, len(messages)) + "\n"
        source = f"messages[{len(messages)}].content"
        spans += [
            Span(f"<|im_start|>{role}\n", Origin("template", line=6, column=4)),
            Span(content, Origin("input", source, 0, len(content))),
            Span("<|im_end|>\n", Origin("template", line=10, column=4)),
        ]
        messages.append(Message(role, content))
        at += 405
    start = sum(len(span.text) for span in spans)
    spans.append(Span("<|im_start|>assistant\n", Origin("template", line=14, column=4)))
    prompt = Prompt(tuple(spans), start)
    vocabulary = ScriptedVocabulary(("<|endoftext|>", "<|im_start|>", "<|im_end|>"), ())
    made = tokenise(prompt, vocabulary)
    turn = Turn(id=f"made-{tokens}", conversation="", message="", request=Request(messages=tuple(messages)))
    turn.prompt, turn.prompt_tokens, turn.state = prompt, made, "done"
    return turn
