/* Latency of one collective over message sizes: twin of ../osu/coll.ts. `coll allreduce -m 8:1048576` */
#include "timed-calls.h"

struct call {
  const struct collective *collective;
  struct operands operands;
};

static void run(void *state) {
  const struct call *call = state;
  call->collective->call(&call->operands);
}

static void time_size(struct call *call, const struct settings *settings, size_t bytes) {
  const int is_barrier = call->collective->send_blocks == NONE;
  const struct timed timed = {run, call, !is_barrier};
  const int iterations = warm_up(&timed, extent_of(settings, bytes));
  MPI_Barrier(MPI_COMM_WORLD);
  const double latency = time_calls(&timed, iterations) * 1e6 / iterations;
  const double mean = sum_over_ranks(latency) / call->operands.ranks;
  const double smallest = over_ranks(latency, MPI_MIN), largest = over_ranks(latency, MPI_MAX);
  if (call->operands.rank == 0)
    printf("%-10zu%20.3f%20.3f%20.3f%20d\n", bytes, mean, smallest, largest, iterations);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct collective *collective = find_collective(argv[1]);
  struct settings settings = read_settings(argc - 1, argv + 1);
  if (collective->send_blocks == NONE) settings.min_bytes = settings.max_bytes = 0;
  struct call call = {collective, allocate_operands(collective, settings.max_bytes)};
  if (call.operands.rank == 0)
    printf("# %s\n%-10s%20s%20s%20s%20s\n", collective->title, "# Size", "Avg Latency(us)",
           "Min Latency(us)", "Max Latency(us)", "Iterations");

  for (size_t bytes = first_size(&settings); bytes <= settings.max_bytes; bytes = next_size(bytes)) {
    if (!is_whole(collective, &call.operands, bytes)) continue;
    prepare_operands(collective, &call.operands, bytes);
    time_size(&call, &settings, bytes);
    check_operands(collective, &call.operands);
  }
  MPI_Finalize();
  return 0;
}
