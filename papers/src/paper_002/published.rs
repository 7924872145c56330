//! The figures the paper prints.

/// Contacts per particle in percent of tests A, B and C in two dimensions (section 3).
pub const CONTACT_PERCENT_2D: [f64; 3] = [87.0, 19.0, 2.0];
/// The same in three dimensions.
pub const CONTACT_PERCENT_3D: [f64; 3] = [90.0, 10.0, 4.0];

/// Particles per unit of area in two dimensions (section 3).
pub const DENSITY_2D: f64 = 100.0;
/// Particles per unit of volume in three dimensions (section 3).
pub const DENSITY_3D: f64 = 1000.0;

/// Pair tests per particle of the Linked Cell Method, in units of the mean number of particles in
/// a cell, in two dimensions (section 2.1).
pub const CELL_TESTS_2D: f64 = 4.5;
/// The same in three dimensions.
pub const CELL_TESTS_3D: f64 = 13.5;

/// Seconds of the distance sort in tables 1, 2 and 3.
pub const DISTANCE_SORT_SECONDS: [f64; 3] = [1.627, 0.37, 0.197];
/// Seconds of the Linked Cell Method in table 1, with the mean number of particles in a cell.
pub const TABLE_1: [(u32, f64); 4] = [(100, 1.141), (204, 2.296), (625, 8.828), (1111, 12.332)];
/// The same of table 2.
pub const TABLE_2: [(u32, f64); 3] = [(11, 1.01), (25, 1.4), (100, 1.59)];
/// The same of table 3.
pub const TABLE_3: [(u32, f64); 1] = [(101, 1.38)];
