"""What each number means, one metric a file; pure functions of verdicts. A ratio over nothing is None."""
