-- Texts that come from outside are kept as JSON, which has a way to write every character. Names without a bound on
-- their length are looked up by a digest. Times are milliseconds.

CREATE SEQUENCE numbers MINVALUE 0;

-- What a create fixes. The other tables know a job by its creation number.
CREATE TABLE specs (
    number       bigint PRIMARY KEY,
    job_id       text COLLATE "C" NOT NULL UNIQUE,
    key          bytea NOT NULL UNIQUE,
    tenant       bytea,
    consumer     bytea,
    created_at   bigint NOT NULL,
    attempts_max bigint NOT NULL,
    timeout      bigint NOT NULL,
    spec         text NOT NULL
);
CREATE INDEX specs_of_tenant ON specs (tenant, created_at) WHERE tenant IS NOT NULL;
CREATE INDEX specs_of_consumer ON specs (consumer, created_at) WHERE consumer IS NOT NULL;

-- What changes. Every column of an index or of its condition makes an update dearer, so that there are few: no
-- index holds a job that has ended, but that of the numbers.
CREATE TABLE jobs (
    number          bigint PRIMARY KEY,
    revision        bigint NOT NULL,
    events          bigint NOT NULL,
    created_at      bigint NOT NULL,
    ready_at        bigint NOT NULL,
    next_attempt_at bigint,
    updated_at      bigint NOT NULL,
    started_at      bigint,
    completed_at    bigint,
    acquired_at     bigint,
    heartbeat_at    bigint,
    expires_at      bigint,
    deadline        bigint,
    attempts        bigint NOT NULL,
    charged         bigint NOT NULL,
    unstarted       bigint NOT NULL,
    status          smallint NOT NULL,
    executor        text COLLATE "C" NOT NULL,
    token           text COLLATE "C",
    worker          text COLLATE "C",
    incarnation     text COLLATE "C",
    reason          text,
    error           text,
    result          text,
    cancel          text,
    past            text,
    tenant          bytea,
    consumer        bytea,
    collated        bytea NOT NULL
) WITH (
    -- A queue turns its rows over many times a day, and what is dead lies at its head.
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_threshold = 500,
    autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_analyze_scale_factor = 0.05,
    autovacuum_vacuum_cost_delay = 0
);
CREATE INDEX jobs_leased ON jobs (expires_at, number) WHERE expires_at IS NOT NULL;
CREATE INDEX jobs_of_tenant ON jobs (tenant) WHERE tenant IS NOT NULL AND status IN (1, 2, 3, 4);
CREATE INDEX jobs_of_consumer ON jobs (consumer) WHERE consumer IS NOT NULL AND status IN (1, 2, 3, 4);
CREATE INDEX jobs_held ON jobs (incarnation) WHERE incarnation IS NOT NULL;

-- The logs.
CREATE TABLE events (
    number   bigint NOT NULL,
    sequence bigint NOT NULL,
    at       bigint NOT NULL,
    body     text NOT NULL,
    PRIMARY KEY (number, sequence)
);

-- What the last numbered claim of each worker process was given; -1 is the number of none. The number is part of the
-- key so that the last is found at once, however many dead entries lie before it.
CREATE TABLE claims (
    process  text COLLATE "C" NOT NULL,
    number   bigint NOT NULL,
    jobs     bigint[] NOT NULL,
    attempts bigint[] NOT NULL,
    used_at  bigint NOT NULL,
    PRIMARY KEY (process, number)
) WITH (
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_threshold = 500,
    autovacuum_vacuum_cost_delay = 0
);

CREATE TABLE workers (
    worker       text COLLATE "C" PRIMARY KEY,
    place        bigint GENERATED ALWAYS AS IDENTITY,
    announcement text NOT NULL,
    seen_at      bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE switch (open boolean NOT NULL);
INSERT INTO switch VALUES (true);

-- Ends a statement that cannot do all of its work, so that it has done none of it.
CREATE FUNCTION give_up() RETURNS bigint LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the short way does not apply' USING ERRCODE = 'HO001'; END $$;
