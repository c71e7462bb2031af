"""The parts of the cache pane: a turn's strip, a break's card."""
