"""Painted text: laid out as rows of cells, painted only where it is seen."""
