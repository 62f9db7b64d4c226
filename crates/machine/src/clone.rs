/// Implements `Clone` for a type whose members are named, member by member. What is derived has no `clone_from` of its
/// own: a copy over another one, that keeps what memory that one has. The members under `compared` are copied only
/// where they differ, which is cheaper for those that are made of many small pieces.
///
/// ```
/// # use std::collections::BTreeSet;
/// struct Queue { jobs: Vec<u32>, turn: usize, late: BTreeSet<u32> }
///
/// holdover_machine::clone_by_member!(Queue { jobs, turn } compared { late });
///
/// let mut scratch = Queue { jobs: Vec::with_capacity(8), turn: 0, late: BTreeSet::new() };
/// scratch.clone_from(&Queue { jobs: vec![1, 2], turn: 1, late: BTreeSet::from([2]) });
/// assert!(scratch.jobs == [1, 2] && scratch.jobs.capacity() == 8 && scratch.turn == 1);
/// assert!(scratch.late.contains(&2));
/// ```
#[macro_export]
macro_rules! clone_by_member {
    ($type:ident { $($member:ident),* $(,)? } $(compared { $($compared:ident),* $(,)? })?) => {
        impl Clone for $type {
            fn clone(&self) -> Self {
                Self { $($member: self.$member.clone(),)* $($($compared: self.$compared.clone(),)*)? }
            }

            fn clone_from(&mut self, other: &Self) {
                $(self.$member.clone_from(&other.$member);)*
                $($(if self.$compared != other.$compared {
                    self.$compared.clone_from(&other.$compared);
                })*)?
            }
        }
    };
}
