/* Bandwidth and message rate of many pairs, rank r to rank r + pairs: twin of ../osu/mbw-mr.ts. */
#include "windows.h"

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const struct settings settings = read_settings(argc, argv);
  const int pairs = size / 2;
  char *send = touched_memory(settings.max_bytes);
  char *slots = touched_memory(WINDOW * slot_stride(settings.max_bytes));
  size_t bytes = settings.min_bytes == 0 ? 1 : first_size(&settings); /* 0 bytes have no bandwidth */
  if (rank == 0) printf("# Bandwidth and message rate of %d pairs\n%-10s%20s%20s\n", pairs, "# Size", "MB/s", "Messages/s");

  for (; bytes <= settings.max_bytes; bytes = next_size(bytes)) {
    const int windows = iterations_of(&settings, BANDWIDTH_COUNTS, bytes);
    const int warmup = warmup_of(&settings, BANDWIDTH_COUNTS, bytes);
    double seconds = 0; /* of senders only */
    if (rank < pairs) {
      send_windows(send, (int)bytes, rank + pairs, warmup);
      MPI_Barrier(MPI_COMM_WORLD);
      const double start = MPI_Wtime();
      send_windows(send, (int)bytes, rank + pairs, windows);
      seconds = MPI_Wtime() - start;
    } else if (rank < 2 * pairs) {
      receive_windows(slots, (int)bytes, rank - pairs, warmup);
      MPI_Barrier(MPI_COMM_WORLD);
      receive_windows(slots, (int)bytes, rank - pairs, windows);
    } else {
      MPI_Barrier(MPI_COMM_WORLD);
    }
    const double rate = (double)pairs * WINDOW * windows / (sum_over_ranks(seconds) / pairs);
    if (rank == 0) printf("%-10zu%20.2f%20.2f\n", bytes, rate * (double)bytes / 1e6, rate);
  }
  MPI_Finalize();
  return 0;
}
