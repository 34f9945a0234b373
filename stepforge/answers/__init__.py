"""Final answers: found in a reply, normalised, and compared with the reference."""
