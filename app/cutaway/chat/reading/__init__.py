"""Reading a model's output as it comes: a format and growing text in; spans, events and repairs out.

Each reading function is a generator that consumes text from a `Source`, says what it was to a `Record`
and yields where it needs more. Consumed text is never looked at again, so the cost of a character does
not depend on how much came before it.
"""
