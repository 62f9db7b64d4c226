use crate::calls;
use crate::queue::{Queue, count_anew, counted};
use holdover_servers::AppendFsync;
use redis::Script;
use redis::aio::MultiplexedConnection;
use std::collections::BTreeMap;

const MANY: u32 = 1_000_000;
const AT_ONCE: usize = 10_000;

/// Goal: a claim is the same commands of the server, none of which looks at more than one member of a line, whether a
/// thousand jobs are ready or a million, a million retries wait, or a million have ended; and with three more
/// executors that have none it is two looks more for each.
#[tokio::test]
async fn a_claim_is_the_same_at_any_size() {
    let queue = Queue::start(AppendFsync::EverySecond).await;
    let mut connection = queue.connect().await;
    let mut claims = 1_u64;
    let mut cost = async |executors: &[&str]| -> BTreeMap<String, u64> {
        count_anew(&mut connection).await;
        calls::granted(queue.ask(calls::claim(claims, executors)).await);
        claims += 1;
        let mut counted = counted(&mut connection).await;
        counted.retain(|name, _| name != "config|resetstat" && name != "info");
        counted
    };
    queue.create(0..1_000).await.expect("the server serves");
    cost(&["aider"]).await;
    let small = cost(&["aider"]).await;
    let four = cost(&["goosed", "none", "aider", "nobody"]).await;
    assert_eq!(four["zrange"], small["zrange"] + 6);
    for line in ["{holdover}:queued:aider", "{holdover}:retry:aider", "{holdover}:numbers"] {
        fill(&mut queue.connect().await, line).await;
        assert_eq!(cost(&["aider"]).await, small, "with {line} full");
        assert_eq!(cost(&["goosed", "none", "aider", "nobody"]).await, four, "with {line} full");
    }
}

/// A line with a million jobs that come after all others.
async fn fill(connection: &mut MultiplexedConnection, line: &str) {
    let script = Script::new(
        "for n = ARGV[1], ARGV[2] do
            redis.call('ZADD', KEYS[1], 0, string.format('f%023x ffffffffffffffff j', n))
        end",
    );
    for first in (0..MANY).step_by(AT_ONCE) {
        let some = script.key(line).arg(first).arg(first + AT_ONCE as u32 - 1).invoke_async(connection).await;
        let () = some.expect("the server serves");
    }
}
