//! Comparison of one sphere with eight others at once.

use super::layer::{GridSphereRecord, SphereGridLayerView};
use carom_geometry::simd::{F32_LANES, F32x8Instructions};

/// Returns a bit mask of which of the eight spheres from `first` on may touch the given one, the first in the
/// lowest bit.
#[inline(always)]
pub(super) fn touching_mask<const D: usize>(
    simd: impl F32x8Instructions,
    record: &GridSphereRecord<D>,
    view: &SphereGridLayerView<'_, D>,
    first: usize,
) -> u32 {
    let load = |values: &[f32]| {
        let eight = values[first..first + F32_LANES].first_chunk();
        simd.load(eight.expect("the range has as many values as a register"))
    };
    let mut distance_squared = simd.splat(0.0);
    for axis in 0..D {
        let step = simd.subtract(load(view.position[axis]), simd.splat(record.position[axis]));
        distance_squared = simd.add(distance_squared, simd.multiply(step, step));
    }
    let reach = simd.add(load(view.radius), simd.splat(record.radius));
    simd.at_most_mask(distance_squared, simd.multiply(reach, reach))
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::simd::{F32x8Kernel, PortableF32x8, run_with_f32x8};

    struct Masks<'a, const D: usize>(&'a GridSphereRecord<D>, &'a SphereGridLayerView<'a, D>);

    impl<const D: usize> F32x8Kernel for Masks<'_, D> {
        type Output = Vec<u32>;

        #[inline(always)]
        fn run(self, simd: impl F32x8Instructions) -> Vec<u32> {
            let blocks = 0..self.1.radius.len() + 1 - F32_LANES;
            blocks.map(|first| touching_mask(simd, self.0, self.1, first)).collect()
        }
    }

    #[test]
    fn every_way_to_compare_gives_the_same_bits() {
        let value = |index: usize, salt: usize| ((index * 7919 + salt) % 101) as f32 / 101.0;
        let arrays: Vec<Vec<f32>> =
            (0..4).map(|salt| (0..200).map(|index| value(index, salt * 31)).collect()).collect();
        let view = SphereGridLayerView::<3> {
            position: [&arrays[0], &arrays[1], &arrays[2]],
            radius: &arrays[3],
            id: &[],
            starts: &[],
        };
        let record = GridSphereRecord { position: [0.4, 0.5, 0.6], radius: 0.1, id: 0 };
        let plain = Masks(&record, &view).run(PortableF32x8);
        assert_eq!(plain, run_with_f32x8(Masks(&record, &view)));
        assert!(plain.iter().any(|&mask| mask != 0));
    }
}
