"""The parts of the template pane, which other panes use as well."""
