"""From a solution to its steps, and what is made of them."""
