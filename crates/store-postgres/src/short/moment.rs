use crate::records::PostgresRecords;
use crate::session::CLOCK;
use holdover_jobs::Stamp;
use holdover_jobs::rules::Floor;
use holdover_machine::StoreTime;

/// By what time a statement judges: its first two parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    /// `$1`: not before this.
    pub(super) floor: i64,
    /// `$2`: this, if it is given; else the server's clock.
    pub(super) given: Option<i64>,
    held: bool,
}

impl Moment {
    pub(super) fn of(stamp: Stamp, records: &PostgresRecords) -> Self {
        let reading = || records.sessions.reading().map(StoreTime::ms);
        match stamp {
            Stamp::Caller(time) => Self { floor: i64::MIN, given: Some(time.ms()), held: false },
            Stamp::Store(Floor::Absent) => Self { floor: i64::MIN, given: reading(), held: false },
            Stamp::Store(Floor::Held) => {
                Self { floor: records.held.latest().ms(), given: reading(), held: true }
            }
        }
    }

    /// What a statement begins with: the time, read once.
    pub(super) fn sql() -> String {
        format!("now AS MATERIALIZED (SELECT greatest($1::bigint, coalesce($2::bigint, {CLOCK})) AS t)")
    }

    /// Takes note of the time that a statement has judged by.
    pub(super) fn was(self, time: StoreTime, records: &PostgresRecords) {
        if self.held {
            records.held.hold(time);
        }
    }

    /// Whether the time goes on as the store's does, not as callers see it.
    pub(super) fn is_held(self) -> bool {
        self.held
    }
}
