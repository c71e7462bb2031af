"""Reads a model's output format off its template: one template, one change, two renders, one split.

`derive` gives the format with the evidence for each part of it; `verify` renders known messages, reads them back
and says what came of each. A format is only trusted as far as that check goes.
"""
