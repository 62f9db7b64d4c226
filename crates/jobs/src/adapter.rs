//! Executors that a gateway knows: what each can do, and whether jobs for it may be handed out.

use crate::Error;
use crate::fields::{Fields, given};
use crate::identifier::executor_id;
use crate::text::Text;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// An executor as the gateway lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapter {
    /// Its id.
    pub id: Text,
    /// Its name for people.
    pub label: Text,
    /// What kind of executor it is.
    pub kind: Text,
    /// Whether jobs for it may be handed out.
    pub enabled: bool,
    /// Whether it can be dispatched to; only a fallback's availability asks.
    pub dispatch_implemented: bool,
    /// A word for people.
    pub status: Text,
    /// What it can do.
    pub capabilities: Vec<Text>,
}

impl Adapter {
    /// The adapter as it is listed.
    pub fn to_json(&self) -> Value {
        json!({
            "id": &*self.id, "label": &*self.label, "kind": &*self.kind, "enabled": self.enabled,
            "dispatchImplemented": self.dispatch_implemented, "status": &*self.status,
            "capabilities": self.capabilities.iter().map(|text| &**text).collect::<Vec<_>>(),
        })
    }

    /// An adapter from a description; what it leaves out has defaults.
    fn describe(value: &Value) -> Result<Self, RegistryError> {
        let read = || -> Result<Option<Self>, Error> {
            let fields = Fields::required(value, "adapter")?;
            let Some(id) = executor_id(fields.text("id")?.unwrap_or("")) else { return Ok(None) };
            let text = |name, default: &str| Ok::<Text, Error>(fields.text(name)?.unwrap_or(default).into());
            let capabilities = fields.list("capabilities")?.unwrap_or_default();
            Ok(Some(Self {
                label: text("label", &id)?,
                kind: text("kind", "plugin")?,
                enabled: fields.flag("enabled")? == Some(true),
                dispatch_implemented: fields.flag("dispatchImplemented")? == Some(true),
                status: text("status", "unknown")?,
                capabilities: capabilities.iter().filter_map(Value::as_str).map(Into::into).collect(),
                id,
            }))
        };
        read().map_err(RegistryError::Description)?.ok_or(RegistryError::IdInvalid)
    }
}

/// The adapters of a gateway, in order of registration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Registry(Vec<Adapter>);

/// Why a registry could not be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// An adapter without a usable id.
    #[error("Executor adapter requires a valid id")]
    IdInvalid,
    /// An id that was registered before.
    #[error("Executor adapter already registered: {0}")]
    Duplicate(Text),
    /// A description with a member of the wrong type.
    #[error(transparent)]
    Description(Error),
}

const BUILT_IN: [(&str, &str, &str, &[&str]); 3] = [
    ("goosed", "Goosed", "remote", &["session-execution", "streaming", "tools"]),
    ("aider", "Aider", "worker", &["code-edit", "multi-file"]),
    ("openhands", "OpenHands", "worker", &["repo-task", "code-edit", "command-execution"]),
];

impl Registry {
    /// The three built-in executors as contracts only: none can be dispatched to.
    pub fn contract_only() -> Self {
        Self(BUILT_IN.iter().map(|entry| built_in(entry, false, false)).collect())
    }

    /// The three built-in executors behind the worker queue; those in `enabled` are handed out. Ids that are
    /// unknown or unusable are ignored.
    pub fn worker_queue<'a>(enabled: impl IntoIterator<Item = &'a str>) -> Self {
        let enabled: BTreeSet<Text> = enabled.into_iter().filter_map(executor_id).collect();
        Self(BUILT_IN.iter().map(|entry| built_in(entry, true, enabled.contains(entry.0))).collect())
    }

    /// The adapters of these descriptions, in their order.
    ///
    /// # Errors
    /// An id that is unusable or comes twice, or a member of the wrong type.
    pub fn describe(descriptions: &[Value]) -> Result<Self, RegistryError> {
        let mut registry = Self::default();
        for description in descriptions {
            let adapter = Adapter::describe(description)?;
            if registry.get(&adapter.id).is_some() {
                return Err(RegistryError::Duplicate(adapter.id));
            }
            registry.0.push(adapter);
        }
        Ok(registry)
    }

    /// The adapter with this id.
    pub fn get(&self, id: &str) -> Option<&Adapter> {
        self.0.iter().find(|adapter| &*adapter.id == id)
    }

    /// All adapters, in order of registration.
    pub fn iter(&self) -> impl Iterator<Item = &Adapter> {
        self.0.iter()
    }

    /// What an adapter answers when it is called instead of being claimed from.
    ///
    /// # Errors
    /// Always: contract-only adapters cannot dispatch, the others are reached by a claim. `None` for an id that
    /// is not registered.
    pub fn dispatch(&self, id: &str) -> Option<Error> {
        self.get(id).map(|adapter| match adapter.dispatch_implemented {
            true => Error::WorkerClaimRequired(adapter.id.to_string()),
            false => Error::AdapterDisabled(adapter.id.to_string()),
        })
    }

    /// A registry from its JSON form: `{"kind":"phase3"}`, `{"kind":"phase5","enabledExecutors":[..]}` or
    /// `{"kind":"custom","adapters":[..]}`. A list that is not one counts as empty.
    ///
    /// # Errors
    /// An unknown kind, or what [`Registry::describe`] refuses.
    pub fn from_json(value: &Value) -> Result<Self, RegistryError> {
        let list =
            |name: &str| given(value.get(name)).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        match value.get("kind").and_then(Value::as_str) {
            Some("phase3") => Ok(Self::contract_only()),
            Some("phase5") => {
                Ok(Self::worker_queue(list("enabledExecutors").iter().filter_map(Value::as_str)))
            }
            Some("custom") => Self::describe(list("adapters")),
            _ => Err(RegistryError::Description(Error::request_invalid(
                "registry.kind",
                "phase3, phase5 or custom",
            ))),
        }
    }
}

fn built_in(
    (id, label, kind, capabilities): &(&str, &str, &str, &[&str]),
    queue: bool,
    enabled: bool,
) -> Adapter {
    let fencing = queue.then_some("lease-fencing");
    Adapter {
        id: (*id).into(),
        label: (*label).into(),
        kind: (*kind).into(),
        enabled,
        dispatch_implemented: queue,
        status: match (queue, enabled) {
            (false, _) => "contract-only",
            (true, true) => "worker-queue",
            (true, false) => "disabled",
        }
        .into(),
        capabilities: capabilities.iter().copied().chain(fencing).map(Into::into).collect(),
    }
}
