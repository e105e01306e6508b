"""Half a round trip of a small object (a pickled dict) between ranks 0 and 1: twin of ../osu/value-latency.ts."""

import sys

from mpi4py import MPI


def option(name, default):
    return int(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else default


def ping_pong(world, rank, value, iterations):
    for _ in range(iterations):
        if rank == 0:
            world.send(value, dest=1, tag=1)
            value = world.recv(source=1, tag=1)
        else:
            value = world.recv(source=0, tag=1)
            world.send(value, dest=0, tag=1)
    return value


def main():
    world = MPI.COMM_WORLD
    rank = world.Get_rank()
    warmup = option("-x", 100)
    iterations = option("-i", 10000)
    value = {"step": 17, "position": [1.5, -2.25, 3.125], "label": "halo", "done": False}
    world.Barrier()
    if rank < 2:
        ping_pong(world, rank, value, warmup)
        start = MPI.Wtime()
        back = ping_pong(world, rank, value, iterations)
        seconds = MPI.Wtime() - start
        assert back == value
        if rank == 0:
            print("# Latency of a small object\n# Latency (us)")
            print("%20.3f" % (seconds * 1e6 / (2 * iterations)))


main()
