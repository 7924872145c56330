//! Finds the contacts of moving discs in a periodic box, with one search whose buffers are reused.

use carom::{Boundary, BroadPhaseMethod, ContactSearch, Sphere};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let boundary = Boundary::periodic([Some(40.0), Some(40.0)])?;
    let mut discs: Vec<Sphere<2>> =
        (0..1600).map(|site| Sphere::new([(site % 40) as f64, (site / 40) as f64], 0.45)).collect();
    let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
    let mut counts = Vec::new();
    for step in 0..5 {
        let contacts = search.find(&discs, &boundary)?;
        let deepest = contacts.iter().map(|contact| contact.overlap).fold(0.0, f64::max);
        println!("step {step}: {} contacts, deepest {deepest:.3}", contacts.len());
        // Each disc is at most 0.05 farther from its site than a step before, and neighbors were 0.1 apart.
        assert!(deepest <= 0.1 * f64::from(step) - 0.1 + 1e-12 || contacts.is_empty());
        counts.push(contacts.len());
        for (index, disc) in discs.iter_mut().enumerate() {
            let angle = index as f64 * 2.4;
            disc.center += carom::geometry::Vector::from([angle.cos(), angle.sin()]) * 0.05;
        }
    }
    println!("{}", search.statistics().reason);
    assert!(counts[0] == 0 && counts[4] > 100 && counts.is_sorted(), "{counts:?}");
    Ok(())
}
