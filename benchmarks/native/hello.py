"""Each rank says hello: twin of ../osu/hello.ts, for the time a launcher takes."""

from mpi4py import MPI

world = MPI.COMM_WORLD
print("Hello from rank %d of %d" % (world.Get_rank(), world.Get_size()), flush=True)
