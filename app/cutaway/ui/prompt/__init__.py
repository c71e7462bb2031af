"""The parts of the prompt pane: which turn it is compared with, and how it is taken away."""
