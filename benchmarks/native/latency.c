/* Half a round trip of a blocking ping-pong between ranks 0 and 1: twin of ../osu/latency.ts. */
#include "ping-pong.h"

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const struct settings settings = read_settings(argc, argv);
  char *send = touched_memory(settings.max_bytes);
  char *recv = touched_memory(settings.max_bytes);
  if (rank == 0) printf("# Latency\n%-10s%20s\n", "# Size", "Latency (us)");

  for (size_t bytes = first_size(&settings); bytes <= settings.max_bytes; bytes = next_size(bytes)) {
    const int iterations = iterations_of(&settings, LATENCY_COUNTS, bytes);
    const int warmup = warmup_of(&settings, LATENCY_COUNTS, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > 1) continue;
    ping_pong(send, recv, (int)bytes, 1 - rank, rank == 0, warmup);
    const double start = MPI_Wtime();
    ping_pong(send, recv, (int)bytes, 1 - rank, rank == 0, iterations);
    const double seconds = MPI_Wtime() - start;
    if (rank == 0) printf("%-10zu%20.3f\n", bytes, seconds * 1e6 / (2.0 * iterations));
  }
  MPI_Finalize();
  return 0;
}
