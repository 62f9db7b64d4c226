//! Claims and completions on Redis, each one script that changes the job and appends its event.

use super::{Outcome, RESULT, Raw, RawWorker};
use redis::aio::MultiplexedConnection;
use redis::{Client, Script, cmd};

/// `KEYS`: the line and the leases; `ARGV`: the token, the worker, whether there are events.
const CLAIM: &str = r#"
    local id = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
    if not id then return false end
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local job, expires = 'raw:job:' .. id, string.format('%d', now + 60000)
    redis.call('ZREM', KEYS[1], id)
    local attempt = redis.call('HINCRBY', job, 'attempts', 1)
    redis.call('HSET', job, 'state', 1, 'token', ARGV[1], 'worker', ARGV[2], 'expires_at', expires)
    redis.call('ZADD', KEYS[2], expires, id)
    if ARGV[3] == '1' then
        redis.call('RPUSH', 'raw:events:' .. id, '{"Leased":{"worker":"' .. ARGV[2]
            .. '","executor":"aider","attempt":' .. attempt .. ',"expires_at":' .. expires .. '}}')
    end
    return { id, redis.call('HGET', job, 'spec') }"#;

/// `KEYS`: the leases; `ARGV`: the job, the token, the result, whether there are events.
const COMPLETE: &str = r#"
    local job = 'raw:job:' .. ARGV[1]
    local held = redis.call('HMGET', job, 'state', 'token', 'expires_at')
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    if held[1] ~= '1' or held[2] ~= ARGV[2] or tonumber(held[3]) <= now then return 0 end
    redis.call('HSET', job, 'state', 2, 'result', ARGV[3], 'completed_at', string.format('%d', now))
    redis.call('HDEL', job, 'token', 'worker', 'expires_at')
    redis.call('ZREM', KEYS[1], ARGV[1])
    if ARGV[4] == '1' then
        redis.call('RPUSH', 'raw:events:' .. ARGV[1], '{"Succeeded":{"result":' .. ARGV[3] .. '}}')
    end
    return 1"#;

/// A hash for each job and a sorted set for the line: what is written by hand for a queue in Redis.
#[derive(Debug)]
pub struct RawRedis {
    client: Client,
}

/// A worker with a connection of its own.
pub struct RedisWorker {
    connection: MultiplexedConnection,
    claim: Script,
    complete: Script,
    claims: u64,
    name: String,
    events: bool,
}

impl RawRedis {
    /// On this server.
    ///
    /// # Errors
    /// The URL is none.
    pub fn new(url: &str) -> Outcome<Self> {
        Ok(Self { client: Client::open(url)? })
    }
}

impl Raw for RawRedis {
    type Worker = RedisWorker;

    async fn begin(
        &mut self,
        jobs: u64,
        spec: &str,
        workers: u64,
        events: bool,
    ) -> Outcome<Vec<RedisWorker>> {
        let mut connection = self.client.get_multiplexed_async_connection().await?;
        let () = cmd("FLUSHDB").query_async(&mut connection).await?;
        for first in (0..jobs).step_by(1_000) {
            let mut fill = redis::pipe();
            for id in first..jobs.min(first + 1_000) {
                fill.hset_multiple(format!("raw:job:{id}"), &[("state", "0"), ("spec", spec)]).ignore();
                fill.zadd("raw:line", id, id).ignore();
            }
            let () = fill.query_async(&mut connection).await?;
        }
        let mut all = Vec::new();
        for number in 0..workers {
            let connection = self.client.get_multiplexed_async_connection().await?;
            let (claim, complete) = (Script::new(CLAIM), Script::new(COMPLETE));
            all.push(RedisWorker {
                connection,
                claim,
                complete,
                claims: 0,
                name: format!("worker-{number}"),
                events,
            });
        }
        Ok(all)
    }
}

impl RawWorker for RedisWorker {
    async fn turn(&mut self) -> Outcome<()> {
        self.claims += 1;
        let token = format!("lease-{}-{}", self.name, self.claims);
        let events = i32::from(self.events);
        let mut claim = self.claim.key("raw:line");
        claim.key("raw:leases").arg(&token).arg(&self.name).arg(events);
        let claimed: Option<(String, String)> = claim.invoke_async(&mut self.connection).await?;
        let (id, _) = claimed.ok_or("the queue ran dry")?;
        let mut complete = self.complete.key("raw:leases");
        complete.arg(&id).arg(&token).arg(RESULT).arg(events);
        let done: i32 = complete.invoke_async(&mut self.connection).await?;
        if done == 1 { Ok(()) } else { Err("a job that is held is not completed".into()) }
    }
}
