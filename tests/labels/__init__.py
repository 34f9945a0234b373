"""Labels of problems."""
