//! Finds all contacts among spheres in three lines.

use carom::Sphere;

fn main() -> Result<(), carom::detect::Error> {
    let spheres = [Sphere::new([0.0, 0.0, 0.0], 1.0), Sphere::new([1.5, 0.0, 0.0], 1.0)];
    for contact in carom::contacts(&spheres)? {
        println!(
            "{} and {} overlap by {}",
            contact.pair.first(),
            contact.pair.second(),
            contact.overlap
        );
        assert_eq!((contact.pair.first(), contact.pair.second(), contact.overlap), (0, 1, 0.5));
    }
    assert_eq!(carom::contacts(&spheres)?.len(), 1);
    Ok(())
}
