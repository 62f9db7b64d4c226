use crate::failure::{self, Failure, certain};
use crate::migrate::migrate;
use crate::{OpenError, Options};
use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime};
use holdover_machine::StoreTime;
use holdover_store::{StoreClock, StoreError};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use tokio_postgres::types::ToSql;
use tokio_postgres::{NoTls, Row};

/// The parameters of a statement.
pub(crate) type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

/// The server's clock in a statement. It is read anew for every statement of a transaction.
pub(crate) const CLOCK: &str = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/// Connections to a schema, and the clock that it goes by.
pub(crate) struct Sessions {
    pool: Pool,
    clock: Option<Arc<dyn StoreClock>>,
    patience: Duration,
}

impl Sessions {
    /// Brings the schema up to date; connections are made when they are wanted.
    pub(crate) async fn open(options: &Options) -> Result<Self, OpenError> {
        let schema = options.schema_name()?;
        let config = options.config()?;
        let recycling_method = RecyclingMethod::Fast;
        let manager = Manager::from_config(config, NoTls, ManagerConfig { recycling_method });
        let pool = Pool::builder(manager)
            .max_size(options.connections)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(options.patience))
            .create_timeout(Some(options.patience))
            .build()
            .map_err(|error| OpenError::Unreachable(error.to_string()))?;
        let mut first = pool.get().await.map_err(|error| {
            OpenError::Unreachable(match &error {
                PoolError::Backend(error) => failure::describe(error),
                other => other.to_string(),
            })
        })?;
        migrate(&mut first, &schema, options.order).await?;
        Ok(Self { pool, clock: options.clock.clone(), patience: options.patience })
    }

    /// The reading of the clock that was given; none if the server's is to be read.
    pub(crate) fn reading(&self) -> Option<StoreTime> {
        self.clock.as_ref().map(|clock| clock.now())
    }

    /// Carries a read out.
    pub(crate) async fn read<T>(
        &self,
        work: impl AsyncFnOnce(&Object) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let session = self.session().await?;
        match timeout(self.patience, work(&session)).await {
            Ok(result) => result,
            Err(_) => Err(StoreError::Failed(self.abandon(session))),
        }
    }

    /// Carries one statement out that changes something.
    pub(crate) async fn change(&self, sql: &str, parameters: Parameters<'_>) -> Result<Vec<Row>, Failure> {
        let session = self.session().await.map_err(|error| Failure::Failed(error.to_string()))?;
        let work = async {
            let statement = session.prepare_cached(sql).await;
            let statement = statement.map_err(|error| Failure::Failed(failure::describe(&error)))?;
            session.query(&statement, parameters).await.map_err(|error| Failure::of(&error))
        };
        match timeout(self.patience, work).await {
            Ok(result) => result,
            Err(_) => Err(Failure::Unknown(self.abandon(session))),
        }
    }

    /// Carries out what ends in a commit; `work` says itself what an error of its means.
    pub(crate) async fn transact<T>(
        &self,
        work: impl AsyncFnOnce(&mut Object) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut session = self.session().await.map_err(|error| Failure::Failed(error.to_string()))?;
        match timeout(self.patience, work(&mut session)).await {
            Ok(result) => result,
            Err(_) => Err(Failure::Unknown(self.abandon(session))),
        }
    }

    /// Carries out several statements in one transaction.
    pub(crate) async fn script(&self, sql: &str) -> Result<(), StoreError> {
        let session = self.session().await?;
        session.batch_execute(sql).await.map_err(|error| Failure::of(&error).error())
    }

    async fn session(&self) -> Result<Object, StoreError> {
        self.pool.get().await.map_err(|error| failure::unreachable(&error))
    }

    /// A connection on which an answer is still due is of no more use.
    fn abandon(&self, session: Object) -> String {
        drop(Object::take(session));
        format!("the server has not answered within {} ms", self.patience.as_millis())
    }
}

/// The rows of a statement that only reads, or that is not committed yet.
pub(crate) async fn rows(
    session: &impl Prepares,
    sql: &str,
    parameters: Parameters<'_>,
) -> Result<Vec<Row>, StoreError> {
    session.rows(sql, parameters).await.map_err(certain)
}

/// A connection or a transaction on it, with the statements that it has prepared.
pub(crate) trait Prepares {
    /// The rows of a statement.
    fn rows(
        &self,
        sql: &str,
        parameters: Parameters<'_>,
    ) -> impl Future<Output = Result<Vec<Row>, tokio_postgres::Error>> + Send;
}

impl Prepares for Object {
    async fn rows(&self, sql: &str, parameters: Parameters<'_>) -> Result<Vec<Row>, tokio_postgres::Error> {
        let statement = self.prepare_cached(sql).await?;
        self.query(&statement, parameters).await
    }
}

impl Prepares for deadpool_postgres::Transaction<'_> {
    async fn rows(&self, sql: &str, parameters: Parameters<'_>) -> Result<Vec<Row>, tokio_postgres::Error> {
        let statement = self.prepare_cached(sql).await?;
        self.query(&statement, parameters).await
    }
}
