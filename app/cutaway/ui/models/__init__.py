"""Item models: values as rows. They know no widgets."""
