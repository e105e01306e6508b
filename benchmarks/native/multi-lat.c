/* Ping-pong of many pairs at once, rank r with rank r + pairs; mean over ranks: twin of ../osu/multi-lat.ts. */
#include "ping-pong.h"

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const struct settings settings = read_settings(argc, argv);
  const int pairs = size / 2;
  const int first = rank < pairs;
  const int peer = first ? rank + pairs : rank - pairs;
  char *send = touched_memory(settings.max_bytes);
  char *recv = touched_memory(settings.max_bytes);
  if (size % 2 != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank == 0) printf("# Latency of %d pairs\n%-10s%20s\n", pairs, "# Size", "Latency (us)");

  for (size_t bytes = first_size(&settings); bytes <= settings.max_bytes; bytes = next_size(bytes)) {
    const int iterations = iterations_of(&settings, LATENCY_COUNTS, bytes);
    ping_pong(send, recv, (int)bytes, peer, first, warmup_of(&settings, LATENCY_COUNTS, bytes));
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    ping_pong(send, recv, (int)bytes, peer, first, iterations);
    const double seconds = sum_over_ranks(MPI_Wtime() - start) / size;
    if (rank == 0) printf("%-10zu%20.3f\n", bytes, seconds * 1e6 / (2.0 * iterations));
  }
  MPI_Finalize();
  return 0;
}
