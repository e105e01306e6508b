/* Allreduces of arrays of doubles, one after another; mean of all ranks. Sizes in bytes. */
#include "osu.h"

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  struct settings settings = read_settings(argc, argv);
  if (settings.min_bytes < sizeof(double)) settings.min_bytes = sizeof(double);
  double *send = (double *)touched_memory(settings.max_bytes);
  double *recv = (double *)touched_memory(settings.max_bytes);
  if (rank == 0) printf("# Allreduce of float64\n%-10s%20s\n", "# Size", "Avg Latency(us)");

  for (size_t bytes = first_size(&settings); bytes <= settings.max_bytes; bytes = next_size(bytes)) {
    const int count = (int)(bytes / sizeof(double));
    const int iterations = iterations_of(&settings, COLLECTIVE_COUNTS, bytes);
    const int warmup = warmup_of(&settings, COLLECTIVE_COUNTS, bytes);
    for (int i = 0; i < warmup; i++)
      MPI_Allreduce(send, recv, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++)
      MPI_Allreduce(send, recv, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double latency = sum_over_ranks(MPI_Wtime() - start) * 1e6 / size / iterations;
    if (rank == 0) printf("%-10zu%20.3f\n", bytes, latency);
  }
  MPI_Finalize();
  return 0;
}
