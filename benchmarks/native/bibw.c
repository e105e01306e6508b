/* Windows of sends both ways at once between ranks 0 and 1: twin of ../osu/bibw.ts. */
#include "windows.h"

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const struct settings settings = read_settings(argc, argv);
  char *send = touched_memory(settings.max_bytes);
  char *slots = touched_memory(WINDOW * slot_stride(settings.max_bytes));
  size_t bytes = settings.min_bytes == 0 ? 1 : first_size(&settings); /* 0 bytes have no bandwidth */
  if (rank == 0) printf("# Bidirectional bandwidth\n%-10s%20s\n", "# Size", "Bandwidth (MB/s)");

  for (; bytes <= settings.max_bytes; bytes = next_size(bytes)) {
    const int windows = iterations_of(&settings, BANDWIDTH_COUNTS, bytes);
    const int warmup = warmup_of(&settings, BANDWIDTH_COUNTS, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > 1) continue;
    exchange_windows(send, slots, (int)bytes, 1 - rank, warmup);
    const double start = MPI_Wtime();
    exchange_windows(send, slots, (int)bytes, 1 - rank, windows);
    const double seconds = MPI_Wtime() - start;
    if (rank == 0) printf("%-10zu%20.2f\n", bytes, 2.0 * (double)bytes * WINDOW * windows / seconds / 1e6);
  }
  MPI_Finalize();
  return 0;
}
