"""Small widgets that the panes share. They are given numbers and words, and know nothing else."""
