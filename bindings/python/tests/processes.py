"""Finds contacts in children of this process, as `multiprocessing` makes them by the method that is named."""

from __future__ import annotations

import multiprocessing
import sys

import carom


def contacts_of_a_child(seed: int) -> int:
    """Number of contacts among enough spheres that all threads are used."""
    spheres, box = carom.generate.particles(20_000, periodic=True, seed=seed)
    return len(carom.contacts(spheres, box=box))


def child_of_a_child(seed: int) -> int:
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply(contacts_of_a_child, [seed])


def main(method: str) -> None:
    carom.set_threads(2)
    expected = [contacts_of_a_child(seed) for seed in range(3)]
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert pool.map(contacts_of_a_child, range(3)) == expected
    # Again: the pool of this process is as it was.
    assert contacts_of_a_child(0) == expected[0]
    if method == "fork":
        process = context.Process(target=child_of_a_child, args=[1])
        process.start()
        process.join()
        assert process.exitcode == 0
        # A number of threads is kept, and can be changed in the child alone.
        with context.Pool(1) as pool:
            assert pool.apply(carom.threads) == 2
            pool.apply(carom.set_threads, [1])
            assert pool.apply(contacts_of_a_child, [2]) == expected[2]
        assert carom.threads() == 2


if __name__ == "__main__":
    main(sys.argv[1])
    print("all found")
