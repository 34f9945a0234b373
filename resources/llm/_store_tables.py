"""Tables of the reply store and its statements, for SQLite and PostgreSQL.

Statements are written with `?`. `EACH ?` stands for the rows (of one column `k`) of a list, `AMONG ?` for membership in
it; a backend puts its own SQL there.
"""

from resources.llm._store_rows import JOB_COLUMNS, JOB_TABLE, PAYMENT_COLUMNS, REPLY_COLUMNS, SUMS

VERSION = 1

TABLES = (
    "CREATE TABLE store_version (version BIGINT NOT NULL)",
    """CREATE TABLE replies (
        key {text} PRIMARY KEY NOT NULL, provider {text} NOT NULL, model {text} NOT NULL, tokens_in BIGINT NOT NULL,
        tokens_cached BIGINT NOT NULL, tokens_out BIGINT NOT NULL, tokens_reasoning BIGINT NOT NULL,
        cost_pico_usd BIGINT, created_at BIGINT NOT NULL, latency_s DOUBLE PRECISION, prompt_id {text},
        prompt_sha256 {text}, batch_id {text}, packed BIGINT NOT NULL, body {bytes} NOT NULL,
        canonical {bytes} NOT NULL)""",
    """CREATE TABLE payments (
        payment_id {text} PRIMARY KEY NOT NULL, key {text} NOT NULL, run {text} NOT NULL, role {text} NOT NULL,
        stage {text}, tokens_in BIGINT NOT NULL, tokens_cached BIGINT NOT NULL, tokens_out BIGINT NOT NULL,
        tokens_reasoning BIGINT NOT NULL, cost_pico_usd BIGINT)""",
    "CREATE INDEX payments_by_run ON payments (run)",
    "CREATE TABLE claims (key {text} PRIMARY KEY NOT NULL, owner {text} NOT NULL)",
    "CREATE TABLE owners (owner {text} PRIMARY KEY NOT NULL, heartbeat BIGINT NOT NULL)",
    f"CREATE TABLE jobs ({JOB_TABLE}, PRIMARY KEY (job_id))",
    """CREATE TABLE job_calls (
        job_id {text} NOT NULL, key {text} NOT NULL, packed_call {bytes} NOT NULL, error {text},
        PRIMARY KEY (job_id, key))""",
    "CREATE INDEX job_calls_by_key ON job_calls (key)",
)


def _marks(columns: str) -> str:
    return ", ".join("?" for _ in columns.split(","))


# S608: these are put together from the constants above, never from a value
PUT = (
    f"INSERT INTO replies ({REPLY_COLUMNS}, canonical) VALUES ({_marks(REPLY_COLUMNS)}, ?) "  # noqa: S608
    "ON CONFLICT (key) DO NOTHING"
)
PAY = (
    f"INSERT INTO payments ({PAYMENT_COLUMNS}) VALUES ({_marks(PAYMENT_COLUMNS)}) "  # noqa: S608
    "ON CONFLICT (payment_id) DO NOTHING"
)
GET = f"SELECT {REPLY_COLUMNS} FROM replies WHERE key AMONG ?"  # noqa: S608
HELD = "SELECT c.key, c.owner, o.heartbeat FROM claims c LEFT JOIN owners o ON o.owner = c.owner WHERE c.key AMONG ?"
TAKE = (
    "INSERT INTO claims (key, owner) SELECT e.k, ? FROM (EACH ?) AS e WHERE 1 = 1 ORDER BY e.k "
    "ON CONFLICT (key) DO UPDATE SET owner = excluded.owner WHERE claims.owner AMONG ? RETURNING key"
)
RELEASE = "DELETE FROM claims WHERE owner = ? AND key AMONG ?"
LIVE = "INSERT INTO owners VALUES (?, ?) ON CONFLICT (owner) DO UPDATE SET heartbeat = excluded.heartbeat"
FORGET = "DELETE FROM owners WHERE heartbeat < ? AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.owner = owners.owner)"
_JOB_COLUMNS = ", ".join(JOB_COLUMNS)
SAVE_JOB = (
    f"INSERT INTO jobs ({_JOB_COLUMNS}) VALUES ({_marks(_JOB_COLUMNS)}) ON CONFLICT (job_id) DO UPDATE SET "  # noqa: S608
    + ", ".join(f"{name} = excluded.{name}" for name in JOB_COLUMNS[1:])
)
SAVE_CALL = "INSERT INTO job_calls (job_id, key, packed_call) VALUES (?, ?, ?) ON CONFLICT (job_id, key) DO NOTHING"
_OPEN = "state NOT IN ('collected', 'failed')"
_NO_REPLY = "NOT EXISTS (SELECT 1 FROM replies r WHERE r.key = c.key)"
_CALLS = f"FROM job_calls c JOIN jobs j ON j.job_id = c.job_id WHERE c.key AMONG ? AND {_NO_REPLY}"
_ORDER = "ORDER BY j.created_at {0}, c.job_id {0}"
JOBS_OF = f"SELECT c.key, c.job_id {_CALLS} AND c.error IS NULL AND j.{_OPEN} {_ORDER.format('DESC')}"
REFUSED = f"SELECT c.key, c.error {_CALLS} AND c.error IS NOT NULL {_ORDER.format('ASC')}"
JOB_CALLS = f"SELECT key, packed_call FROM job_calls c WHERE job_id = ? AND {_NO_REPLY} ORDER BY key"  # noqa: S608
JOBS = f"SELECT {_JOB_COLUMNS} FROM jobs ORDER BY created_at, job_id"  # noqa: S608
OPEN_JOBS = f"SELECT {_JOB_COLUMNS} FROM jobs WHERE {_OPEN} ORDER BY created_at, job_id"  # noqa: S608
CLAIMED = (
    "SELECT c.owner, o.heartbeat, COUNT(*) FROM claims c LEFT JOIN owners o ON o.owner = c.owner "
    "GROUP BY c.owner, o.heartbeat"
)
PAYMENTS = f"SELECT COALESCE(stage, ''), role, {SUMS} FROM payments WHERE run = ? GROUP BY 1, 2"  # noqa: S608
BY_MODEL = f"SELECT model, {SUMS} FROM replies GROUP BY model"  # noqa: S608
