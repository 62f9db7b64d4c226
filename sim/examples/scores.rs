#![allow(missing_docs)]
use holdover::{AnyScenario, RandomBudget};
use holdover_sim::jobs::Jobs;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let seeds: u64 = a[1].parse().unwrap();
    let filter = a.get(2).cloned().unwrap_or_default();
    for p in Jobs.planted_any() {
        if !p.id.contains(&filter) {
            continue;
        }
        let t = std::time::Instant::now();
        let b = RandomBudget { seeds, samples: 5, ..RandomBudget::SCORES };
        let s = Jobs.find_by_random(&p.variant(), p.invariant, b).unwrap();
        let dt = t.elapsed().as_secs_f64();
        match s {
            Some(s) => println!(
                "{:30} {:22} seeds {:6} mean {:7} rec {:4} first {:3} best {:3} {dt:.1}s",
                p.id,
                p.invariant,
                s.seeds,
                s.seeds_run / u64::from(s.samples),
                s.recorded,
                s.first,
                s.best
            ),
            None => println!("{:30} {:22} MISS {dt:.1}s", p.id, p.invariant),
        }
    }
}
trait X {
    fn planted_any(&self) -> Vec<holdover::Planted>;
}
impl X for Jobs {
    fn planted_any(&self) -> Vec<holdover::Planted> {
        AnyScenario::planted(self)
    }
}
