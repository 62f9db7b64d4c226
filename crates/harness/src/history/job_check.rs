use super::{
    event::Type,
    kind::OperationKind,
    lease_object::{LeaseObject, LeaseOperation, LeaseState},
    lease_rules::LeaseRules,
    linearizer::{Linearizer, Pending},
    model::Model,
    operation::Operation,
    told::Told,
    unexplained::Unexplained,
};
use std::{
    collections::{BTreeMap, VecDeque},
    rc::Rc,
};

/// How many of the last operations that changed a job are kept to tell of.
const RECENT_MAX: usize = 6;

/// A job of a history: the rules, and whether its operations can be put in an order.
#[derive(Debug)]
pub(super) struct JobCheck {
    pub(super) rules: LeaseRules,
    object: Linearizer<LeaseObject>,
    pending: BTreeMap<u64, (Pending, Rc<Operation<Told>>)>,
    recent: VecDeque<Rc<Operation<Told>>>,
    /// Whether a create was asked for that may have made the job; where there was none before the first answer, the
    /// job is older than the history.
    created: bool,
    begun: bool,
    unexplained: bool,
}

/// More operations are under way on a job than a [`Linearizer`] takes.
pub(super) struct Crowded;

impl JobCheck {
    pub(super) fn new() -> Self {
        Self {
            rules: LeaseRules::default(),
            object: Linearizer::new(LeaseObject::default(), LeaseState::ABSENT),
            pending: BTreeMap::new(),
            recent: VecDeque::new(),
            created: false,
            begun: false,
            unexplained: false,
        }
    }

    /// An operation on the job was asked for.
    pub(super) fn invoked(
        &mut self,
        kind: OperationKind,
        operation: &Rc<Operation<Told>>,
    ) -> Result<(), Crowded> {
        let asked = LeaseOperation::new(kind, operation);
        let may_create = kind == OperationKind::Create && asked.created != Some(false);
        match operation.outcome {
            _ if self.unexplained => {}
            Type::Ok => {
                self.created |= may_create;
                let answered_at = operation.returned.unwrap_or(u64::MAX);
                let pending = self.object.invoke(asked, answered_at).ok_or(Crowded)?;
                self.pending.insert(operation.invoked, (pending, Rc::clone(operation)));
            }
            Type::Info | Type::Invoke => {
                self.created |= may_create;
                self.object.model_mut().unanswered(&asked);
                self.remember(kind, operation);
            }
            Type::Fail => {}
        }
        Ok(())
    }

    /// An operation on the job was answered, when so many claims on any job were never answered. If no order explains
    /// the answer, this says so once.
    pub(super) fn returned(
        &mut self,
        kind: OperationKind,
        operation: &Rc<Operation<Told>>,
        unseen_claims: u32,
    ) -> Result<(), Box<Unexplained>> {
        let Some(&(pending, _)) = self.pending.get(&operation.invoked) else { return Ok(()) };
        if self.unexplained {
            return Ok(());
        }
        if !std::mem::replace(&mut self.begun, true) && !self.created {
            self.object.assume(LeaseState::FREE);
        }
        self.object.model_mut().set_claims_elsewhere(unseen_claims);
        if !self.object.answer(pending) {
            self.unexplained = true;
            return Err(Box::new(self.explain(operation)));
        }
        self.pending.remove(&operation.invoked);
        self.remember(kind, operation);
        Ok(())
    }

    fn explain(&mut self, operation: &Operation<Told>) -> Unexplained {
        let pending = std::mem::take(&mut self.pending).into_values().map(|(_, pending)| pending);
        let mut recent: Vec<Operation<Told>> = self.recent.drain(..).map(Rc::unwrap_or_clone).collect();
        recent.sort_by_key(|operation| operation.invoked);
        Unexplained {
            job: operation.value.job.as_deref().unwrap_or_default().to_owned(),
            operation: operation.clone(),
            states: self.object.states().collect(),
            recent,
            pending: pending
                .filter(|other| other.invoked != operation.invoked)
                .map(Rc::unwrap_or_clone)
                .collect(),
        }
    }

    /// Of a job that is over the last word is enough.
    fn remember(&mut self, kind: OperationKind, operation: &Rc<Operation<Told>>) {
        let Told { replayed, created, over, .. } = operation.value;
        let changes = match kind {
            OperationKind::Start | OperationKind::Heartbeat | OperationKind::Progress => false,
            OperationKind::Create => created != Some(false),
            OperationKind::Cancel => over != Some(false),
            _ => !replayed,
        };
        if !changes {
            return;
        }
        let over = self.pending.is_empty() && self.object.states().all(LeaseState::is_over);
        self.recent.push_back(Rc::clone(operation));
        let most = if over { 1 } else { RECENT_MAX };
        while self.recent.len() > most {
            self.recent.pop_front();
        }
    }
}
