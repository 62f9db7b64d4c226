#![allow(missing_docs)]
use holdover::*;
use holdover_sim::jobs::Jobs;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: u64 = a[2].parse().unwrap();
    let r =
        AnyScenario::campaign(&Jobs, &CampaignOptions::new(&a[1], 1_000_000_001..1_000_000_001 + n)).unwrap();
    println!("{:?}", r.panics);
    for v in &r.violations {
        println!("{} {} {} {}", v.failure.violation.invariant, v.count, v.seed, v.failure.sizes.actions);
        println!("{}", v.failure.render(Layout { columns: 110, colour: false }));
    }
}
