use crate::arguments::Arguments;
use crate::durability::Durability;
use crate::outcome;
use holdover_store::StoreError;
use redis::aio::MultiplexedConnection;
use redis::{
    AsyncConnectionConfig, Client, Cmd, FromRedisValue, RedisError, RedisResult, Script, Value, cmd,
};
use std::time::Duration;
use tokio::sync::Mutex;

/// A connection that is made anew after it was lost. Nothing is ever sent twice: a call whose answer was lost has an
/// unknown outcome.
#[derive(Debug)]
pub(crate) struct Link {
    client: Client,
    config: AsyncConnectionConfig,
    /// What all keys begin with. In braces, so that a cluster keeps them in one slot.
    root: String,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    connection: Option<MultiplexedConnection>,
    /// How many connections there were before: the loss of an earlier one is no loss of this one.
    generation: u64,
    server: Server,
}

/// What a server says of itself when a connection is made.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    pub(crate) version: String,
    pub(crate) durability: Durability,
}

impl Link {
    pub(crate) fn new(client: Client, prefix: &str, answer_within: Duration) -> Self {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(answer_within))
            .set_response_timeout(Some(answer_within));
        let server = Server { version: "?".into(), durability: Durability::Untold };
        let state = Mutex::new(State { connection: None, generation: 0, server });
        Self { client, config, root: format!("{{{prefix}}}:"), state }
    }

    pub(crate) fn key(&self, name: &str) -> String {
        format!("{}{name}", self.root)
    }

    /// What the server has said of itself last.
    pub(crate) async fn server(&self) -> Server {
        self.state.lock().await.server.clone()
    }

    /// Runs a script; it is loaded if the server does not have it (any more). The error says whether the script was
    /// certainly not run.
    pub(crate) async fn run(&self, script: &Script, arguments: &Arguments) -> Result<Value, StoreError> {
        let (mut connection, generation) =
            self.connection().await.map_err(|error| StoreError::Failed(error.to_string()))?;
        let mut invocation = script.key(&self.root);
        invocation.arg(arguments.as_slice());
        let result = invocation.invoke_async(&mut connection).await;
        self.look(result, generation).await.map_err(|error| outcome::of_sent(&error))
    }

    /// Carries out a command that is no script.
    pub(crate) async fn query<T: FromRedisValue>(&self, command: &Cmd) -> RedisResult<T> {
        let (mut connection, generation) = self.connection().await?;
        let result = command.query_async(&mut connection).await;
        self.look(result, generation).await
    }

    /// Gives a connection up that has failed, or has let somebody wait for too long.
    async fn look<T>(&self, result: RedisResult<T>, generation: u64) -> RedisResult<T> {
        if result.as_ref().is_err_and(RedisError::is_io_error) {
            let mut state = self.state.lock().await;
            if state.generation == generation {
                state.connection = None;
            }
        }
        result
    }

    async fn connection(&self) -> RedisResult<(MultiplexedConnection, u64)> {
        let mut state = self.state.lock().await;
        let connection = match &state.connection {
            Some(connection) => connection.clone(),
            None => {
                let config = &self.config;
                let mut made = self.client.get_multiplexed_async_connection_with_config(config).await?;
                state.server = Server::ask(&mut made).await?;
                state.connection = Some(made.clone());
                state.generation += 1;
                made
            }
        };
        Ok((connection, state.generation))
    }
}

impl Server {
    /// Servers that others run may refuse to tell their settings; that is no reason not to use them.
    async fn ask(connection: &mut MultiplexedConnection) -> RedisResult<Self> {
        let mut settings = Vec::new();
        for name in ["appendonly", "appendfsync"] {
            let told: RedisResult<Vec<String>> =
                cmd("CONFIG").arg("GET").arg(name).query_async(connection).await;
            settings.push(match told {
                Ok(pair) => pair.into_iter().nth(1),
                Err(error) if error.is_io_error() => return Err(error),
                Err(_) => None,
            });
        }
        let told: String = cmd("INFO").arg("server").query_async(connection).await?;
        let version = told.lines().find_map(|line| line.strip_prefix("redis_version:"));
        Ok(Self {
            version: version.unwrap_or("?").to_owned(),
            durability: Durability::of(settings[0].as_deref(), settings[1].as_deref()),
        })
    }
}
