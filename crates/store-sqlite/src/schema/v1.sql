-- Times are milliseconds since 1970. What a command asks for by value has a column; the rest of a record is JSON.

CREATE TABLE jobs (
    number            INTEGER PRIMARY KEY,
    id                TEXT    NOT NULL UNIQUE,
    -- The id as bytes that compare as ids do among jobs created in the same millisecond.
    collated          BLOB    NOT NULL,
    key_scope         TEXT,
    key_text          TEXT    NOT NULL,
    created_at        INTEGER NOT NULL,
    executor          TEXT    NOT NULL,
    tenant            TEXT,
    user              TEXT,
    -- The place among the statuses: 0 blocked, 1 queued, 2 leased, 3 running, 4 retryable, 5 succeeded, 6 failed,
    -- 7 cancelled, 8 timed out.
    status            INTEGER NOT NULL,
    -- Whether it counts against admission limits. It follows from the status, and seldom changes when that does.
    active            INTEGER NOT NULL,
    reason            TEXT,
    attempts          INTEGER NOT NULL,
    charged           INTEGER NOT NULL,
    unstarted         INTEGER NOT NULL,
    lease_token       TEXT,
    lease_worker      TEXT,
    lease_process     INTEGER,
    lease_attempt     INTEGER,
    lease_acquired_at INTEGER,
    lease_heartbeat_at INTEGER,
    lease_expires_at  INTEGER,
    lease_deadline    INTEGER,
    ready_at          INTEGER NOT NULL,
    next_attempt_at   INTEGER,
    error             TEXT,
    result            TEXT,
    cancel            TEXT,
    updated_at        INTEGER NOT NULL,
    started_at        INTEGER,
    completed_at      INTEGER,
    past              TEXT,
    revision          INTEGER NOT NULL,
    -- How many events its log has.
    events            INTEGER NOT NULL
) STRICT;

-- A scope is text; the empty blob stands for no scope and is no text.
CREATE UNIQUE INDEX jobs_key ON jobs (key_text, ifnull(key_scope, x''));
CREATE INDEX jobs_lease ON jobs (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
CREATE INDEX jobs_process ON jobs (lease_process) WHERE lease_process IS NOT NULL;
CREATE INDEX jobs_tenant_active ON jobs (tenant) WHERE tenant IS NOT NULL AND active = 1;
CREATE INDEX jobs_tenant_recent ON jobs (tenant, created_at) WHERE tenant IS NOT NULL;
CREATE INDEX jobs_user_active ON jobs (user) WHERE user IS NOT NULL AND active = 1;
CREATE INDEX jobs_user_recent ON jobs (user, created_at) WHERE user IS NOT NULL;

-- What create fixed, beside the rows that change, so that those stay small.
CREATE TABLE specs (
    number INTEGER PRIMARY KEY,
    spec   TEXT NOT NULL
) STRICT;

CREATE TABLE events (
    number   INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    body     TEXT    NOT NULL,
    PRIMARY KEY (number, sequence)
) STRICT, WITHOUT ROWID;

-- How many jobs there are of each status, so that nobody has to count them. A transaction adds what it has moved once,
-- before it commits.
CREATE TABLE totals (
    status INTEGER PRIMARY KEY,
    jobs   INTEGER NOT NULL
) STRICT;
INSERT INTO totals VALUES (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0);

-- What is remembered of the last numbered claim of each worker process.
CREATE TABLE claims (
    process INTEGER PRIMARY KEY,
    number  INTEGER NOT NULL,
    granted TEXT    NOT NULL,
    used_at INTEGER NOT NULL,
    -- The minute of its last use, for the index: it seldom changes.
    used_in INTEGER NOT NULL
) STRICT;
CREATE INDEX claims_used ON claims (used_in);

-- In order of first announcement.
CREATE TABLE workers (
    place        INTEGER PRIMARY KEY,
    worker       TEXT    NOT NULL UNIQUE,
    announcement TEXT    NOT NULL,
    seen_at      INTEGER NOT NULL
) STRICT;

-- One row: whether jobs are handed out.
CREATE TABLE switch (
    open INTEGER NOT NULL
) STRICT;
INSERT INTO switch VALUES (1);
