/* Windows of sends from rank 0 to rank 1, one reply a window: twin of ../osu/bw.ts. */
#include "windows.h"

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const struct settings settings = read_settings(argc, argv);
  char *send = touched_memory(settings.max_bytes);
  char *slots = touched_memory(WINDOW * slot_stride(settings.max_bytes));
  size_t bytes = settings.min_bytes == 0 ? 1 : first_size(&settings); /* 0 bytes have no bandwidth */
  if (rank == 0) printf("# Bandwidth\n%-10s%20s\n", "# Size", "Bandwidth (MB/s)");

  for (; bytes <= settings.max_bytes; bytes = next_size(bytes)) {
    const int windows = iterations_of(&settings, BANDWIDTH_COUNTS, bytes);
    const int warmup = warmup_of(&settings, BANDWIDTH_COUNTS, bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
      send_windows(send, (int)bytes, 1, warmup);
      const double start = MPI_Wtime();
      send_windows(send, (int)bytes, 1, windows);
      const double seconds = MPI_Wtime() - start;
      printf("%-10zu%20.2f\n", bytes, (double)bytes * WINDOW * windows / seconds / 1e6);
    } else if (rank == 1) {
      receive_windows(slots, (int)bytes, 0, warmup);
      receive_windows(slots, (int)bytes, 0, windows);
    }
  }
  MPI_Finalize();
  return 0;
}
