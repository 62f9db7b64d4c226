//! A create request, normalised: every bound, clamp and cut of the wire applied, nothing else kept.

use crate::canonical::{canonical, fingerprint, printed_bytes};
use crate::fields::Fields;
use crate::identifier::executor_id;
use crate::rules::{KeyLength, Sizes};
use crate::text::{Text, trim, trim_cut, units};
use crate::{Error, JobId, Rules};
use holdover_machine::Span;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The version text of a request.
pub const REQUEST_VERSION: &str = "executor-job-request-v1";
/// The most UTF-16 units of an idempotency key.
pub const KEY_UNITS_MAX: usize = 200;
/// The most UTF-16 units of an instruction.
pub const INSTRUCTION_UNITS_MAX: usize = 32_000;
/// The most UTF-16 units of a task type.
pub const TASK_TYPE_UNITS_MAX: usize = 128;
/// The most input references of a task.
pub const INPUT_REFS_MAX: usize = 100;
/// Where sizes are bounded: the most UTF-16 units of a tenant, user or actor id.
pub const SUBJECT_UNITS_MAX: usize = 256;
/// Where sizes are bounded: the most bytes of metadata when printed.
pub const METADATA_BYTES_MAX: usize = 65_536;

const TIMEOUT_MS: (i64, i64, i64) = (500, 900_000, 3_600_000);
const ATTEMPTS: (i64, i64, i64) = (1, 3, 20);

/// What a client asks for, after normalisation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The job's id, given or made up.
    pub job_id: JobId,
    /// Whether the client gave the id itself.
    pub job_id_given: bool,
    /// The idempotency key.
    pub key: Text,
    /// The executor that shall run it.
    pub executor: Text,
    /// What kind of task it is.
    pub task_type: Text,
    /// What to do.
    pub instruction: Text,
    /// Where to do it.
    pub workspace: Option<Reference>,
    /// What to do it with.
    pub inputs: Vec<Reference>,
    /// The tenant it is for.
    pub tenant: Option<Text>,
    /// The user it is for.
    pub user: Option<Text>,
    /// Whether execution was authorised.
    pub execution_allowed: bool,
    /// Who authorised it.
    pub actor: Option<Text>,
    /// Whether side effects are allowed.
    pub side_effects_allowed: bool,
    /// Whether the network is allowed.
    pub network_allowed: bool,
    /// The longest an attempt may run.
    pub timeout: Span,
    /// Whether it may be cancelled.
    pub cancellation_allowed: bool,
    /// The executor named for when the first is not available.
    pub fallback: Option<Text>,
    /// The most attempts.
    pub attempts_max: u32,
    /// Whatever the client wants kept with it: an object or a list.
    pub metadata: Value,
    fingerprint: Text,
}

/// A reference to something outside: what kind of thing, and which.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// What kind of thing.
    pub kind: Text,
    /// Which one.
    pub id: Text,
}

impl Reference {
    /// A usable reference, or nothing: an object whose kind and id are not empty after trimming and cutting.
    fn read(value: Option<&Value>, kind_default: &str, path: &'static str) -> Result<Option<Self>, Error> {
        let Some(Value::Object(_)) = value else { return Ok(None) };
        let fields = Fields::optional(value, path)?;
        let kind = trim_cut(fields.text("kind")?.unwrap_or(kind_default), 64);
        let id = trim_cut(fields.text("id")?.unwrap_or(""), 256);
        Ok((!kind.is_empty() && !id.is_empty()).then(|| Self { kind: kind.into(), id: id.into() }))
    }

    /// The usable references of a list, the first `INPUT_REFS_MAX` of them.
    pub(crate) fn read_list(
        items: Option<&[Value]>,
        kind_default: &str,
        path: &'static str,
    ) -> Result<Vec<Self>, Error> {
        let mut references = Vec::new();
        for item in items.unwrap_or_default() {
            references.extend(Self::read(Some(item), kind_default, path)?);
        }
        references.truncate(INPUT_REFS_MAX);
        Ok(references)
    }

    /// The reference as JSON.
    pub fn to_json(&self) -> Value {
        json!({ "kind": &*self.kind, "id": &*self.id })
    }
}

impl Request {
    /// Normalises a request. `fresh` is the id of a job whose client names none.
    ///
    /// # Errors
    /// The first of: a wrong type; id required, id invalid, key, executor, instruction; a size over its limit,
    /// where the rules bound sizes.
    pub fn normalise(input: &Value, fresh: &JobId, rules: &Rules) -> Result<Arc<Self>, Error> {
        let top = Fields::required(input, "")?;
        let task = Fields::optional(top.raw("task"), "task")?;
        let subject = Fields::optional(top.raw("subject"), "subject")?;
        let authorization = Fields::optional(top.raw("authorization"), "authorization")?;
        let policy = Fields::optional(top.raw("policy"), "policy")?;
        let controls = Fields::optional(top.raw("controls"), "controls")?;

        let given_id = top.text("jobId")?.map(trim);
        let key = trim(top.text("idempotencyKey")?.unwrap_or(""));
        let executor = executor_id(top.text("executor")?.unwrap_or(""));
        let instruction = match task.text("instruction")? {
            Some(text) => text,
            None => top.text("instruction")?.unwrap_or(""),
        };
        let instruction = trim_cut(instruction, INSTRUCTION_UNITS_MAX);
        let task_type = trim_cut(task.text("type")?.unwrap_or(""), TASK_TYPE_UNITS_MAX);

        let job_id = match given_id {
            None => fresh.clone(),
            Some("") => return Err(Error::JobIdRequired),
            Some(text) => JobId::new(text).ok_or(Error::JobIdInvalid)?,
        };
        let key = normalise_key(key, rules)?;
        let executor = executor.ok_or(Error::ExecutorRequired)?;
        if instruction.is_empty() {
            return Err(Error::InstructionRequired);
        }
        let mut request = Self {
            job_id,
            job_id_given: given_id.is_some(),
            key,
            executor,
            task_type: if task_type.is_empty() { "code_task".into() } else { task_type.into() },
            instruction: instruction.into(),
            workspace: Reference::read(task.container("workspaceRef")?, "workspace", "task.workspaceRef")?,
            inputs: Reference::read_list(task.list("inputRefs")?, "artifact", "task.inputRefs")?,
            tenant: non_empty(subject.text("tenantId")?),
            user: non_empty(subject.text("userId")?),
            execution_allowed: authorization.flag("executionAllowed")? == Some(true),
            actor: non_empty(authorization.text("actorId")?),
            side_effects_allowed: policy.flag("sideEffectsAllowed")? == Some(true),
            network_allowed: policy.flag("networkAllowed")? == Some(true),
            timeout: Span::from_ms(clamped(&controls, "timeoutMs", TIMEOUT_MS)?),
            cancellation_allowed: controls.flag("cancellationAllowed")? != Some(false),
            fallback: executor_id(controls.text("fallbackExecutor")?.unwrap_or("")),
            attempts_max: clamped(&controls, "maxAttempts", ATTEMPTS)? as u32,
            metadata: top.container("metadata")?.cloned().unwrap_or_else(|| Value::Object(Map::new())),
            fingerprint: "".into(),
        };
        request.check_sizes(rules)?;
        request.fingerprint = fingerprint(&Value::Object(request.semantic_members())).into();
        Ok(Arc::new(request))
    }

    fn check_sizes(&self, rules: &Rules) -> Result<(), Error> {
        if rules.sizes == Sizes::Unbounded {
            return Ok(());
        }
        let subjects = [
            ("subject.tenantId", &self.tenant),
            ("subject.userId", &self.user),
            ("authorization.actorId", &self.actor),
        ];
        for (member, text) in subjects {
            if text.as_deref().is_some_and(|text| units(text) > SUBJECT_UNITS_MAX) {
                return Err(Error::RequestTooLarge { member, max: SUBJECT_UNITS_MAX });
            }
        }
        if printed_bytes(&self.metadata) > METADATA_BYTES_MAX {
            return Err(Error::RequestTooLarge { member: "metadata", max: METADATA_BYTES_MAX });
        }
        Ok(())
    }

    /// The fingerprint of everything that the request means: all but job id and key.
    pub fn fingerprint(&self) -> &Text {
        &self.fingerprint
    }

    /// The canonical text behind the fingerprint.
    pub fn canonical(&self) -> String {
        canonical(&Value::Object(self.semantic_members()))
    }

    fn semantic_members(&self) -> Map<String, Value> {
        let references = |list: &[Reference]| list.iter().map(Reference::to_json).collect::<Vec<_>>();
        let members = json!({
            "version": REQUEST_VERSION,
            "executor": &*self.executor,
            "task": {
                "type": &*self.task_type,
                "instruction": &*self.instruction,
                "workspaceRef": self.workspace.as_ref().map(Reference::to_json),
                "inputRefs": references(&self.inputs),
            },
            "subject": { "tenantId": self.tenant.as_deref(), "userId": self.user.as_deref() },
            "authorization": { "executionAllowed": self.execution_allowed, "actorId": self.actor.as_deref() },
            "policy": {
                "sideEffectsAllowed": self.side_effects_allowed,
                "networkAllowed": self.network_allowed,
            },
            "controls": {
                "timeoutMs": self.timeout.ms(),
                "cancellationAllowed": self.cancellation_allowed,
                "fallbackExecutor": self.fallback.as_deref().unwrap_or(""),
                "maxAttempts": self.attempts_max,
            },
            "metadata": self.metadata,
        });
        match members {
            Value::Object(members) => members,
            _ => Map::new(),
        }
    }

    /// The request as it is stored and shown.
    pub fn to_json(&self) -> Value {
        let mut members = self.semantic_members();
        members.insert("jobId".into(), self.job_id.as_str().into());
        members.insert("idempotencyKey".into(), (&*self.key).into());
        Value::Object(members)
    }
}

/// The one place where a long key is cut or refused.
fn normalise_key(key: &str, rules: &Rules) -> Result<Text, Error> {
    if key.is_empty() {
        return Err(Error::KeyRequired);
    }
    let short = trim_cut(key, KEY_UNITS_MAX);
    match rules.key_length {
        KeyLength::Cut => Ok(short.into()),
        KeyLength::Refused if short.len() == key.len() => Ok(short.into()),
        KeyLength::Refused => Err(Error::KeyTooLong { max: KEY_UNITS_MAX }),
    }
}

fn clamped(fields: &Fields<'_>, name: &str, (min, default, max): (i64, i64, i64)) -> Result<i64, Error> {
    Ok(fields.integer(name, min, max)?.unwrap_or(default))
}

fn non_empty(text: Option<&str>) -> Option<Text> {
    text.map(trim).filter(|text| !text.is_empty()).map(Into::into)
}
