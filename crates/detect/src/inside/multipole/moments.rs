//! The multipole moments of clusters, equations 22 and 23.

use super::cluster_tree::ClusterTree;
use super::expansion_matrix::padded;
use super::expansion_translation::moment_to_moment_matrix;
use super::solid_harmonics::coefficient_count;
use super::triangle_moments::TriangleQuadrature;
use crate::inside::lanes::has_avx2_and_fma;
use crate::inside::panels::Panels;
use rayon::prelude::*;
use std::array::from_fn;

/// The multipole moments of all clusters, with the factor `- 1 / (4 pi)` of equation 6, in edges of the boxes.
#[derive(Clone, Debug)]
pub struct MultipoleMoments {
    /// The number of coefficients of each cluster, padded for SIMD.
    stride: usize,
    levels: Vec<Vec<f64>>,
}

impl MultipoleMoments {
    /// Computes the moments from the finest level up. Costs `degree^2` per triangle and `degree^4` per cluster.
    pub fn new(tree: &ClusterTree, panels: &Panels, degree: usize) -> Self {
        let stride = padded(coefficient_count(degree));
        let rule = TriangleQuadrature::new(degree);
        let wide = has_avx2_and_fma();
        let to_parent: [_; 8] =
            from_fn(|octant| moment_to_moment_matrix(degree, child_offset(octant)));
        let mut levels: Vec<Vec<f64>> = vec![Vec::new(); tree.levels.len()];
        for level in (0..tree.levels.len()).rev() {
            let clusters = &tree.levels[level];
            let mut values = vec![0.0; stride * clusters.len()];
            let below = levels.get(level + 1);
            let work = values.par_chunks_mut(stride).with_min_len(64).zip(clusters);
            work.for_each(|(values, cluster)| {
                let place =
                    (tree.root.box_center(level, cluster.cell), tree.root.edge_on_level(level));
                rule.add_moments(panels, cluster, place, wide, values);
                for child in cluster.children.start as usize..cluster.children.end as usize {
                    let octant = octant_of(tree.levels[level + 1][child].cell);
                    let from = below.map(|below| &below[child * stride..(child + 1) * stride]);
                    if let Some(from) = from {
                        to_parent[octant].apply(wide, &from[1..coefficient_count(degree)], values);
                    }
                }
            });
            levels[level] = values;
        }
        MultipoleMoments { stride, levels }
    }

    /// Returns the moments of a cluster.
    #[inline(always)]
    pub fn cluster_moments(&self, level: usize, cluster: usize) -> &[f64] {
        &self.levels[level][cluster * self.stride..(cluster + 1) * self.stride]
    }

    pub fn bytes(&self) -> usize {
        self.levels.iter().map(|values| size_of::<f64>() * values.capacity()).sum()
    }
}

/// Returns the octant of its parent that a box is.
#[inline(always)]
pub fn octant_of(cell: [i32; 3]) -> usize {
    (cell[0] & 1 | (cell[1] & 1) << 1 | (cell[2] & 1) << 2) as usize
}

/// Returns the vector from the center of a parent to that of a child, in edges of the parent.
pub fn child_offset(octant: usize) -> [f64; 3] {
    [0, 1, 2].map(|axis| if octant >> axis & 1 == 1 { 0.25 } else { -0.25 })
}
