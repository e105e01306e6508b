/* Barriers one after another; mean of all ranks: twin of ../osu/barrier.ts. */
#include "osu.h"

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const struct settings settings = read_settings(argc, argv);
  const int iterations = iterations_of(&settings, COLLECTIVE_COUNTS, 0);
  const int warmup = warmup_of(&settings, COLLECTIVE_COUNTS, 0);

  for (int i = 0; i < warmup; i++) MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < iterations; i++) MPI_Barrier(MPI_COMM_WORLD);
  const double latency = sum_over_ranks(MPI_Wtime() - start) * 1e6 / size / iterations;
  if (rank == 0) printf("# Barrier\n%20s\n%20.3f\n", "# Avg Latency(us)", latency);
  MPI_Finalize();
  return 0;
}
