/* Allreduces of one double, one after another; mean of all ranks: twin of ../osu/allreduce-number.ts. */
#include "osu.h"

static double sum_repeatedly(int rank, int iterations) {
  double sum = 0;
  for (int i = 0; i < iterations; i++) {
    const double mine = rank + i;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  return sum;
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const struct settings settings = read_settings(argc, argv);
  const int iterations = iterations_of(&settings, COLLECTIVE_COUNTS, 0);

  sum_repeatedly(rank, warmup_of(&settings, COLLECTIVE_COUNTS, 0));
  const double start = MPI_Wtime();
  const double sum = sum_repeatedly(rank, iterations);
  const double latency = sum_over_ranks(MPI_Wtime() - start) * 1e6 / size / iterations;
  if (sum != size * (size - 1) / 2.0 + (double)size * (iterations - 1)) MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank == 0) printf("# Allreduce of one number\n%-10s%20s\n%-10d%20.3f\n", "# Size",
                        "Avg Latency(us)", 8, latency);
  MPI_Finalize();
  return 0;
}
