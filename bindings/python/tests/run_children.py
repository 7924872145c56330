"""Runs scenes in children of a process that has run some itself."""

from __future__ import annotations

import multiprocessing
import sys

from scenes import GAS, HEAP

import carom


def digest(number: int) -> str | None:
    scene = carom.Scene([GAS, HEAP][number % 2], seed=number)
    return carom.run(scene).digest


def bodies_of(simulation: carom.Simulation) -> str:
    simulation.advance(by=0.1)
    return simulation.digest()


def main() -> None:
    context = multiprocessing.get_context(sys.argv[1])
    expected = [digest(number) for number in range(4)]
    simulation = carom.Simulation(HEAP)
    simulation.advance(by=0.1)
    with context.Pool(2) as pool:
        assert pool.map(digest, range(4)) == expected
        moved = pool.apply(bodies_of, (simulation,))
    assert moved == bodies_of(simulation)
    print("all alike")


if __name__ == "__main__":
    main()
