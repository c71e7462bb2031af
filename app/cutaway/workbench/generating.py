"""From a prompt to the engine's command: sampling, constraint, stops, the reader. Runs on the prompt thread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cutaway.chat.session import Prepared
from cutaway.engine.backend import Vocabulary
from cutaway.engine.command import Constraint, Generate
from cutaway.engine.event import Sampled, Token
from cutaway.workbench.checkpoints import checkpoints
from cutaway.workbench.listen import listen
from cutaway.workbench.plain_reader import PlainReader
from cutaway.workbench.prompting import Made
from cutaway.workbench.settings import ChatSettings
from cutaway.workbench.turn import Turn


def command_for(
    job: int,
    turn: Turn,
    made: Made,
    ids: Sequence[int],
    settings: ChatSettings,
    vocabulary: Vocabulary,
) -> Generate:
    prepared = made.prepared
    return Generate(
        job=job,
        conversation=turn.conversation or turn.id,
        tokens=ids,
        reader=PlainReader(settings.stops) if made.plain else listen(prepared, vocabulary, settings.stops),
        sampling=settings.sampling,
        constraint=_constraint(prepared),
        max_tokens=settings.max_tokens,
        stop_tokens=frozenset(_single_tokens(prepared.format.ends, vocabulary)),
        reasoning_budget=settings.reasoning_budget,
        reasoning_end=_reasoning_end(prepared, vocabulary),
        checkpoints=(*made.marks, *checkpoints(turn)),
        shortest_chunk=settings.chunk_reuse,
    )


def seeded(command: Generate, tokens: Sequence[Token]) -> tuple[Generate, list[Sampled]]:
    """The command with tokens of another turn after its prompt, told to its reader already."""
    told = []
    answer = 0
    for index, token in enumerate(tokens):
        events: tuple[object, ...] = ()
        if command.reader is not None:
            reasoned = command.reader.reasoning_open
            events = command.reader.feed(token.piece, token.id).events
            answer = index + 1 if reasoned or command.reader.reasoning_open else answer
        told.append(Sampled(command.job, replace(token, index=index, forced=True), events))
    ids = [*command.tokens, *(token.id for token in tokens)]
    constraint = command.constraint
    if constraint is not None:
        # A trigger in the reasoning wakes nothing; a grammar that holds at once may cover the reasoning.
        heard = tokens[answer:] if constraint.lazy else tokens
        seen = b"".join(token.piece for token in heard).decode("utf-8", "replace")
        constraint = replace(constraint, generation_prompt=constraint.generation_prompt + seen)
    return replace(command, tokens=ids, constraint=constraint), told


def _constraint(prepared: Prepared) -> Constraint | None:
    if not prepared.grammar:
        return None
    return Constraint(
        grammar=prepared.grammar,
        lazy=prepared.grammar_lazy,
        triggers=tuple((trigger.type, trigger.value) for trigger in prepared.triggers),
        generation_prompt=prepared.continued_text if prepared.continued == "content" else "",
        # A person's own grammar means what it says.
        preserved_tokens=() if prepared.request.grammar else prepared.preserved_tokens,
    )


def _single_tokens(texts: Iterable[str], vocabulary: Vocabulary) -> Iterable[int]:
    """The texts that are one special token: the worker ends the reply there."""
    for text in texts:
        ids = vocabulary.encode(text, special=True) if text else []
        if len(ids) == 1 and (vocabulary.is_control(ids[0]) or vocabulary.is_user_defined(ids[0])):
            yield ids[0]


def _reasoning_end(prepared: Prepared, vocabulary: Vocabulary) -> list[int]:
    """What ends the reasoning when the person asks for the answer, with the line break that follows it."""
    ends = prepared.format.thinking_ends
    if not ends or not ends[0]:
        return []
    reasoning = prepared.format.reasoning
    written = reasoning.close.written if reasoning is not None and reasoning.close.text == ends[0] else ends[0]
    return vocabulary.encode(written, special=True)
