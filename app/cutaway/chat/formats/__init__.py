"""How models write: each format as data, and the choice of the one that a template teaches."""
