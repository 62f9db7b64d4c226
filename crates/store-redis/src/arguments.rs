use crate::time_key::time_key;
use holdover_jobs::{Key, Text};
use holdover_machine::StoreTime;
use std::fmt::Display;

/// The arguments of a script, in the order in which it takes them.
#[derive(Debug, Default)]
pub(crate) struct Arguments(Vec<String>);

impl Arguments {
    pub(crate) fn add(&mut self, argument: impl Display) -> &mut Self {
        self.0.push(argument.to_string());
        self
    }

    pub(crate) fn add_flag(&mut self, flag: bool) -> &mut Self {
        self.add(u8::from(flag))
    }

    pub(crate) fn add_time(&mut self, time: StoreTime) -> &mut Self {
        self.add(time_key(time))
    }

    /// What may be absent is empty then.
    pub(crate) fn add_optional(&mut self, argument: Option<impl Display>) -> &mut Self {
        match argument {
            Some(argument) => self.add(argument),
            None => self.add(""),
        }
    }

    /// A name, which may be empty and still there.
    pub(crate) fn add_name(&mut self, name: Option<&Text>) -> &mut Self {
        self.add_optional(name.map(|name| format!("={name}")))
    }

    /// A key as one text: two keys never have the same.
    pub(crate) fn add_key(&mut self, key: &Key) -> &mut Self {
        match &key.scope {
            None => self.add(format_args!(":{}", key.text)),
            Some(scope) => self.add(format_args!("{}:{scope}{}", scope.len(), key.text)),
        }
    }

    /// How many there are, and each.
    pub(crate) fn add_list(&mut self, list: impl IntoIterator<Item = impl Display>) -> &mut Self {
        let place = self.0.len();
        self.0.extend(list.into_iter().map(|argument| argument.to_string()));
        let count = self.0.len() - place;
        self.0.insert(place, count.to_string());
        self
    }

    pub(crate) fn as_slice(&self) -> &[String] {
        &self.0
    }
}

impl Extend<String> for Arguments {
    fn extend<T: IntoIterator<Item = String>>(&mut self, arguments: T) {
        self.0.extend(arguments);
    }
}
