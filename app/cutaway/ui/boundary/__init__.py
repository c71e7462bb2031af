"""The parts of the boundary lab: the payloads and the conversation they make, and what became of them."""
