//! A world of bodies to query: spheres, convex polyhedra and closed meshes, each in its pose.
//!
//! | question | answer |
//! |---|---|
//! | bodies whose bounding boxes meet a box | [`World::bodies_in`] |
//! | bodies within a distance of a point | [`World::bodies_near`] |
//! | the nearest body, or the k nearest | [`World::nearest`], [`World::nearest_bodies`] |
//! | bodies that contain a point | [`World::containing`] |
//! | what a ray meets first, or all that it meets | [`World::cast_ray`], [`World::cast_ray_through`] |
//! | the distance and the closest points of two bodies | [`World::distance`] |
//! | all bodies near one, all pairs near each other | [`World::neighbors`], [`World::pairs_within`] |
//!
//! For the contacts among spheres alone, and in periodic boxes, take [`ContactSearch`](crate::ContactSearch): it is
//! faster, and this world has no periodic axes.
//!
//! Bodies are in a bounding volume hierarchy over their boxes, which is refitted when poses change and rebuilt when
//! that has made its boxes much larger. Every query tests the shapes themselves, so answers are those of a test of
//! all bodies, to the bit, whatever the order in which bodies were inserted or moved and the number of threads. Ties
//! go to the smaller index, and lists are in ascending order of bodies unless they are in the order of distance.
//!
//! Files: [`BodyShape`] in `body_shape.rs`; the hierarchy in `body_bvh.rs`; [`World`] and its changes in `bodies.rs`;
//! queries of points, rays and pairs in `point_queries.rs`, `ray_queries.rs` and `pair_queries.rs`; one shape each in
//! `point_to_body.rs`, `ray_to_body.rs`, `body_to_body.rs`, and for surfaces of triangles `surface_to_surface.rs` and
//! `triangle_to_triangle.rs`.

mod bodies;
mod body_bvh;
mod body_shape;
mod body_to_body;
mod error;
mod pair_history;
mod pair_queries;
mod point_queries;
mod point_to_body;
mod ray_queries;
mod ray_to_body;
mod surface_to_surface;
#[cfg(test)]
mod tests;
mod triangle_to_triangle;

pub use bodies::World;
pub use body_shape::BodyShape;
pub use error::WorldError;
pub use pair_history::PairHistory;
pub use pair_queries::BodyDistance;
pub use point_queries::NearestBody;
pub use ray_queries::RayHit;
