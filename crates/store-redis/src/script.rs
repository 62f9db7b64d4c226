use crate::row::FIELDS;
use holdover_jobs::Order;
use redis::Script;

/// The scripts of a store. Each is what all share and its own part, and carries a command out in one step.
#[derive(Debug)]
pub(crate) struct Scripts {
    /// Finds what is asked for.
    pub(crate) read: Script,
    /// Makes changes under conditions.
    pub(crate) commit: Script,
    /// Creates a job, where the plain way applies.
    pub(crate) create: Script,
    /// Operations and a claim, where the plain way applies.
    pub(crate) work: Script,
}

impl Scripts {
    pub(crate) fn new(order: Order) -> Self {
        let shared = head(order) + include_str!("lua/common.lua");
        let script = |own: &str| Script::new(&format!("{shared}{own}"));
        Self {
            read: script(include_str!("lua/read.lua")),
            commit: script(include_str!("lua/commit.lua")),
            create: script(include_str!("lua/create.lua")),
            work: script(include_str!("lua/work.lua")),
        }
    }
}

/// The fields of a row, a local with the place of each, and the order.
fn head(order: Order) -> String {
    let fields = FIELDS.map(|field| format!("'{field}'")).join(",");
    let names = FIELDS.map(str::to_uppercase).join(",");
    let places: Vec<String> = (1..=FIELDS.len()).map(|place| place.to_string()).collect();
    let fifo = order != Order::Created;
    format!("local FIELDS = {{{fields}}}\nlocal {names} = {}\nlocal FIFO = {fifo}\n", places.join(","))
}
