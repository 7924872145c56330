//! Runs a granular gas with two coefficients of restitution and five seeds each, and prints the mean energy that is left.

use carom::sweep::Sweep;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = "engine = 'event-driven'\ndimension = 2\ncollisions = 2000\noutput.picture = false\n\
                 [[generate]]\nkind = 'random'\ncount = 100\nradius = 0.5\n\
                 packing_fraction = 0.3\ntemperature = 1.0";
    let folder = std::env::temp_dir().join(format!("carom-sweep-{}", std::process::id()));
    let outcome = Sweep::parse(scene)
        .over("materials.default.restitution", [0.9, 0.95])
        .over("seed", 1..=5)
        .jobs(2)
        .plot("kinetic_energy")
        .into_folder(&folder)?;
    for row in outcome.table.rows() {
        println!("{}: {:?}", row.folder(), row.number("kinetic_energy"));
    }
    let means: Vec<f64> = (outcome.table.rows().chunks(5))
        .map(|rows| rows.iter().filter_map(|row| row.number("kinetic_energy")).sum::<f64>() / 5.0)
        .collect();
    println!(
        "mean kinetic energy with restitution 0.9: {:.2}, with 0.95: {:.2}",
        means[0], means[1]
    );
    assert!(means[0] < means[1], "{means:?}");
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
