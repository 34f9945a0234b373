"""The model gateway: every request to a model goes through it, is paid once, and loses nothing when a process dies.

calls      a request with its role resolved: the canonical form and the key of its reply
config     models.toml: providers, models, roles, budgets
prices     what a token costs, from a dated table
providers/ one file a provider
store      replies, claims and payments, in SQLite or PostgreSQL
flow       how fast and how often: slots, rates, breaker, the one retry layer
gateway    requests in, replies and typed failures out
batch      the same through the providers' batch APIs
"""
