"""One module a stage: reads its inputs, calls one domain function, hands back its outcome."""
