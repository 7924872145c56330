//! All tests across crates, in one binary.

mod agreement;
mod allocations;
mod architecture;
mod book;
mod choice;
mod closest_features;
mod closest_proofs;
mod contact_law;
mod contract;
mod dem_theory;
mod dense;
mod equilibrium;
mod golden;
mod granular;
mod inside;
mod kinetic_contract;
mod kinetic_golden;
mod kinetic_laguerre;
mod laguerre;
mod oracles;
mod shared_among_threads;
