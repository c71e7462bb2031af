"""A constraint is told what of the reply stands already: given words, a reply that goes on, another turn's tokens."""

from __future__ import annotations

from cutaway.engine.command import Constraint, Generate, Verdict
from cutaway.engine.event import Token
from cutaway.engine.scripted import Script, ScriptedBackend
from cutaway.workbench.bench import Workbench
from cutaway.workbench.generating import seeded


async def test_a_grammar_goes_on_from_given_words_and_from_a_reply_that_was_cut() -> None:
    backend = ScriptedBackend(Script(replies=("o", " never")))
    bench = Workbench(":memory:", lambda: backend)
    await bench.open()
    await bench.load_model("scripted.gguf")
    await bench.model_ready()
    conversation = (await bench.create_conversation()).id
    await bench.set("grammar", 'root ::= "no" " never"', conversation=conversation)
    seen = []
    await bench.send(conversation, "Say", "n")
    await bench.settled()
    seen.append(backend._constraint)
    reply = (await bench.messages(conversation))[-1]
    await bench.continue_(reply.id)
    await bench.settled()
    seen.append(backend._constraint)
    await bench.close()

    assert [constraint and constraint.generation_prompt for constraint in seen] == ["n", "no"]


class Thinks:
    """Reasons until `</think>`."""

    reasoning_open = True

    def feed(self, piece: bytes, token: int) -> Verdict:
        self.reasoning_open = self.reasoning_open and piece != b"</think>"
        return Verdict(reasoning_open=self.reasoning_open)

    def finish(self) -> Verdict:
        return Verdict()


def test_a_trigger_in_the_reasoning_of_another_turn_wakes_nothing() -> None:
    pieces = (b"<call>", b"?", b"</think>", b" <call>", b"a")
    tokens = [Token(at, at, piece, 0.5, 0, (), 0.0, 0.0) for at, piece in enumerate(pieces)]
    for lazy, heard in ((True, " <call>a"), (False, "<call>?</think> <call>a")):
        command = Generate(1, "one", [1], Thinks(), constraint=Constraint('root ::= "a"', lazy))
        constraint = seeded(command, tokens)[0].constraint
        assert constraint is not None
        assert constraint.generation_prompt == heard
